#include "query/gpu/device/memory/selection.hpp"

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

void Selection::start(const Finalists& finalists, cudaStream_t stream) {
  stride_ = finalists.stride;
  const std::uint32_t queries = finalists.query_count;
  const std::size_t keys = std::size_t{queries} * stride_;
  std::uint64_t* const on_host = at_least(keys_, keys);
  direct_ =
      keys * sizeof(std::uint64_t) <= tuning::kDirectResults && stride_ <= tuning::kBlockSorted;
  // Page-locked memory has the same address on the device.
  const SelectView view{finalists.queries,
                        queries,
                        finalists.keys,
                        finalists.counts,
                        direct_ ? on_host : at_least(selected_, keys),
                        stride_,
                        at_least(counts_, queries),
                        finalists.counters.data(),
                        at_least(counters_, finalists.counters.size()),
                        static_cast<std::uint32_t>(finalists.counters.size())};
  launch_selection(view, stream);
  if (direct_) return;
  const std::uint64_t* result = view.selected;
  if (stride_ > tuning::kBlockSorted) {
    const std::size_t bytes = sort_scratch_bytes(queries, stride_);
    std::uint64_t* const sorted = at_least(sorted_, keys);
    launch_sort(view, sorted, at_least(ends_, queries), at_least(scratch_, bytes), bytes, stream);
    result = sorted;
  }
  selected_last_.record(stream);
  fetch(on_host, result, keys, stream);
}

}  // namespace gannet::query::cuda
