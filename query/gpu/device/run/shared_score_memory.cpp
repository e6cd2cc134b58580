#include "query/gpu/device/run/shared_score_memory.hpp"

#include <algorithm>
#include <atomic>

#include "codecs/base/cuda/device.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

SharedScoreMemory::SharedScoreMemory(int device, std::size_t shards) : device_(device) {
  all_.shards = static_cast<std::uint32_t>(shards);
}

bool SharedScoreMemory::begin(std::span<const Plan> plans) {
  const Plan& first = plans.front();
  if (first.want() != Want::kTopK || !tuning::tells_shards(first.k())) return false;
  const codecs::cuda::DeviceGuard guard(device_);
  constexpr std::size_t kEntryBytes =
      sizeof(std::uint32_t) + sizeof(float4) + kScoreBins * sizeof(std::uint16_t);
  all_.plans =
      static_cast<std::uint32_t>(std::min(plans.size(), kMaxBytes / kEntryBytes / all_.shards));
  const std::size_t entries = std::size_t{all_.plans} * all_.shards;
  if (entries > states_.size()) {
    at_least(states_, entries);
    std::fill_n(states_.data(), states_.size(), 0);
    all_.call = 0;
  }
  all_.states = states_.data();
  all_.scales = at_least(scales_, entries);
  all_.counts = at_least(counts_, entries * kScoreBins);
  ++all_.call;
  return true;
}

SharedScores SharedScoreMemory::of(std::size_t shard) {
  SharedScores scores = all_;
  scores.mine = static_cast<std::uint32_t>(shard);
  return scores;
}

void close(const SharedScores& scores, std::size_t plan) {
  if (!scores.has(plan)) return;
  const std::atomic_ref<std::uint32_t> state(scores.states[scores.entry(scores.mine, plan)]);
  // An entry that a kernel has given stays given.
  if (state.load(std::memory_order_relaxed) != scores.given()) {
    state.store(scores.closed(), std::memory_order_release);
  }
}

SharedPart::SharedPart(const GatherOptions& options) {
  auto* const memory = dynamic_cast<SharedScoreMemory*>(options.exchange);
  if (memory != nullptr) scores_ = memory->of(options.shard);
}

SharedPart::~SharedPart() {
  for (std::size_t plan = 0; plan < scores_.plans; ++plan) close(scores_, plan);
}

}  // namespace gannet::query::cuda
