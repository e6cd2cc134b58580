#include "query/gpu/device/run/batch_run.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "query/gpu/plan/launch.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

/// The end of the longest run of items from `first` on that have no more than `most` docids
/// together, or of one item.
std::uint32_t end_of_chunk(std::span<const std::uint64_t> offsets, std::uint32_t first,
                           std::uint64_t most) {
  const auto end = std::upper_bound(offsets.begin() + first, offsets.end(), offsets[first] + most);
  return std::max(first + 1, static_cast<std::uint32_t>(end - offsets.begin()) - 1);
}

}  // namespace

std::uint64_t BatchRun::key_bytes(const Assignment& assignment) {
  return assignment.finalists * sizeof(std::uint64_t) +
         Selection::bytes(assignment.queries.size(), assignment.stride);
}

BatchRun::Tables BatchRun::send_tables(const IndexView& index, const Assignment& assignment,
                                       const Schedule& schedule) {
  std::vector<std::uint32_t> heads;
  for (const Launch& launch : schedule.launches) heads.push_back(launch.begin);
  arena_.reset(
      Arena::room<BatchQuery>(assignment.queries.size()) +
      Arena::room<SelectQuery>(assignment.selections.size()) +
      Arena::room<BatchTerm>(assignment.terms.size()) + Arena::room<Node>(assignment.nodes.size()) +
      Arena::room<Item>(assignment.items.size()) +
      Arena::room<std::uint32_t>(schedule.order.size()) + Arena::room<std::uint32_t>(heads.size()) +
      Arena::room<std::uint64_t>(assignment.queries.size()) +
      Arena::room<std::uint32_t>(assignment.queries.size()) + Arena::room<std::uint64_t>(1));
  Tables tables{};
  BatchView& view = tables.view;
  view.index = index;
  view.queries = arena_.put(std::span(assignment.queries));
  tables.selections = arena_.put(std::span(assignment.selections));
  view.terms = arena_.put(std::span(assignment.terms));
  view.nodes = arena_.put(std::span(assignment.nodes));
  view.items = arena_.put(std::span(assignment.items));
  view.order = arena_.put(std::span(schedule.order));
  tables.heads = arena_.put(std::span<const std::uint32_t>(heads));
  view.thresholds = arena_.put_zeroes<std::uint64_t>(assignment.queries.size());
  view.finalist_counts = arena_.put_zeroes<std::uint32_t>(assignment.queries.size());
  view.tiles_decoded = arena_.put_zeroes<unsigned long long>(1);
  arena_.send(stream_);
  return tables;
}

