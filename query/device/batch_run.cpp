#include "query/device/batch_run.hpp"

#include <tbb/parallel_for.h>

#include "query/device/launch.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

template <class T>
void fetch(T* to, const T* from, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync from the device");
}

}  // namespace

std::uint64_t BatchRun::key_bytes(const Assignment& assignment) {
  const std::uint64_t results = std::uint64_t{assignment.queries.size()} * assignment.stride;
  return (assignment.finalists + 2 * results) * sizeof(std::uint64_t);
}

BatchRun::Tables BatchRun::send_tables(const IndexView& index, const Assignment& assignment) {
  std::vector<std::uint32_t> heads;
  for (const Launch& launch : assignment.launches) heads.push_back(launch.begin);
  arena_.reset(
      Arena::room<Query>(assignment.queries.size()) + Arena::room<Term>(assignment.terms.size()) +
      Arena::room<ExpressionNode>(assignment.nodes.size()) +
      Arena::room<Item>(assignment.items.size()) +
      Arena::room<std::uint32_t>(assignment.order.size()) +
      Arena::room<std::uint32_t>(heads.size()) +
      Arena::room<std::uint64_t>(assignment.queries.size()) +
      Arena::room<std::uint32_t>(assignment.queries.size()) + Arena::room<std::uint64_t>(1));
  Tables tables{};
  BatchView& view = tables.view;
  view.index = index;
  view.queries = arena_.put(std::span(assignment.queries));
  view.terms = arena_.put(std::span(assignment.terms));
  view.nodes = arena_.put(std::span(assignment.nodes));
  view.items = arena_.put(std::span(assignment.items));
  view.order = arena_.put(std::span(assignment.order));
  tables.heads = arena_.put(std::span<const std::uint32_t>(heads));
  view.thresholds = arena_.put_zeroes<std::uint64_t>(assignment.queries.size());
  view.finalist_counts = arena_.put_zeroes<std::uint32_t>(assignment.queries.size());
  view.tiles_decoded = arena_.put_zeroes<unsigned long long>(1);
  arena_.send(stream_);
  return tables;
}

void BatchRun::launch_items(const Assignment& assignment, Tables tables) {
  for (std::size_t i = 0; i < assignment.launches.size(); ++i) {
    const Launch& launch = assignment.launches[i];
    BatchView view = tables.view;
    view.items_begin = launch.begin;
    view.items_end = launch.end;
    view.next = tables.heads + i;
    view.window = launch.window;
    view.max_terms = launch.max_terms;
    view.slots = launch.slots;
    launch_scoring(launch.kernel, view, stream_);
  }
}

void BatchRun::read_counter(const BatchView& view) {
  fetch(at_least(host_tiles_, 1), view.tiles_decoded, 1, stream_);
}

void BatchRun::start_top_k(const IndexView& index, const Assignment& assignment,
                           std::uint32_t max_warps) {
  running_ = &assignment;
  started_.record(stream_);
  Tables tables = send_tables(index, assignment);
  BatchView& view = tables.view;
  view.capacity = assignment.capacity;
  view.candidates = at_least(candidates_, std::size_t{max_warps} * assignment.capacity);
  view.max_warps = max_warps;
  view.finalists = at_least(finalists_, assignment.finalists);
  launch_items(assignment, tables);
  launch_selection_of(assignment, view);
  read_counter(view);
  finished_.record(stream_);
}

void BatchRun::launch_selection_of(const Assignment& assignment, const BatchView& batch) {
  const auto queries = static_cast<std::uint32_t>(assignment.queries.size());
  const std::uint32_t stride = assignment.stride;
  const std::size_t keys = std::size_t{queries} * stride;
  const SelectView view{batch.queries,
                        queries,
                        batch.finalists,
                        batch.finalist_counts,
                        at_least(selected_, keys),
                        stride,
                        at_least(counts_, queries)};
  launch_selection(view, stream_);
  const std::uint64_t* result = view.selected;
  if (stride > kBlockSorted) {
    const std::size_t bytes = sort_scratch_bytes(queries, stride);
    std::uint64_t* const sorted = at_least(sorted_, keys);
    launch_sort(view, sorted, at_least(ends_, queries), at_least(scratch_, bytes), bytes, stream_);
    result = sorted;
  }
  fetch(at_least(host_keys_, keys), result, keys, stream_);
  fetch(at_least(host_counts_, queries), view.counts, queries, stream_);
}

BatchCounters BatchRun::finish_top_k(std::vector<std::vector<Hit>>& hits) {
  stream_.wait();
  const std::size_t first = hits.size();
  const std::size_t queries = running_->queries.size();
  hits.resize(first + queries);
  tbb::parallel_for(std::size_t{0}, queries, [&](std::size_t q) {
    const std::uint64_t* keys = host_keys_.data() + q * running_->stride;
    auto& mine = hits[first + q];
    mine.reserve(host_counts_[q]);
    for (std::uint32_t i = 0; i < host_counts_[q]; ++i) mine.push_back(hit_of(keys[i]));
  });
  running_ = nullptr;
  return {host_tiles_[0], finished_.seconds_since(started_)};
}

std::vector<std::uint64_t> BatchRun::offsets_of_items(const Assignment& assignment) const {
  std::vector<std::uint64_t> offsets(assignment.items.size() + 1, 0);
  for (std::size_t i = 0; i < assignment.items.size(); ++i) {
    offsets[i + 1] = offsets[i] + host_match_counts_.data()[i];
  }
  return offsets;
}

BatchCounters BatchRun::match(const IndexView& index, const Assignment& assignment, bool docids,
                              std::vector<std::uint64_t>& counts,
                              std::vector<std::vector<std::uint32_t>>& matches) {
  const std::size_t items = assignment.items.size();
  started_.record(stream_);
  Tables tables = send_tables(index, assignment);
  tables.view.match_counts = at_least(match_counts_, items);
  launch_items(assignment, tables);
  fetch(at_least(host_match_counts_, items), tables.view.match_counts, items, stream_);
  read_counter(tables.view);
  stream_.wait();
  BatchCounters counters{host_tiles_[0], 0};

  const std::vector<std::uint64_t> offsets = offsets_of_items(assignment);
  const std::uint64_t total = offsets.back();
  if (docids && total > 0) {
    tables = send_tables(index, assignment);
    tables.view.match_counts = match_counts_.data();
    check(cudaMemcpyAsync(at_least(offsets_, offsets.size()), offsets.data(),
                          offsets.size() * sizeof(std::uint64_t), cudaMemcpyHostToDevice, stream_),
          "cudaMemcpyAsync to the device");
    tables.view.docid_offsets = offsets_.data();
    tables.view.docids = at_least(docids_, total);
    launch_items(assignment, tables);
    fetch(at_least(host_docids_, total), tables.view.docids, total, stream_);
    read_counter(tables.view);
    stream_.wait();
    counters.tiles_decoded += host_tiles_[0];
  }
  finished_.record(stream_);
  stream_.wait();
  counters.device_seconds = finished_.seconds_since(started_);
  for (const Query& query : assignment.queries) {
    const std::uint64_t begin = offsets[query.first_item];
    const std::uint64_t end = offsets[query.first_item + query.items];
    counts.push_back(end - begin);
    matches.emplace_back();
    if (docids) matches.back().assign(host_docids_.data() + begin, host_docids_.data() + end);
  }
  return counters;
}

}  // namespace gannet::query::cuda
