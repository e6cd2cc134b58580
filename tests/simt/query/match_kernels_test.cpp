// The kernel of counts and docids, thread for thread on the host, against brute force: random plans
// with filters, predicates and deletions, with and without bitmaps of lists, in windows of all
// sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <span>
#include <vector>

#include "query/gpu/device/kernels/matching/match_window.cuh"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/matching/match_batch.hpp"
#include "query/gpu/plan/views.hpp"
#include "tests/support/query/random_matches.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/simt/pruned/match_operand.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"

namespace gannet::query::cuda {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint32_t kPoison = 0xabababab;

struct Way {
  std::uint32_t least_bitmap;  ///< lists of so many postings have a bitmap
  bool guards;
  std::uint32_t blocks;  ///< the more, the smaller are windows
  std::uint64_t seed;    ///< of the order of threads
};

/// What the steps of all plans have used, so that a test can tell that it has tested them.
struct Seen {
  std::uint64_t known = 0, guarded = 0, saved = 0, bitmaps = 0;
  std::uint32_t rows = 0;
};

/// One segment, in which plans are matched as MatchCall and MatchRun do.
class SegmentMatching {
 public:
  SegmentMatching(const test::MatchCase& matches, std::size_t segment, bool live, const Way& way)
      : matches_(matches),
        segment_(*matches.index()->segments()[segment]),
        base_(matches.index()->docid_base(segment)),
        number_(segment),
        live_(live),
        way_(way),
        copy_(segment_) {}

  /// Appends what the plans match here.
  void run(std::span<const Plan> plans, std::span<std::uint64_t> counts,
           std::span<std::vector<index::Docid>> docids, Seen& seen) {
    std::vector<MatchSlice> slices((plans.size() + kSlice - 1) / kSlice);
    for (std::size_t i = 0; i < plans.size(); ++i) add(plans[i], i, slices[i / kSlice]);
    const MatchBatch batch(slices, copy_.view.documents, way_.blocks);
    for (const MatchSlice& slice : slices) {
      for (const auto& [plan, count] : slice.known) counts[plan] += count;
      seen.known += static_cast<std::uint64_t>(
          std::ranges::count_if(slice.known, [](const auto& one) { return one.second > 0; }));
      for (const MatchQuery& query : slice.tables.queries)
        seen.rows = std::max(seen.rows, query.rows);
      seen.bitmaps += slice.tables.bitmaps.size();
      for (const MatchStep& step : slice.tables.steps) {
        seen.guarded += step.guarded;
        seen.saved += step.to != kNone ? 1 : 0;
      }
    }
    fill(batch);
    count(batch, counts);
    fetch(batch, docids);
  }

  std::uint64_t tiles() const { return tiles_; }

 private:
  static constexpr std::size_t kSlice = 7;

  void add(const Plan& plan, std::size_t number, MatchSlice& slice) {
    std::vector<MatchOperand> operands;
    std::vector<std::uint32_t> ends;
    const TermBinding& binding = plan.binding();
    for (const index::TermId id : binding.ids(number_)) {
      if (id != kNoTerm) operands.push_back(operand(id));
      ends.push_back(static_cast<std::uint32_t>(operands.size()));
    }
    std::vector<const std::uint64_t*> predicates;
    for (const Filter& predicate : plan.predicates()) {
      predicates.push_back(passing(predicate, false).data());
    }
    MatchRequest request{&plan, operands, ends, predicates};
    request.guards = way_.guards;
    if (live_ || !plan.filter().is_all()) {
      const Words& words = passing(plan.filter(), live_);
      request.filter = words.data();
      for (const std::uint64_t word : words) {
        request.passing += static_cast<std::uint64_t>(std::popcount(word));
      }
    }
    if (const auto known = compiler_.add(request, slice.tables)) {
      slice.known.emplace_back(number, *known);
    } else {
      slice.plans.push_back(number);
    }
  }

  MatchOperand operand(index::TermId id) {
    return match_operand(copy_, segment_, id, way_.least_bitmap, bitmaps_);
  }

  const Words& passing(const Filter& filter, bool live) {
    Words& words = bitmaps_.emplace_back(bitmap_room(copy_.view.documents));
    for (std::uint32_t d = 0; d < copy_.view.documents; ++d) {
      const bool gone = live && matches_.gone()[base_ + d];
      if (!gone && matches_.oracle().passes(filter, base_ + d)) {
        words[d / 64] |= std::uint64_t{1} << d % 64;
      }
    }
    return words;
  }

