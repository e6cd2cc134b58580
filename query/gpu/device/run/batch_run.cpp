#include "query/gpu/device/run/batch_run.hpp"

#include <tbb/parallel_for.h>

#include <utility>

#include "query/gpu/plan/launch.hpp"

namespace gannet::query::cuda {

std::uint64_t BatchRun::key_bytes(const Assignment& assignment) {
  return assignment.finalists * sizeof(std::uint64_t) +
         Selection::bytes(assignment.queries.size(), assignment.stride);
}

BatchRun::Tables BatchRun::send_tables(const IndexView& index, const Assignment& assignment) {
  const Schedule& schedule = assignment.schedule;
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

void BatchRun::start_top_k(const IndexView& index, const Assignment& assignment,
                           std::uint32_t max_warps) {
  queued_ = true;
  started_.record(stream_);
  Tables tables = send_tables(index, assignment);
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

void BatchRun::abandon() noexcept {
  if (std::exchange(queued_, false)) codecs::cuda::drain(stream_);
}

}  // namespace gannet::query::cuda
