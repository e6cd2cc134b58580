// The ranked search by windows in one segment, by the kernel on the host, in poisoned memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "query/gpu/device/kernels/ranked/rank_window.cuh"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/ranked/rank_batch.hpp"
#include "query/gpu/plan/views.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/simt/pruned/match_operand.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"

namespace gannet::query::cuda {

/// How a test has plans searched.
struct RankWay {
  std::uint32_t least_bitmap = ~0u;  ///< lists of so many postings have a bitmap
  bool guards = true;
  bool use_bounds = true;
  bool tile_bounds = true;  ///< whether lists have bounds of their tiles
  std::uint32_t blocks = 3;
  std::uint32_t shared_bytes = 227 << 10;  ///< with less, windows are smaller
  std::uint64_t seed = 0;                  ///< of the order of threads
};

/// What the searches have used, so that a test can tell that it has tested them.
struct RankSeen {
  std::uint64_t by_score = 0, by_row = 0, masked = 0, guarded = 0, items = 0, tiles = 0;
  std::uint64_t words = 0;  ///< lists of words that are in several texts
  std::uint32_t rows = 0;
};

/// One segment, in which plans are searched as RankCall and RankRun do.
class SegmentRanking {
 public:
  using Words = std::vector<std::uint64_t>;
  /// The documents of the segment that pass a filter, as a bitmap. With `live`: that are not
  /// deleted, if the search is without deleted ones.
  using Passing = std::function<Words(const Filter&, bool live)>;

  SegmentRanking(const index::Index& index, std::size_t number, bool filters_all,
                 const Passing& passing, const RankWay& way)
      : segment_(*index.segments()[number]),
        base_(index.docid_base(number)),
        number_(number),
        filters_all_(filters_all),
        passing_(passing),
        way_(way),
        copy_(segment_) {}

  /// Merges the hits of the plans here, best first.
  template <class Tiles, class Codecs, class Scores>
  void run(std::span<const Plan> plans, std::span<std::vector<std::uint64_t>> hits,
           RankSeen& seen) {
    std::vector<RankSlice> slices((plans.size() + kSlice - 1) / kSlice);
    for (std::size_t i = 0; i < plans.size(); ++i) add(plans[i], i, slices[i / kSlice]);
    const RankBatch batch(slices, {copy_.view.documents, way_.blocks, 1u << 20, way_.shared_bytes});
    if (batch.plans().empty()) return;
    fill(batch);
    for (std::size_t q = 0; q < batch.plans().size(); ++q) {
      const auto& found = hits[batch.plans()[q]];
      const std::uint32_t k = plans[batch.plans()[q]].k();
      thresholds_[q] = found.size() < k ? 0 : found[k - 1] + base_;
    }
    for (std::size_t i = 0; i < batch.launches().size(); ++i) {
      search<Tiles, Codecs, Scores>(batch, i);
    }
    for (std::size_t q = 0; q < batch.plans().size(); ++q) {
      merge(queries_[q], finalist_counts_[q], plans[batch.plans()[q]].k(), hits[batch.plans()[q]]);
    }
    note(batch, seen);
  }

 private:
  static constexpr std::size_t kSlice = 7;
  static constexpr int kPoison = 0xab;

