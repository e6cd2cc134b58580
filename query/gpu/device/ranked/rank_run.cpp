#include "query/gpu/device/ranked/rank_run.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "query/gpu/device/kernels/ranked/launches.hpp"

namespace gannet::query::cuda {

RankRun::Tables RankRun::tables(const RankBatch& batch) {
  const RankSizes& sizes = batch.sizes();
  const std::size_t queries = sizes.match.queries;
  const std::size_t launches = batch.launches().size();
  arena_.reset(Arena::room<MatchQuery>(queries) + Arena::room<MatchStep>(sizes.match.steps) +
               Arena::room<MatchList>(sizes.match.lists) + Arena::room<Node>(sizes.match.nodes) +
               Arena::room<const std::uint64_t*>(sizes.match.bitmaps) +
               Arena::room<RankQuery>(queries) + Arena::room<RankList>(sizes.lists) +
               Arena::room<SelectQuery>(queries) + Arena::room<std::uint64_t>(queries) +
               Arena::room<RankItem>(batch.items().size()) + Arena::room<std::uint32_t>(queries) +
               Arena::room<std::uint32_t>(launches) + Arena::room<unsigned long long>(1));
  const auto match_queries = arena_.take<MatchQuery>(queries);
  const auto steps = arena_.take<MatchStep>(sizes.match.steps);
  const auto match_lists = arena_.take<MatchList>(sizes.match.lists);
  const auto nodes = arena_.take<Node>(sizes.match.nodes);
  const auto bitmaps = arena_.take<const std::uint64_t*>(sizes.match.bitmaps);
  const auto rank_queries = arena_.take<RankQuery>(queries);
  const auto lists = arena_.take<RankList>(sizes.lists);
  const auto selections = arena_.take<SelectQuery>(queries);
  const auto thresholds = arena_.take<std::uint64_t>(queries);
  view_ = {};
  view_.match.queries = match_queries.device;
  view_.match.steps = steps.device;
  view_.match.lists = match_lists.device;
  view_.match.nodes = nodes.device;
  view_.match.bitmaps = bitmaps.device;
  view_.queries = rank_queries.device;
  view_.lists = lists.device;
  view_.thresholds = thresholds.device;
  selections_ = selections.device;
  view_.items = arena_.put(batch.items());
  view_.finalist_counts = arena_.put_zeroes<std::uint32_t>(queries);
  std::vector<std::uint32_t> heads;
  for (const RankLaunch& launch : batch.launches()) heads.push_back(launch.items_begin);
  view_.next = arena_.put(std::span<const std::uint32_t>(heads));
  view_.match.tiles_decoded = arena_.put_zeroes<unsigned long long>(1);
  return {{{match_queries.host, steps.host, match_lists.host, nodes.host, bitmaps.host},
           rank_queries.host,
           lists.host,
           selections.host},
          thresholds.host};
}

std::uint64_t RankRun::bytes_of_block(const RankBatch& batch) {
  return batch.capacity() * sizeof(std::uint64_t) + batch.sizes().most_lists * sizeof(RankCursor);
}

void RankRun::start(const IndexView& index, const RankBatch& batch, std::uint32_t blocks,
                    bool use_bounds) {
  queued_ = true;
  batch_ = &batch;
  started_.record(stream_);
  arena_.send(stream_);
  view_.match.index = index;
  view_.use_bounds = use_bounds ? 1 : 0;
  view_.capacity = batch.capacity();
  view_.blocks = blocks;
  view_.candidates = at_least(candidates_, blocks * batch.capacity());
  view_.most_lists = batch.sizes().most_lists;
  view_.cursors = at_least(cursors_, std::size_t{blocks} * view_.most_lists);
  view_.finalists = at_least(finalists_, batch.finalists());
  std::uint32_t* const heads = view_.next;
  for (std::size_t i = 0; i < batch.launches().size(); ++i) {
    const RankLaunch& launch = batch.launches()[i];
    view_.match.rows = launch.rows;
    view_.match.words = launch.words;
    view_.items_begin = launch.items_begin;
    view_.items_end = launch.items_end;
    view_.next = heads + i;
    launch_ranking(launch.kind, view_, stream_);
  }
  selection_.start(
      {selections_, static_cast<std::uint32_t>(batch.sizes().match.queries), batch.sizes().most_k,
       view_.finalists, view_.finalist_counts,
       std::span(reinterpret_cast<const std::uint64_t*>(view_.match.tiles_decoded), 1)},
      stream_);
  finished_.record(stream_);
}

BatchCounters RankRun::wait() {
  stream_.wait();
  queued_ = false;
  return {selection_.counter(0), finished_.seconds_since(started_)};
}

void RankRun::unpack(const Sink& sink) {
  tbb::parallel_for(std::size_t{0}, sink.targets.size(), [&](std::size_t q) {
    const std::span keys = selection_.keys(q);
    // The low half of a key decreases as the docid increases (rank_key()).
    for (std::uint64_t& key : keys) key -= sink.docid_base;
    sink.targets[q].result->merge(keys, sink.targets[q].k);
  });
  batch_ = nullptr;
}

void RankRun::abandon() noexcept {
  batch_ = nullptr;
  if (std::exchange(queued_, false)) codecs::cuda::drain(stream_);
}

}  // namespace gannet::query::cuda