void BatchRun::launch_items(const Schedule& schedule, const Tables& tables) {
  for (std::size_t i = 0; i < schedule.launches.size(); ++i) {
    const Launch& launch = schedule.launches[i];
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
  queued_ = true;
  started_.record(stream_);
  Tables tables = send_tables(index, assignment, assignment.schedule);
  BatchView& view = tables.view;
  view.capacity = assignment.capacity;
  view.candidates = at_least(candidates_, std::size_t{max_warps} * assignment.capacity);
  view.max_warps = max_warps;
  view.finalists = at_least(finalists_, assignment.finalists);
  launch_items(assignment.schedule, tables);
  selection_.start({tables.selections, static_cast<std::uint32_t>(assignment.queries.size()),
                    assignment.stride, view.finalists, view.finalist_counts,
                    std::span(reinterpret_cast<const std::uint64_t*>(view.tiles_decoded), 1)},
                   stream_);
  finished_.record(stream_);
}

BatchCounters BatchRun::wait() {
  stream_.wait();
  queued_ = false;
  return {selection_.counter(0), finished_.seconds_since(started_)};
}

void BatchRun::unpack_top_k(const Assignment& assignment, const Sink& sink) {
  tbb::parallel_for(std::size_t{0}, assignment.queries.size(), [&](std::size_t q) {
    const std::span keys = selection_.keys(q);
    // The low half of a key decreases as the docid increases (rank_key()).
    for (std::uint64_t& key : keys) key -= sink.docid_base;
    sink.targets[q].result->merge(keys, sink.targets[q].k);
  });
}

BatchCounters BatchRun::match(const IndexView& index, const Assignment& assignment, bool docids,
                              std::uint64_t docid_bytes, const Sink& sink) {
  const std::size_t items = assignment.items.size();
  queued_ = true;
  started_.record(stream_);
  Tables tables = send_tables(index, assignment, assignment.schedule);
  tables.view.match_counts = at_least(match_counts_, items);
  launch_items(assignment.schedule, tables);
  fetch(at_least(host_match_counts_, items), tables.view.match_counts, items, stream_);
  read_counter(tables.view);
  stream_.wait();
  BatchCounters counters{host_tiles_[0], 0};

  std::vector<std::uint64_t> offsets(items + 1, 0);
  std::inclusive_scan(host_match_counts_.data(), host_match_counts_.data() + items,
                      offsets.begin() + 1);
  for (std::size_t q = 0; q < assignment.queries.size(); ++q) {
    const BatchQuery& query = assignment.queries[q];
    sink.targets[q].result->count +=
        offsets[query.first_item + query.items] - offsets[query.first_item];
  }
  if (docids) {
    counters.tiles_decoded += fetch_docids(index, assignment, offsets, docid_bytes, sink);
  }
  finished_.record(stream_);
  stream_.wait();
  queued_ = false;
  counters.device_seconds = finished_.seconds_since(started_);
  return counters;
}

std::uint64_t BatchRun::fetch_docids(const IndexView& index, const Assignment& assignment,
                                     std::span<const std::uint64_t> offsets,
                                     std::uint64_t docid_bytes, const Sink& sink) {
  std::uint64_t tiles = 0;
  const auto items = static_cast<std::uint32_t>(assignment.items.size());
  for (ItemRange chunk{0, 0}; chunk.first < items; chunk.first = chunk.last) {
    chunk.last = end_of_chunk(offsets, chunk.first, docid_bytes / sizeof(std::uint32_t));
    if (offsets[chunk.first] == offsets[chunk.last]) continue;
    fetch_chunk(index, assignment, offsets, chunk);
    tiles += host_tiles_[0];
    append_chunk(assignment, offsets, chunk, sink);
  }
  return tiles;
}

void BatchRun::fetch_chunk(const IndexView& index, const Assignment& assignment,
                           std::span<const std::uint64_t> offsets, ItemRange chunk) {
  const Schedule schedule = assignment.schedule.only(chunk.first, chunk.last);
  Tables tables = send_tables(index, assignment, schedule);
  const std::uint64_t total = offsets[chunk.last] - offsets[chunk.first];
  std::vector<std::uint64_t> relative;
  for (std::uint32_t item = chunk.first; item <= chunk.last; ++item) {
    relative.push_back(offsets[item] - offsets[chunk.first]);
  }
  check(cudaMemcpyAsync(at_least(offsets_, offsets.size()) + chunk.first, relative.data(),
                        relative.size() * sizeof(std::uint64_t), cudaMemcpyHostToDevice, stream_),
        "cudaMemcpyAsync to the device");
  tables.view.match_counts = match_counts_.data();
  tables.view.docid_offsets = offsets_.data();
  tables.view.docids = at_least(docids_, total);
  launch_items(schedule, tables);
  fetch(at_least(host_docids_, total), tables.view.docids, total, stream_);
  read_counter(tables.view);
  stream_.wait();
}

void BatchRun::append_chunk(const Assignment& assignment, std::span<const std::uint64_t> offsets,
                            ItemRange chunk, const Sink& sink) const {
  const std::uint32_t* const fetched = host_docids_.data();
  for (std::size_t q = 0; q < assignment.queries.size(); ++q) {
    const BatchQuery& query = assignment.queries[q];
    const std::uint32_t first = std::max(query.first_item, chunk.first);
    const std::uint32_t last = std::min(query.first_item + query.items, chunk.last);
    if (first >= last) continue;
    const std::uint64_t begin = offsets[first] - offsets[chunk.first];
    const std::uint64_t end = offsets[last] - offsets[chunk.first];
    std::vector<std::uint32_t>& docids = sink.targets[q].result->docids;
    std::transform(fetched + begin, fetched + end, std::back_inserter(docids),
                   [&](std::uint32_t docid) { return docid + sink.docid_base; });
  }
}

void BatchRun::abandon() noexcept {
  if (!std::exchange(queued_, false)) return;  // the call ended without an error
  cudaStreamSynchronize(stream_);
  cudaGetLastError();  // clears an error that was thrown already
}

}  // namespace gannet::query::cuda