  void add(const Plan& plan, std::size_t number, RankSlice& slice) {
    const auto ids = plan.binding().ids(number_);
    if (plan.expression().empty() || !plan.can_match(ids)) return;
    std::vector<char> scores = scoring_terms(plan);
    std::vector<RankOperand> scored(ids.size());
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] == kNoTerm) scores[t] = 0;
      if (scores[t] != 0) scored[t] = scored_list(ids[t], plan.terms()[t].field);
    }
    const bool by_score = scores_decide(plan, scores);
    std::vector<MatchOperand> operands;
    std::vector<std::uint32_t> ends;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] != kNoTerm && !(by_score && scores[t] != 0)) operands.push_back(operand(ids[t]));
      ends.push_back(static_cast<std::uint32_t>(operands.size()));
    }
    std::vector<const std::uint64_t*> predicates;
    for (const Filter& predicate : plan.predicates()) {
      predicates.push_back(bitmaps_.emplace_back(passing_(predicate, false)).data());
    }
    MatchRequest request{&plan, operands, ends, predicates};
    request.guards = way_.guards;
    if (filters_all_ || !plan.filter().is_all()) {
      const Words& words = bitmaps_.emplace_back(passing_(plan.filter(), true));
      request.filter = words.data();
      for (const std::uint64_t word : words) {
        request.passing += static_cast<std::uint64_t>(std::popcount(word));
      }
      if (request.passing == 0) return;
    }
    if (compiler_.add({&plan, scored, by_score, copy_.view.documents, base_}, request,
                      slice.tables)) {
      slice.plans.push_back(number);
    }
  }

  RankOperand scored_list(index::TermId id, std::uint32_t text) const {
    const DeviceList& list = copy_.lists.table[id];
    RankOperand made{list_location(copy_.view, list), copy_.view.lengths + copy_.texts.of(text)};
    if (!way_.tile_bounds) return made;
    made.max_freqs = copy_.view.max_freqs + list.first_tile;
    made.min_lengths = copy_.view.min_lengths + list.first_tile;
    return made;
  }

  MatchOperand operand(index::TermId id) {
    return match_operand(copy_, segment_, id, way_.least_bitmap, bitmaps_);
  }

  template <class T>
  static T* poisoned(std::vector<T>& values, std::size_t size) {
    values.resize(size);
    if (size > 0) std::memset(static_cast<void*>(values.data()), kPoison, size * sizeof(T));
    return values.data();
  }

  void fill(const RankBatch& batch) {
    const RankSizes& sizes = batch.sizes();
    const RankPlaces places{
        {poisoned(match_queries_, sizes.match.queries), poisoned(steps_, sizes.match.steps),
         poisoned(match_lists_, sizes.match.lists), poisoned(nodes_, sizes.match.nodes),
         poisoned(pointers_, sizes.match.bitmaps)},
        poisoned(queries_, sizes.match.queries),
        poisoned(lists_, sizes.lists),
        poisoned(selections_, sizes.match.queries)};
    for (std::size_t i = 0; i < batch.slices(); ++i) batch.fill(i, places);
    items_.assign(batch.items().begin(), batch.items().end());
    thresholds_.assign(sizes.match.queries, 0);
    finalist_counts_.assign(sizes.match.queries, 0);
    tiles_ = 0;
    view_ = {};
    view_.match.index = copy_.view;
    view_.match.queries = match_queries_.data();
    view_.match.steps = steps_.data();
    view_.match.lists = match_lists_.data();
    view_.match.nodes = nodes_.data();
    view_.match.bitmaps = pointers_.data();
    view_.match.tiles_decoded = &tiles_;
    view_.queries = queries_.data();
    view_.lists = lists_.data();
    view_.items = items_.data();
    view_.use_bounds = way_.use_bounds ? 1 : 0;
    view_.thresholds = thresholds_.data();
    view_.capacity = batch.capacity();
    view_.candidates = poisoned(candidates_, way_.blocks * batch.capacity());
    view_.most_lists = sizes.most_lists;
    view_.cursors = poisoned(cursors_, std::size_t{way_.blocks} * sizes.most_lists);
    view_.blocks = way_.blocks;
    view_.finalists = poisoned(finalists_, batch.finalists());
    view_.finalist_counts = finalist_counts_.data();
  }

  template <class Tiles, class Codecs, class Scores>
  void search(const RankBatch& batch, std::size_t number) {
    const RankLaunch& launch = batch.launches()[number];
    ASSERT_EQ(launch.kind.words, Scores::kWords);
    std::uint32_t head = launch.items_begin;
    RankView view = view_;
    view.match.rows = launch.rows;
    view.match.words = launch.words;
    view.items_begin = launch.items_begin;
    view.items_end = launch.items_end;
    view.next = &head;
    simt::launch({.grid = {std::min(way_.blocks, launch.items_end - launch.items_begin), 1, 1},
                  .block = {kRankThreads, 1, 1},
                  .shared_bytes = rank_bytes(Scores::kWords, launch.rows, launch.words),
                  .seed = way_.seed},
                 rank_kernel<Tiles, Codecs, Scores>, view);
  }

  void merge(const RankQuery& query, std::uint32_t count, std::uint32_t k,
             std::vector<std::uint64_t>& hits) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      hits.push_back(finalists_[query.first_finalist + i] - base_);
    }
    std::ranges::sort(hits, std::greater<>());
    hits.resize(std::min<std::size_t>(hits.size(), k));
  }

  void note(const RankBatch& batch, RankSeen& seen) const {
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      EXPECT_LE(finalist_counts_[q], selections_[q].capacity);
      ++(queries_[q].by_score != 0 ? seen.by_score : seen.by_row);
      seen.masked += queries_[q].may_row != kNone && queries_[q].by_score != 0 ? 1 : 0;
      seen.rows = std::max(seen.rows, match_queries_[q].rows);
    }
    for (const MatchStep& step : steps_) seen.guarded += step.guarded;
    for (const RankList& list : lists_) seen.words += list.alone == 0 ? 1 : 0;
    seen.items += batch.items().size();
    seen.tiles += tiles_;
  }

  const index::Segment& segment_;
  const index::Docid base_;
  const std::size_t number_;
  const bool filters_all_;
  const Passing& passing_;
  const RankWay way_;
  SegmentCopy copy_;
  RankCompiler compiler_;
  std::deque<Words> bitmaps_;
  std::vector<MatchQuery> match_queries_;
  std::vector<MatchStep> steps_;
  std::vector<MatchList> match_lists_;
  std::vector<Node> nodes_;
  std::vector<const std::uint64_t*> pointers_;
  std::vector<RankQuery> queries_;
  std::vector<RankList> lists_;
  std::vector<SelectQuery> selections_;
  std::vector<RankItem> items_;
  std::vector<std::uint64_t> thresholds_, candidates_, finalists_;
  std::vector<std::uint32_t> finalist_counts_;
  std::vector<RankCursor> cursors_;
  unsigned long long tiles_ = 0;
  RankView view_{};
};

}  // namespace gannet::query::cuda
