// Counts of documents with any of several terms are found once, and are those of their segments.
#include "query/texts/union_counts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "query/plan/plan.hpp"
#include "query/texts/count_any.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class UnionCountsTest : public testing::Test {
 protected:
  UnionCountsTest()
      : collection_(test::random_collection(5000, 14, 3)),
        index_(test::write_segments(directory_.path(), collection_, {1700, 5000})) {}

  const std::shared_ptr<const index::Segment>& segment(std::size_t i) const {
    return index_->segments()[i];
  }
  /// The count of a union, and whether it had to be found out.
  static std::pair<std::uint64_t, bool> ask(UnionCounts& counts,
                                            const std::shared_ptr<const index::Segment>& segment,
                                            std::vector<index::TermId> terms,
                                            std::uint64_t count = 7) {
    bool counted = false;
    const std::uint64_t found = counts.of(segment, std::move(terms), [&] {
      counted = true;
      return count;
    });
    return {found, counted};
  }

  test::TemporaryDirectory directory_;
  test::Collection collection_;
  std::shared_ptr<const index::Index> index_;
};

TEST_F(UnionCountsTest, AreFoundOnceForEachSegmentAndSetOfTerms) {
  UnionCounts counts;
  EXPECT_EQ(ask(counts, segment(0), {1, 2}, 10), std::pair(std::uint64_t{10}, true));
  EXPECT_EQ(ask(counts, segment(0), {1, 2}, 99), std::pair(std::uint64_t{10}, false));
  EXPECT_EQ(ask(counts, segment(1), {1, 2}, 11), std::pair(std::uint64_t{11}, true));
  EXPECT_EQ(ask(counts, segment(0), {1, 3}, 12), std::pair(std::uint64_t{12}, true));
  EXPECT_EQ(ask(counts, segment(0), {1, 2, 3}, 13), std::pair(std::uint64_t{13}, true));
  EXPECT_EQ(ask(counts, segment(0), {1, 2}, 99), std::pair(std::uint64_t{10}, false));
}

TEST_F(UnionCountsTest, WhatIsNotAskedForIsForgotten) {
  UnionCounts counts(100);
  for (index::TermId term = 1; term <= 1000; ++term) {
    ask(counts, segment(0), {0, term});
    EXPECT_FALSE(ask(counts, segment(0), {0, 1}).second) << "it is asked for all the time";
    EXPECT_LE(counts.size(), 200u);
  }
  EXPECT_FALSE(ask(counts, segment(0), {0, 999}).second);
  EXPECT_TRUE(ask(counts, segment(0), {0, 2}).second);
}

TEST_F(UnionCountsTest, AnErrorIsNotRemembered) {
  UnionCounts counts;
  const auto fail = []() -> std::uint64_t { throw std::runtime_error("damaged"); };
  EXPECT_THROW(counts.of(segment(0), {1, 2}, fail), std::runtime_error);
  EXPECT_EQ(ask(counts, segment(0), {1, 2}, 10), std::pair(std::uint64_t{10}, true));
}

/// A segment that is gone may leave its address to another.
TEST_F(UnionCountsTest, ASegmentAtTheAddressOfAnotherThatIsGoneHasCountsOfItsOwn) {
  UnionCounts counts;
  const index::Segment* const address = segment(0).get();
  auto first = std::shared_ptr<const index::Segment>(address, [](const index::Segment*) {});
  ask(counts, first, {1, 2}, 10);
  first.reset();
  const auto second = std::shared_ptr<const index::Segment>(address, [](const index::Segment*) {});
  EXPECT_EQ(ask(counts, second, {1, 2}, 20), std::pair(std::uint64_t{20}, true));
  EXPECT_EQ(ask(counts, second, {1, 2}, 30), std::pair(std::uint64_t{20}, false));
}

TEST_F(UnionCountsTest, AreWhatTheListsSay) {
  const std::vector<std::vector<std::string>> words{
      {"t0", "t1"}, {"t11", "t10"}, {"t2", "t5", "t11"}, {"t3"}, {"t3", "nowhere"}, {"nowhere"}};
  for (int round = 0; round < 2; ++round) {
    for (const auto& word : words) {
      std::set<std::uint32_t> documents;
      std::vector<query::QueryTerm> query_terms;
      std::vector<std::uint32_t> numbers;
      for (const std::string& term : word) {
        query_terms.push_back({term});
        numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
        for (std::uint32_t d = 0; d < collection_.documents(); ++d) {
          if (collection_.frequency(term, d) > 0) documents.insert(d);
        }
      }
      Plan::Parts parts;
      parts.collection = {5000, 500000};
      parts.terms = query_terms;
      for (query::QueryTerm& term : parts.terms) term.document_frequency = 1;
      parts.expression = {{Node::Kind::kTerm, 0}};
      for (std::uint32_t i = 1; i < numbers.size(); ++i) {
        parts.expression.push_back({Node::Kind::kTerm, i});
        parts.expression.push_back({Node::Kind::kOr, 2});
      }
      Plan plan(parts);
      plan.bind(*index_);
      EXPECT_EQ(count_any(*index_, plan.binding(), numbers), documents.size()) << word.front();
    }
  }
}

}  // namespace
}  // namespace gannet::query
