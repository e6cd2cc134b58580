// The kernels of the pruned search where words are searched in several texts, each with lengths and
// statistics of its own.
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/query/pages.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/simt/pruned/pruned_kernels.hpp"

namespace gannet::query::cuda {
namespace {

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

class PrunedTexts : public PrunedKernels {
 protected:
  void open_texts(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends) {
    directory_ = std::make_unique<test::TemporaryDirectory>();
    const auto documents = test::random_texts(ends.back(), fields, seed, 't');
    search_in(
        test::build_texts(directory_->path(), documents, test::plain_texts_schema(fields), ends));
  }

  std::vector<Plan> plans(unsigned seed, std::size_t number, const char* scorer = "bm25") const {
    return test::Queries(seed).plans(*searcher_, number, {1, 10, 100},
                                     parse_scorer(scorer, "", {}));
  }
};

TEST_F(PrunedTexts, AreScoredByTheirOwnLengths) {
  open_texts(2, 2, {300, 364, 1100});
  for (const std::uint32_t least_count : {0u, 100u}) {
    SCOPED_TRACE(least_count);
    const auto searched = plans(least_count, 9);
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(searched, least_count, 0);
    EXPECT_GT(counters.documents, 0u);
    expect_exact<Any, UsualScorers>(std::span(searched).first(5), least_count, 1);
    expect_exact<Packed, UsualScorers>(searched, least_count, 0, PrunedPath::kWindows);
  }
}

/// Kernels of all scorers need more stack than a thread has here.
TEST_F(PrunedTexts, OfOtherScorers) {
  open_texts(1, 7, {700});
  expect_exact<Any, std::tuple<Dirichlet>>(plans(6, 8, "dirichlet"), 100, 0);
  expect_exact<Any, std::tuple<Pl2>>(plans(7, 8, "pl2"), 100, 0);
}

/// A word of an AND is a clause: a document is looked at only if one of its texts has each word.
TEST_F(PrunedTexts, WhatIsLookedAtHasAllWords) {
  open_texts(1, 9, {300, 1100});
  for (const std::uint32_t least_count : {0u, 100u, 0xffffffffu}) {
    SCOPED_TRACE(least_count);
    std::vector<Plan> searched;
    std::uint64_t matches = 0;
    for (std::uint32_t t = 0; t + 2 < test::kTerms; ++t) {
      Query query{.mode = Mode::kAnd, .k = 5};
      for (const std::uint32_t word : {t, t + 1, t + 2}) query.text += " t" + std::to_string(word);
      searched.push_back(searcher_->plan(query));
      query.want = Want::kCount;
      matches += searcher_->search(query).count;
    }
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(searched, least_count, 0);
    EXPECT_GT(counters.documents, 0u);
    EXPECT_LE(counters.documents, matches);
  }
}

/// The texts have a word in every third range alone, the titles have it here and there: many
/// matches are in ranges where only the short list of a clause has postings.
TEST_F(PrunedTexts, AClauseOfALongAndAShortList) {
  std::vector<test::TextsDocument> documents(3000);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    documents[d].texts = {"t9 ", ""};
    for (std::size_t t = 0; t < 3; ++t) {
      const std::string word = "t" + std::to_string(t) + " ";
      if (d / 64 % 3 == t) documents[d].texts[0] += word;
      if (d % (29 + 2 * t) == t) documents[d].texts[1] += word;
    }
  }
  directory_ = std::make_unique<test::TemporaryDirectory>();
  search_in(test::build_texts(directory_->path(), documents, test::plain_texts_schema(1), {3000}));
  std::vector<Plan> searched;
  for (const char* const text : {"t0 t1", "t1 t2", "t0 t2", "t0 t1 t2", "t0 t1 t9"}) {
    searched.push_back(searcher_->plan({.text = text, .mode = Mode::kAnd, .k = 100}));
  }
  expect_exact<Packed, UsualScorers>(searched, 300, 0);
}

TEST_F(PrunedTexts, LaterPages) {
  open_texts(1, 8, {300, 1100});
  expect_exact<Packed, UsualScorers>(test::pages_of(*searcher_, plans(4, 12), 5), 100, 0);
}

}  // namespace
}  // namespace gannet::query::cuda
