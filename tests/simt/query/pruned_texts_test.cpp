// The kernels of the pruned search where words are searched in several texts, each with lengths and
// statistics of its own.
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
  for (const std::uint32_t fields : {1u, 3u}) {
    SCOPED_TRACE(fields);
    open_texts(fields, fields, {900, 964, 2500});
    for (const std::uint32_t least_count : {0u, 200u, 0xffffffffu}) {
      SCOPED_TRACE(least_count);
      const auto searched = plans(least_count + fields, 30);
      const PrunedCounters counters = expect_exact<Packed, UsualScorers>(searched, least_count, 0);
      EXPECT_GT(counters.documents, 0u);
      expect_exact<Any, UsualScorers>(std::span(searched).first(10), least_count, 1);
      expect_exact<Packed, UsualScorers>(searched, least_count, 0, PrunedPath::kWindows);
    }
  }
}

TEST_F(PrunedTexts, OfOtherScorers) {
  open_texts(2, 7, {1500});
  for (const char* const scorer : {"dirichlet", "pl2", "bm25f"}) {
    SCOPED_TRACE(scorer);
    expect_exact<Any, AllScorers>(plans(6, 12, scorer), 200, 0);
  }
}

/// A word of an AND is a clause: a document is looked at only if one of its texts has each word.
TEST_F(PrunedTexts, WhatIsLookedAtHasAllWords) {
  open_texts(1, 9, {900, 2500});
  for (const std::uint32_t least_count : {0u, 200u, 0xffffffffu}) {
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

TEST_F(PrunedTexts, LaterPages) {
  open_texts(2, 8, {900, 2500});
  expect_exact<Packed, UsualScorers>(test::pages_of(*searcher_, plans(4, 30), 5), 200, 0);
}

}  // namespace
}  // namespace gannet::query::cuda
