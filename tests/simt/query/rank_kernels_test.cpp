// The ranked search by windows, thread for thread on the host, against the CPU's exhaustive search:
// random plans with filters, predicates and deletions, all scorers, several segments, and words
// over several texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "query/searcher.hpp"
#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/random_matches.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/simt/ranked/segment_ranking.hpp"

namespace gannet::query::cuda {
namespace {

using AnyCodecs = codecs::TileCodecs;
using Hits = std::vector<std::vector<std::uint64_t>>;

void expect_hits(const Plan& plan, const std::vector<std::uint64_t>& keys,
                 const ResultView& expected) {
  std::vector<std::uint64_t> wanted;
  for (const Hit& hit : expected.hits()) {
    wanted.push_back(rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid));
  }
  ASSERT_EQ(keys, wanted) << to_string(plan);
}

/// The plans of a case, as searches for 1, 10 or 1,000 hits.
std::vector<Plan> ranked_plans(const test::MatchCase& matches, bool live) {
  constexpr std::array<std::uint32_t, 4> kHits{10, 1, 1000, 100};
  std::vector<Plan> plans = matches.plans(live);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i] = plans[i].with_want(Want::kTopK).with_k(kHits[i % kHits.size()]);
    plans[i].bind(*matches.index());
  }
  return plans;
}

RankSeen expect_best(const test::MatchCase& matches, bool live, const RankWay& way) {
  const index::Index& index = *matches.index();
  const std::vector<Plan> plans = ranked_plans(matches, false);
  const Searcher cpu(live ? matches.deleted() : matches.index(), {.backend = BackendChoice::kCpu});
  const Results expected =
      cpu.search(ranked_plans(matches, live), nullptr, {.stop = {}, .exhaustive = true});
  Hits hits(plans.size());
  RankSeen seen;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const std::uint32_t base = index.docid_base(s);
    const auto documents = static_cast<std::uint32_t>(index.segments()[s]->statistics().documents);
    const auto passing = [&](const Filter& filter, bool is_filter) {
      SegmentRanking::Words words(bitmap_room(documents));
      for (std::uint32_t d = 0; d < documents; ++d) {
        if (is_filter && live && matches.gone()[base + d]) continue;
        if (matches.oracle().passes(filter, base + d)) words[d / 64] |= std::uint64_t{1} << d % 64;
      }
      return words;
    };
    SegmentRanking(index, s, live, passing, way)
        .run<AnyTiles<AnyCodecs>, AnyCodecs, TermListScores<AllScorers>>(plans, hits, seen);
  }
  for (std::size_t i = 0; i < plans.size(); ++i) {
    expect_hits(plans[i], hits[i], expected[i]);
    if (testing::Test::HasFailure()) break;
  }
  return seen;
}

TEST(RankKernels, OfSmallSegments) {
  const test::MatchCase matches(
      {.documents = 900, .terms = 60, .ends = {1, 64, 65, 400, 900}, .plans = 40, .seed = 4});
  for (const bool live : {false, true}) {
    SCOPED_TRACE(live);
    const RankSeen seen = expect_best(matches, live, {.seed = 0});
    EXPECT_GT(seen.by_score, 0u);
    EXPECT_GT(seen.by_row, 0u);
    EXPECT_GT(seen.masked, 0u);
    EXPECT_GT(seen.guarded, 0u);
    expect_best(matches, live, {.least_bitmap = 0, .seed = 1});
    expect_best(matches, live, {.guards = false, .use_bounds = false, .seed = 2});
  }
}

TEST(RankKernels, OfManyTerms) {
  const test::MatchCase matches(
      {.documents = 6000, .terms = 210, .ends = {4097, 6000}, .plans = 40, .seed = 5});
  expect_best(matches, false, {.blocks = 2, .shared_bytes = 24 << 10, .seed = 4});
  expect_best(matches, true, {.least_bitmap = 1500, .tile_bounds = false, .seed = 5});
}