  void fill(const MatchBatch& batch) {
    const MatchSizes& sizes = batch.sizes();
    queries_.resize(sizes.queries);
    steps_.resize(sizes.steps);
    lists_.resize(sizes.lists);
    nodes_.resize(sizes.nodes);
    pointers_.resize(sizes.bitmaps);
    for (std::size_t i = 0; i < batch.slices(); ++i) {
      batch.fill(i,
                 {queries_.data(), steps_.data(), lists_.data(), nodes_.data(), pointers_.data()});
    }
    view_.index = copy_.view;
    view_.queries = queries_.data();
    view_.steps = steps_.data();
    view_.lists = lists_.data();
    view_.nodes = nodes_.data();
    view_.bitmaps = pointers_.data();
    view_.tiles_decoded = &tiles_;
  }

  void launch(const MatchView& view, std::uint64_t items) const {
    if (items == 0) return;
    simt::launch({.grid = {static_cast<unsigned>(items), 1, 1},
                  .block = {tuning::kMatchThreads, 1, 1},
                  .shared_bytes = std::size_t{view.rows} * view.words * 8,
                  .seed = way_.seed},
                 match_kernel<codecs::TileCodecs>, view);
  }

  static MatchView part(MatchView view, const MatchLaunch& launch) {
    view.first_query = launch.first_query;
    view.query_count = launch.queries;
    view.rows = launch.rows;
    view.words = launch.words;
    view.windows = launch.windows;
    view.first_item = launch.first_item;
    return view;
  }

  void count(const MatchBatch& batch, std::span<std::uint64_t> counts) {
    std::vector<unsigned long long> found(batch.sizes().queries);
    items_.assign(batch.items(), 0);
    view_.counts = found.data();
    view_.item_counts = items_.data();
    for (const MatchLaunch& each : batch.launches()) {
      launch(part(view_, each), std::uint64_t{each.queries} * each.windows);
    }
    for (std::size_t q = 0; q < found.size(); ++q) counts[batch.plans()[q]] += found[q];
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0ull),
              std::accumulate(items_.begin(), items_.end(), 0ull));
  }

  /// In two parts, which end within a launch.
  void fetch(const MatchBatch& batch, std::span<std::vector<index::Docid>> docids) {
    std::vector<std::uint64_t> offsets(batch.items() + 1, 0);
    std::partial_sum(items_.begin(), items_.end(), offsets.begin() + 1);
    std::vector<std::uint32_t> found(offsets.back(), kPoison);
    const std::uint64_t cut = batch.items() / 3;
    MatchView view = view_;
    view.counts = nullptr;
    view.item_counts = nullptr;
    view.docid_offsets = offsets.data();
    for (const auto& [begin, end] : {std::pair{std::uint64_t{0}, cut}, {cut, batch.items()}}) {
      view.first_offset = offsets[begin];
      view.docids = found.data() + offsets[begin];
      for (const MatchLaunch& each : batch.launches()) {
        MatchView some = part(view, each);
        some.items_begin = std::max(begin, each.first_item);
        some.items_end =
            std::min(end, each.first_item + std::uint64_t{each.queries} * each.windows);
        if (some.items_begin < some.items_end) launch(some, some.items_end - some.items_begin);
      }
    }
    for (const MatchLaunch& each : batch.launches()) {
      for (std::uint32_t q = 0; q < each.queries; ++q) {
        const std::uint64_t item = each.first_item + std::uint64_t{q} * each.windows;
        auto& to = docids[batch.plans()[each.first_query + q]];
        for (std::uint64_t i = offsets[item]; i < offsets[item + each.windows]; ++i) {
          to.push_back(base_ + found[i]);
        }
      }
    }
  }

  const test::MatchCase& matches_;
  const index::Segment& segment_;
  const index::Docid base_;
  const std::size_t number_;
  const bool live_;
  const Way way_;
  SegmentCopy copy_;
  MatchCompiler compiler_;
  std::deque<Words> bitmaps_;
  std::vector<MatchQuery> queries_;
  std::vector<MatchStep> steps_;
  std::vector<MatchList> lists_;
  std::vector<Node> nodes_;
  std::vector<const std::uint64_t*> pointers_;
  std::vector<std::uint32_t> items_;
  unsigned long long tiles_ = 0;
  MatchView view_{};
};

