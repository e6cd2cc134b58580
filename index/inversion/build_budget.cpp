#include "index/inversion/build_budget.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "index/inversion/spill_file.hpp"

namespace gannet::index {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
/// The program itself, the writer's buffers, thread stacks.
constexpr std::uint64_t kBase = 24 * kMega;
/// A batch in flight: its input, the parsed documents, the tables of the inverter.
constexpr std::uint64_t kBatch = 8 * kMega;
/// Its occurrences of terms, grouped positions, and their varints.
constexpr std::uint64_t kBatchPositions = 4 * kMega;
/// What the writer of positions sets aside.
constexpr std::uint64_t kPositionsBase = 6 * kMega;
/// A posting, or a position, of a list in flight: decoded, encoded, and what its list takes.
constexpr std::uint64_t kListPosting = 64;
/// A posting in the decoding buffers that each thread keeps.
constexpr std::uint64_t kThreadPosting = 8;

}  // namespace

BuildBudget BuildBudget::of(std::uint64_t memory, unsigned threads, bool with_positions) {
  if (memory < kMinBuildMemory) {
    throw UsageError("a memory budget of " + std::to_string(memory) +
                     " bytes is too small; an index build needs at least " +
                     std::to_string(kMinBuildMemory) + " (64M)");
  }
  const std::uint64_t eighth = memory / 8;
  BuildBudget budget{};
  const std::uint64_t batch = kBatch + (with_positions ? kBatchPositions : 0);
  const std::uint64_t base = kBase + (with_positions ? kPositionsBase : 0);
  budget.batches = std::clamp<std::uint64_t>(eighth / batch, 2, 2 * std::uint64_t{threads});
  budget.threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, budget.batches));
  // Batches with positions are larger: the caches of tokens give them room.
  const std::uint64_t caches = with_positions ? eighth / 2 : eighth;
  budget.cache = std::min(caches / budget.batches, 64 * kMega);
  const std::uint64_t taken = base + budget.batches * (batch + budget.cache);
  budget.run = (memory - taken) / 10 * 8;  // the rest is for what malloc cannot use
  const std::uint64_t posting = 3 * kListPosting + budget.threads * kThreadPosting;
  budget.batch_postings = std::clamp<std::uint64_t>(eighth / posting, 1024, 4 * kMega);
  budget.fan_in = std::clamp<std::uint64_t>(eighth / kRunBuffer, 8, 256);
  return budget;
}

}  // namespace gannet::index
