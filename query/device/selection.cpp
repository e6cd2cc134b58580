#include "query/device/selection.hpp"

#include "query/device/arena.hpp"

namespace gannet::query::cuda {

void Selection::start(const Finalists& finalists, cudaStream_t stream) {
  stride_ = finalists.stride;
  const std::uint32_t queries = finalists.query_count;
  const std::size_t keys = std::size_t{queries} * stride_;
  const SelectView view{finalists.queries,
                        queries,
                        finalists.keys,
                        finalists.counts,
                        at_least(selected_, keys),
                        stride_,
                        at_least(counts_, queries)};
  launch_selection(view, stream);
  const std::uint64_t* result = view.selected;
  if (stride_ > tuning::kBlockSorted) {
    const std::size_t bytes = sort_scratch_bytes(queries, stride_);
    std::uint64_t* const sorted = at_least(sorted_, keys);
    launch_sort(view, sorted, at_least(ends_, queries), at_least(scratch_, bytes), bytes, stream);
    result = sorted;
  }
  fetch(at_least(host_keys_, keys), result, keys, stream);
  fetch(at_least(host_counts_, queries), view.counts, queries, stream);
}

}  // namespace gannet::query::cuda