Seen expect_matches(const test::MatchCase& matches, bool live, const Way& way) {
  std::vector<Plan> plans = matches.plans(false);
  for (Plan& plan : plans) plan.bind(*matches.index());
  std::vector<std::uint64_t> counts(plans.size());
  std::vector<std::vector<index::Docid>> docids(plans.size());
  Seen seen;
  for (std::size_t s = 0; s < matches.index()->segments().size(); ++s) {
    SegmentMatching(matches, s, live, way).run(plans, counts, docids, seen);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::vector<index::Docid> expected = matches.matches(i, live);
    EXPECT_EQ(counts[i], expected.size()) << to_string(plans[i]);
    // Of counts, the number in some segments is known without a search.
    if (plans[i].want() == Want::kDocids) {
      EXPECT_EQ(docids[i], expected) << to_string(plans[i]);
    }
    if (testing::Test::HasFailure()) return seen;
  }
  return seen;
}

TEST(MatchKernels, OfSmallSegments) {
  const test::MatchCase matches(
      {.documents = 900, .terms = 60, .ends = {1, 64, 65, 400, 900}, .plans = 24, .seed = 4});
  for (const bool live : {false, true}) {
    SCOPED_TRACE(live);
    const Seen none = expect_matches(matches, live, {~0u, true, 1, 0});
    EXPECT_GT(none.guarded, 0u);
    EXPECT_EQ(none.known > 0, !live) << "deletions are a filter";
    const Seen all = expect_matches(matches, live, {0, true, 1, 1});
    EXPECT_GT(all.bitmaps, none.bitmaps);
    expect_matches(matches, live, {40, true, 1, 2});
    const Seen reference = expect_matches(matches, live, {~0u, false, 1, 3});
    EXPECT_EQ(reference.guarded + reference.saved, 0u);
  }
}

TEST(MatchKernels, OfManyTerms) {
  const test::MatchCase matches(
      {.documents = 6000, .terms = 210, .ends = {4097, 6000}, .plans = 40, .seed = 5});
  expect_matches(matches, false, {~0u, false, 1, 4});
  expect_matches(matches, true, {1500, true, 10'000, 5});
}

/// More rows than a window has: parts of the expression are steps of their own.
TEST(MatchKernels, OfMoreRowsThanAWindowHas) {
  const test::MatchCase matches(
      {.documents = 700, .terms = 110, .ends = {700}, .plans = 0, .seed = 8});
  const Searcher cpu(matches.index(), {.backend = BackendChoice::kCpu});
  std::vector<Plan> plans;
  for (const int terms : {30, 110}) {
    for (const bool any : {false, true}) {
      std::string text;
      for (int t = 0; t < terms; t += 2) {
        if (t > 0) text += any ? " OR " : " AND ";
        text += "(t" + std::to_string(t) + (any ? " AND NOT t" : " OR NOT t") +
                std::to_string(t + 1) + ")";
      }
      plans.push_back(cpu.plan({.text = text, .want = Want::kDocids}));
    }
  }
  const Results expected = cpu.search(plans, nullptr, {.exhaustive = true});
  for (const bool guards : {false, true}) {
    std::vector<std::uint64_t> counts(plans.size());
    std::vector<std::vector<index::Docid>> docids(plans.size());
    Seen seen;
    SegmentMatching(matches, 0, false, {~0u, guards, 1, 9}).run(plans, counts, docids, seen);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      EXPECT_EQ(counts[i], expected[i].count);
      EXPECT_TRUE(std::ranges::equal(docids[i], expected[i].docids));
    }
    EXPECT_GT(seen.saved, 10u);
    EXPECT_GT(seen.rows, 8u);
    EXPECT_LE(seen.rows, tuning::kMaxMatchRows);
  }
}

TEST(MatchKernels, OfSeveralWindows) {
  const test::MatchCase matches(
      {.documents = 140'000, .terms = 24, .ends = {131'073, 140'000}, .plans = 8, .seed = 6});
  expect_matches(matches, false, {10'000, true, 1, 6});
  expect_matches(matches, true, {~0u, true, 10'000, 7});
}

}  // namespace
}  // namespace gannet::query::cuda
