#include "query/gpu/device/matches/largest_keys.hpp"

#include <cmath>

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

using codecs::cuda::check;

/// About k * stride items reach the threshold; they should be as many as the sample.
std::uint32_t LargestKeys::stride_of(std::uint32_t groups, std::uint32_t group, std::uint32_t k) {
  const double items = static_cast<double>(groups) * group;
  const double wanted = std::max(1.0, std::sqrt(items * k) / group);
  return static_cast<std::uint32_t>(std::max(1.0, groups / wanted));
}

void LargestKeys::begin() {
  at_least(counters_, 4);
  if (queries_.size() == 0) queries_ = codecs::cuda::PinnedArray<SelectQuery>(2);
  check(cudaMemsetAsync(counters_.data(), 0, 4 * sizeof(std::uint32_t), stream_),
        "cudaMemsetAsync");
}

KeyList LargestKeys::sample_list(std::uint32_t room) {
  return {at_least(sample_, room), counters_.data(), room};
}

KeyList LargestKeys::all_list(std::uint64_t items) {
  const auto room =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(items, tuning::kMaxFinalists));
  return {at_least(keys_, std::max(1u, room)), counters_.data() + 1, room};
}

/// Queues the selection of the sample's k largest keys, the threshold of `order` from then on.
void LargestKeys::choose_sample(std::uint32_t k, const KeyList& list, CodeOrder& order) {
  queries_.data()[0] = {0, list.capacity, k};
  SelectView view{};
  view.queries = queries_.data();
  view.query_count = 1;
  view.finalists = list.keys;
  view.finalist_counts = list.count;
  view.selected = at_least(best_, k);
  view.stride = k;
  view.counts = counters_.data() + 2;
  launch_selection(view, stream_);
  order.sample = view.selected;
  order.sample_count = view.counts;
}

void LargestKeys::choose(std::uint32_t k, const KeyList& list) {
  queries_.data()[1] = {0, list.capacity, k};
  selection_.start({queries_.data() + 1, 1, k, list.keys, list.count, {}}, stream_);
}

}  // namespace gannet::query::cuda
