// The kernels of the pruned search where BM25F scores words over several texts.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/simt/pruned/pruned_kernels.hpp"

namespace gannet::query::cuda {
namespace {

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

class PrunedWords : public PrunedKernels {
 protected:
  void open_texts(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
    directory_ = std::make_unique<test::TemporaryDirectory>();
    const auto documents = test::random_texts(ends.back(), fields, seed, 't');
    search_in(
        test::build_texts(directory_->path(), documents, test::plain_texts_schema(fields), ends));
  }

  static ScorerSpec bm25f(const char* parameters = "") {
    return parse_scorer("bm25f", parameters, {});
  }

  /// Of every shape; some with words whose terms stand apart, or that share terms.
  std::vector<Plan> plans(unsigned seed, std::size_t number, const ScorerSpec& scorer,
                          const std::vector<SearchField>& fields = {}) const {
    std::vector<Plan> all =
        test::Queries(seed).plans(*searcher_, number, {1, 10, 100}, scorer, fields);
    for (const char* const text : {"t1-t2 t4", "t3 f0:t3^2 contents:t3", "+t2-t5 -t1", "f0:t6",
                                   "+t1 +f0:t1 t7^0", "t1 t1 t2^0.01"}) {
      all.push_back(searcher_->plan(
          {.text = text, .search_fields = fields, .k = 1 + seed % 7, .scorer = scorer}));
    }
    return all;
  }

  /// By kernels of gpu-bp128 and of other codecs.
  PrunedCounters expect_both(std::span<const Plan> plans, std::uint32_t least_count) {
    expect_exact<Any, WordScorers>(plans.last(8), least_count, 1);
    return expect_exact<Packed, WordScorers>(plans, least_count, 0);
  }
};

TEST_F(PrunedWords, GetTheScoresOfTheirSums) {
  open_texts(2, 2, {200, 264, 700});
  unsigned seed = 0;
  for (const char* const parameters :
       {"f0.b=0.9,f1.b=0,contents.b=0.3", "k1=0", "k1=3,b=1,f0.weight=5,contents.weight=0.1"}) {
    const std::uint32_t least_count = seed % 3 == 0 ? 0u : seed % 3 == 1 ? 100u : 0xffffffffu;
    SCOPED_TRACE(testing::Message() << parameters << ' ' << least_count);
    const PrunedCounters counters = expect_both(plans(++seed, 7, bm25f(parameters)), least_count);
    EXPECT_GT(counters.documents, 0u);
  }
}

TEST_F(PrunedWords, OfFourTextsWithWeightsOfTheirOwn) {
  open_texts(3, 3, {200, 600});
  const std::vector<SearchField> fields{{"contents", 1}, {"f0", 10}, {"f1", 0.1f}, {"f2", 3}};
  // Statistics of lists are of the weights 1, and of the scorer's.
  expect_both(plans(21, 7, bm25f(), fields), 0);
  expect_both(plans(22, 7, bm25f("f0.weight=10,f1.weight=0.1,f1.b=0.9")), 100);
}

TEST_F(PrunedWords, OfOneTextAsBm25Does) {
  open_texts(1, 4, {500});
  for (const std::vector<SearchField>& fields :
       {std::vector<SearchField>{{"contents", 1}}, {{"contents", 3}}}) {
    expect_both(plans(23, 5, bm25f(), fields), 100);
  }
  const auto searched = plans(24, 10, bm25f(), {{"contents", 1}});
  expect_exact<Packed, UsualScorers>(searched, 100, 0, PrunedPath::kWindows);
}

TEST_F(PrunedWords, OfDocumentsThatPassAFilter) {
  open_texts(1, 5, {300, 900});
  const auto searched = plans(25, 3, bm25f("f0.weight=2"));
  for (const auto& [of, run] : {std::pair{2u, 1u}, {20u, 300u}}) {
    filter(of + run, of, run);
    for (const bool of_what_passes : {false, true}) {
      bounds_of_what_passes_ = of_what_passes;
      expect_exact<Packed, WordScorers>(searched, 100, 0);
    }
  }
}

TEST_F(PrunedWords, LaterPages) {
  open_texts(1, 8, {300, 900});
  expect_exact<Packed, WordScorers>(test::pages_of(*searcher_, plans(4, 8, bm25f()), 5), 100, 0);
}

TEST_F(PrunedWords, InAnyOrderOfThreads) {
  open_texts(1, 9, {400});
  for (const std::uint64_t seed : {1u, 2u}) {
    expect_exact<Packed, WordScorers>(plans(30, 3, bm25f()), 100, seed);
  }
}

/// A document is looked at only if one of its texts has each word; and of an OR, only if its bounds
/// reach the threshold.
TEST_F(PrunedWords, RuleOutRangesAndDocuments) {
  open_texts(1, 10, {3000});
  for (const Mode mode : {Mode::kAnd, Mode::kOr}) {
    std::vector<Plan> searched;
    std::uint64_t matches = 0;
    for (std::uint32_t t = 6; t + 1 < test::kTerms; ++t) {
      Query query{.mode = mode, .k = 3, .scorer = bm25f("f0.weight=2")};
      for (const std::uint32_t word : {t, t + 1}) query.text += " t" + std::to_string(word);
      searched.push_back(searcher_->plan(query));
      query.want = Want::kCount;
      matches += searcher_->search(query).count;
    }
    const PrunedCounters counters = expect_exact<Packed, WordScorers>(searched, 0, 0);
    EXPECT_GT(counters.documents, 0u);
    EXPECT_LT(counters.documents, mode == Mode::kAnd ? matches : matches / 4);
  }
}

}  // namespace
}  // namespace gannet::query::cuda
