#include "query/gpu/device/matching/match_run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/gpu/device/kernels/matching/launches.hpp"

namespace gannet::query::cuda {

using codecs::cuda::check;

MatchPlaces MatchRun::tables(const MatchSizes& sizes) {
  arena_.reset(Arena::room<MatchQuery>(sizes.queries) + Arena::room<MatchStep>(sizes.steps) +
               Arena::room<MatchList>(sizes.lists) + Arena::room<Node>(sizes.nodes) +
               Arena::room<const std::uint64_t*>(sizes.bitmaps) +
               Arena::room<unsigned long long>(sizes.queries) + Arena::room<unsigned long long>(1));
  const auto queries = arena_.take<MatchQuery>(sizes.queries);
  const auto steps = arena_.take<MatchStep>(sizes.steps);
  const auto lists = arena_.take<MatchList>(sizes.lists);
  const auto nodes = arena_.take<Node>(sizes.nodes);
  const auto bitmaps = arena_.take<const std::uint64_t*>(sizes.bitmaps);
  view_ = {};
  view_.queries = queries.device;
  view_.steps = steps.device;
  view_.lists = lists.device;
  view_.nodes = nodes.device;
  view_.bitmaps = bitmaps.device;
  view_.counts = arena_.put_zeroes<unsigned long long>(sizes.queries);
  tiles_ = view_.tiles_decoded = arena_.put_zeroes<unsigned long long>(1);
  return {queries.host, steps.host, lists.host, nodes.host, bitmaps.host};
}

void MatchRun::for_each_launch(const std::function<void(MatchView&, const MatchLaunch&)>& f) const {
  for (const MatchLaunch& launch : batch_->launches()) {
    MatchView view = view_;
    view.first_query = launch.first_query;
    view.query_count = launch.queries;
    view.rows = launch.rows;
    view.words = launch.words;
    view.windows = launch.windows;
    view.first_item = launch.first_item;
    f(view, launch);
  }
}

void MatchRun::start(const IndexView& index, const MatchBatch& batch, bool docids) {
  queued_ = true;
  batch_ = &batch;
  docids_wanted_ = docids;
  started_.record(stream_);
  arena_.send(stream_);
  view_.index = index;
  const std::size_t items = docids ? batch.items() : 0;
  if (docids) {
    view_.item_counts = at_least(item_counts_, items);
    if (items > 0) {
      check(cudaMemsetAsync(view_.item_counts, 0, items * sizeof(std::uint32_t), stream_),
            "cudaMemsetAsync");
    }
  }
  for_each_launch([&](MatchView& view, const MatchLaunch&) { launch_matching(view, stream_); });
  const std::size_t queries = batch.sizes().queries;
  fetch(at_least(host_counts_, queries), view_.counts, queries, stream_);
  fetch(at_least(host_tiles_, 1), tiles_, 1, stream_);
  fetch(at_least(host_item_counts_, items), view_.item_counts, items, stream_);
  finished_.record(stream_);
}

MatchCounters MatchRun::finish(std::uint64_t docid_bytes, const MatchSink& sink) {
  stream_.wait();
  const std::span<const std::size_t> plans = batch_->plans();
  for (std::size_t q = 0; q < plans.size(); ++q) {
    sink.results[plans[q]].count += host_counts_.data()[q];
  }
  if (docids_wanted_) fetch_docids(docid_bytes, sink);
  queued_ = false;
  batch_ = nullptr;
  return {host_tiles_[0], finished_.seconds_since(started_)};
}

/// Where the docids of each item begin among those of all items, and their number.
std::vector<std::uint64_t> MatchRun::docid_offsets() const {
  const std::uint64_t items = batch_->items();
  std::vector<std::uint64_t> offsets(items + 1, 0);
  for (std::uint64_t i = 0; i < items; ++i) {
    offsets[i + 1] = offsets[i] + host_item_counts_.data()[i];
  }
  return offsets;
}

void MatchRun::fetch_docids(std::uint64_t docid_bytes, const MatchSink& sink) {
  const std::vector<std::uint64_t> offsets = docid_offsets();
  if (offsets.back() == 0) return;
  check(cudaMemcpyAsync(at_least(offsets_, offsets.size()), offsets.data(),
                        offsets.size() * sizeof(std::uint64_t), cudaMemcpyHostToDevice, stream_),
        "cudaMemcpyAsync to the device");
  const std::uint64_t most = docid_bytes / sizeof(std::uint32_t);
  for (Items part{0, 0}; part.first < batch_->items(); part.first = part.last) {
    // The longest run of items that have no more than `most` docids together, or one item.
    const auto begin = offsets.begin() + static_cast<std::ptrdiff_t>(part.first);
    const auto end = std::upper_bound(begin, offsets.end(), *begin + most);
    part.last = std::max(part.first + 1, static_cast<std::uint64_t>(end - offsets.begin()) - 1);
    if (offsets[part.first] == offsets[part.last]) continue;
    throw_if_stopped(sink.stop);
    fetch_part(offsets, part);
    append_part(offsets, part, sink);
  }
  finished_.record(stream_);
  stream_.wait();
}

/// Has the docids of some items written, and copies them to the host.
void MatchRun::fetch_part(std::span<const std::uint64_t> offsets, Items part) {
  const std::uint64_t total = offsets[part.last] - offsets[part.first];
  std::uint32_t* const docids = at_least(docids_, total);
  for_each_launch([&](MatchView& view, const MatchLaunch& launch) {
    const std::uint64_t end = launch.first_item + std::uint64_t{launch.windows} * launch.queries;
    view.items_begin = std::max(part.first, launch.first_item);
    view.items_end = std::min(part.last, end);
    if (view.items_begin >= view.items_end) return;
    view.item_counts = nullptr;
    view.docid_offsets = offsets_.data();
    view.first_offset = offsets[part.first];
    view.docids = docids;
    launch_matching(view, stream_);
  });
  fetch(at_least(host_docids_, total), docids, total, stream_);
  fetch(host_tiles_.data(), tiles_, 1, stream_);
  stream_.wait();
}

void MatchRun::append_part(std::span<const std::uint64_t> offsets, Items part,
                           const MatchSink& sink) const {
  const std::uint32_t* const fetched = host_docids_.data();
  for (const MatchLaunch& launch : batch_->launches()) {
    for (std::uint32_t q = 0; q < launch.queries; ++q) {
      const std::uint64_t item = launch.first_item + std::uint64_t{q} * launch.windows;
      const std::uint64_t first = std::max(item, part.first);
      const std::uint64_t last = std::min(item + launch.windows, part.last);
      if (first >= last) continue;
      std::vector<std::uint32_t>& docids =
          sink.results[batch_->plans()[launch.first_query + q]].docids;
      std::transform(fetched + (offsets[first] - offsets[part.first]),
                     fetched + (offsets[last] - offsets[part.first]), std::back_inserter(docids),
                     [&](std::uint32_t docid) { return docid + sink.docid_base; });
    }
  }
}

void MatchRun::abandon() noexcept {
  batch_ = nullptr;
  if (std::exchange(queued_, false)) codecs::cuda::drain(stream_);
}

}  // namespace gannet::query::cuda