TEST(RankKernels, OfSeveralWindows) {
  const test::MatchCase matches(
      {.documents = 40'000, .terms = 24, .ends = {36'865, 40'000}, .plans = 12, .seed = 6});
  // Windows of 4,096 documents, and of 16,384.
  const RankSeen small = expect_best(
      matches, false, {.least_bitmap = 10'000, .blocks = 5, .shared_bytes = 30 << 10, .seed = 6});
  EXPECT_GT(small.items, 24u) << "plans were cut";
  expect_best(matches, true, {.seed = 7});
}

/// Windows are left out by bounds, with the same hits.
TEST(RankKernels, LeaveOutWindowsThatCannotReachTheThreshold) {
  const test::MatchCase matches(
      {.documents = 40'000, .terms = 24, .ends = {40'000}, .plans = 8, .seed = 7});
  const RankWay way{.blocks = 1, .shared_bytes = 24 << 10};
  const RankSeen all =
      expect_best(matches, false, {.use_bounds = false, .blocks = 1, .shared_bytes = 24 << 10});
  const RankSeen some = expect_best(matches, false, way);
  EXPECT_LT(some.tiles, all.tiles);
}

TEST(RankKernels, OfAllScorers) {
  unsigned seed = 20;
  for (const ScorerInfo& scorer : all_scorers()) {
    SCOPED_TRACE(scorer.name);
    const test::MatchCase matches({.documents = 5000,
                                   .terms = 40,
                                   .ends = {4200, 5000},
                                   .plans = 16,
                                   .seed = ++seed,
                                   .scorer = standard_scorer(scorer.id)});
    expect_best(matches, seed % 2 == 0, {.shared_bytes = 24 << 10, .seed = seed});
  }
}

/// Indexes with text fields, whose lists are packed as they usually are.
class RankTextKernels : public testing::Test {
 protected:
  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
    index_ = test::build_texts(directory_.path() / std::to_string(seed),
                               test::random_texts(ends.back(), fields, seed, 't'),
                               test::plain_texts_schema(fields), ends);
    searcher_ = std::make_unique<Searcher>(index_, SearcherOptions{.backend = BackendChoice::kCpu});
  }

  std::vector<Plan> plans(unsigned seed, std::size_t number, const ScorerSpec& scorer,
                          const std::vector<SearchField>& fields = {}) const {
    std::vector<Plan> all =
        test::Queries(seed).plans(*searcher_, number, {1, 10, 1000}, scorer, fields);
    for (const char* const text : {"t1-t2 t4", "t3 f0:t3^2 contents:t3", "+t2-t5 -t1", "f0:t6",
                                   "+t1 +f0:t1 t7^0", "t1 t1 t2^0.01", "NOT t3", "t2 OR NOT t1"}) {
      all.push_back(searcher_->plan(
          {.text = text, .search_fields = fields, .k = 1 + seed % 7, .scorer = scorer}));
    }
    std::string many;
    for (std::uint32_t t = 0; t < test::kTerms; ++t) many += " t" + std::to_string(t);
    all.push_back(searcher_->plan({.text = many, .search_fields = fields, .scorer = scorer}));
    return all;
  }

  /// Plans with words are searched by their own kernel.
  template <class Tiles, class Codecs, class Scorers>
  RankSeen expect_best(std::span<const Plan> plans, const RankWay& way) const {
    std::vector<Plan> words, terms;
    for (const Plan& plan : plans) (plan.words().empty() ? terms : words).push_back(plan);
    RankSeen seen;
    expect_best<Tiles, Codecs, WordListScores>(words, way, seen);
    expect_best<Tiles, Codecs, TermListScores<Scorers>>(terms, way, seen);
    return seen;
  }

  template <class Tiles, class Codecs, class Scores>
  void expect_best(std::span<const Plan> plans, const RankWay& way, RankSeen& seen) const {
    const Results expected = searcher_->search(plans, nullptr, {.stop = {}, .exhaustive = true});
    const SegmentRanking::Passing none = [](const Filter&, bool) {
      return SegmentRanking::Words{};
    };
    Hits hits(plans.size());
    for (std::size_t s = 0; s < index_->segments().size(); ++s) {
      SegmentRanking(*index_, s, false, none, way).run<Tiles, Codecs, Scores>(plans, hits, seen);
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
      expect_hits(plans[i], hits[i], expected[i]);
      if (testing::Test::HasFailure()) return;
    }
  }

  RankSeen expect_packed(std::span<const Plan> plans, const RankWay& way) const {
    return expect_best<PackedTiles, std::tuple<PackedTiles::Codec>, UsualScorers>(plans, way);
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> searcher_;
};

TEST_F(RankTextKernels, SumsOverTextsWithLengthsOfTheirOwn) {
  open(2, 2, {200, 264, 700});
  const std::vector<SearchField> fields{{"contents", 1}, {"f0", 1}, {"f1", 1}};
  expect_packed(plans(1, 20, standard_scorer(ScorerId::kBm25), fields), {.seed = 1});
  for (const ScorerId scorer : {ScorerId::kDirichlet, ScorerId::kPl2, ScorerId::kDph}) {
    expect_best<AnyTiles<codecs::PostingCodecs>, codecs::PostingCodecs, AllScorers>(
        plans(2, 10, standard_scorer(scorer), fields), {.seed = 2});
  }
}

TEST_F(RankTextKernels, WordsOverSeveralTexts) {
  open(2, 3, {200, 264, 700});
  unsigned seed = 0;
  for (const char* const parameters : {"", "f0.b=0.9,f1.b=0,contents.b=0.3", "k1=0", "k1=3,b=1",
                                       "f0.weight=5,contents.weight=0.1"}) {
    SCOPED_TRACE(parameters);
    const ScorerSpec scorer = parse_scorer("bm25f", parameters, {});
    const RankSeen seen =
        expect_packed(plans(++seed, 10, scorer), {.tile_bounds = seed % 2 == 0, .seed = seed});
    EXPECT_GT(seen.words, 0u);
    EXPECT_GT(seen.by_score, 0u);
    EXPECT_GT(seen.by_row, 0u);
    expect_best<AnyTiles<AnyCodecs>, AnyCodecs, AllScorers>(plans(++seed, 4, scorer), {});
  }
}

TEST_F(RankTextKernels, WordsInSeveralWindowsAndLaterPages) {
  open(1, 4, {3000, 9000});
  const ScorerSpec scorer = parse_scorer("bm25f", "f0.weight=2", {});
  const std::vector<Plan> searched = plans(5, 6, scorer);
  const RankSeen seen = expect_packed(searched, {.blocks = 2, .shared_bytes = 24 << 10, .seed = 3});
  EXPECT_GT(seen.items, searched.size());
  expect_packed(test::pages_of(*searcher_, searched, 6), {});
  const auto sums = plans(6, 6, standard_scorer(ScorerId::kBm25), {{"contents", 1}, {"f0", 2}});
  expect_packed(test::pages_of(*searcher_, sums, 7), {.shared_bytes = 24 << 10});
}

}  // namespace
}  // namespace gannet::query::cuda
