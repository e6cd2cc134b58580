// What the ranked search by windows gets of plans, and how batches are cut: host code, which needs
// no GPU.
#include "query/gpu/plan/ranked/rank_compiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "query/gpu/plan/ranked/rank_batch.hpp"
#include "query/gpu/plan/ranked/tuning.hpp"

namespace gannet::query::cuda {
namespace {

constexpr std::uint32_t kRankDocuments = 100'000;

Node leaf_term(std::uint32_t number) { return {Node::Kind::kTerm, number}; }
constexpr Node kPredicateNode{Node::Kind::kPredicate, 0};
constexpr Node kNegation{Node::Kind::kNot, 1};
constexpr Node any_of_last(std::uint32_t n) { return {Node::Kind::kOr, n}; }
constexpr Node all_of_last(std::uint32_t n) { return {Node::Kind::kAnd, n}; }

/// A plan of three terms, of which the last one has no weight, and one predicate.
Plan plan_of_three(std::vector<Node> expression, std::uint32_t k = 10) {
  Plan::Parts parts;
  parts.k = k;
  parts.collection = {kRankDocuments, 1u << 30};
  parts.terms = {{"a", 5000, 1}, {"b", 400, 2}, {"c", 30, 0}};
  parts.predicates = {Filter::equal("f", "1")};
  parts.expression = std::move(expression);
  return Plan(std::move(parts));
}

bool is_decided(const std::vector<Node>& expression) {
  const Plan plan = plan_of_three(expression);
  return scores_decide(plan, scoring_terms(plan));
}

TEST(ScoresDecide, WhereAllThatScoreIsInTheOutermostOr) {
  EXPECT_TRUE(is_decided({leaf_term(0), leaf_term(1), any_of_last(2)}));
  EXPECT_TRUE(is_decided({leaf_term(0), leaf_term(1), leaf_term(2), any_of_last(3)}));
  EXPECT_TRUE(is_decided({leaf_term(0), leaf_term(1), kPredicateNode, any_of_last(3)}));
  EXPECT_TRUE(is_decided(
      {leaf_term(2), kPredicateNode, all_of_last(2), leaf_term(0), leaf_term(1), any_of_last(3)}));
  EXPECT_TRUE(is_decided({leaf_term(0), leaf_term(0), kNegation, kPredicateNode, all_of_last(2),
                          leaf_term(1), any_of_last(3)}));
  EXPECT_FALSE(is_decided({leaf_term(0)})) << "documents with b alone have a score";
  EXPECT_FALSE(is_decided({leaf_term(0), leaf_term(1), all_of_last(2)}));
  EXPECT_FALSE(
      is_decided({leaf_term(0), leaf_term(1), kPredicateNode, all_of_last(2), any_of_last(2)}));
  EXPECT_FALSE(is_decided({leaf_term(0), kNegation, leaf_term(1), any_of_last(2)}));
  EXPECT_FALSE(is_decided({kPredicateNode}));
}

/// Compiles plans over lists of 5,000, 400 and 30 postings.
class RankCompilerTest : public testing::Test {
 protected:
  bool add(const Plan& plan, const std::uint64_t* filter = nullptr) {
    constexpr std::uint32_t kCounts[] = {5000, 400, 30};
    const std::vector<char> scores = scoring_terms(plan);
    const bool by_score = scores_decide(plan, scores);
    std::vector<RankOperand> scored(3);
    std::vector<MatchOperand> operands;
    std::vector<std::uint32_t> ends;
    for (std::uint32_t t = 0; t < 3; ++t) {
      ListLocation list{};
      list.count = kCounts[t];
      if (scores[t] != 0) scored[t].list = list;
      if (!(by_score && scores[t] != 0)) operands.push_back({list});
      ends.push_back(static_cast<std::uint32_t>(operands.size()));
    }
    const std::uint64_t bitmap = 0;
    const std::vector<const std::uint64_t*> predicates{&bitmap};
    MatchRequest match{&plan, operands, ends, predicates};
    match.filter = filter;
    match.passing = filter == nullptr ? 0 : 17;
    return compiler_.add({&plan, scored, by_score, kRankDocuments, 0}, match, slice_.tables);
  }

  const RankQuery& query() const { return slice_.tables.queries.back(); }
  const MatchQuery& steps() const { return slice_.tables.match.queries.back(); }
  RankBatch batch(const RankShape& shape) {
    slice_.plans.resize(slice_.tables.queries.size());
    return {std::span(&slice_, 1), shape};
  }

  RankCompiler compiler_;
  RankSlice slice_;
};

TEST_F(RankCompilerTest, APlainOrHasNoSteps) {
  ASSERT_TRUE(add(plan_of_three({leaf_term(0), leaf_term(1), any_of_last(2)})));
  EXPECT_EQ(steps().steps, 0u);
  EXPECT_EQ(query().by_score, 1u);
  EXPECT_EQ(query().row, kNone);
  EXPECT_EQ(query().may_row, kNone);
  EXPECT_EQ(query().lists, 2u);
}

TEST_F(RankCompilerTest, AFilterMasksScores) {
  const std::uint64_t filter = 0;
  ASSERT_TRUE(add(plan_of_three({leaf_term(0), leaf_term(1), any_of_last(2)}), &filter));
  EXPECT_EQ(steps().steps, 1u);
  EXPECT_EQ(query().row, kNone);
  EXPECT_EQ(query().may_row, 0u);
  ASSERT_TRUE(
      add(plan_of_three({leaf_term(0), leaf_term(1), kPredicateNode, any_of_last(3)}), &filter));
  EXPECT_EQ(steps().steps, 2u);
  EXPECT_EQ(query().may_row, 0u);
  EXPECT_NE(query().row, kNone);
  EXPECT_NE(query().row, query().may_row);
}

TEST_F(RankCompilerTest, WhatIsLeftOfAnOrIsEvaluated) {
  ASSERT_TRUE(add(plan_of_three({leaf_term(0), leaf_term(1), kPredicateNode, any_of_last(3)})));
  EXPECT_EQ(steps().steps, 1u);
  EXPECT_TRUE(slice_.tables.match.lists.empty()) << "scores say which documents have a or b";
  EXPECT_EQ(query().by_score, 1u);
  EXPECT_EQ(query().may_row, kNone);
  EXPECT_NE(query().row, kNone);
}

TEST_F(RankCompilerTest, OtherExpressionsLeaveARowOfMatches) {
  ASSERT_TRUE(add(plan_of_three(
      {leaf_term(0), kPredicateNode, all_of_last(2), leaf_term(1), kNegation, any_of_last(2)})));
  EXPECT_EQ(query().by_score, 0u);
  EXPECT_NE(query().row, kNone);
  EXPECT_EQ(query().row, query().may_row);
  EXPECT_EQ(slice_.tables.match.steps.back().to, query().row);
  EXPECT_EQ(slice_.tables.match.steps.back().stops, 1u);
}

TEST_F(RankCompilerTest, NothingIsAddedForWhatCannotMatch) {
  EXPECT_FALSE(add(plan_of_three({})));
  EXPECT_TRUE(slice_.tables.queries.empty() && slice_.tables.match.queries.empty());
}

/// Items cover each query's windows once, in the order of documents, and finalists have room.
TEST_F(RankCompilerTest, ItemsCoverAllWindows) {
  for (const std::uint32_t k : {10u, 1000u, 99'999u}) {
    slice_ = {};
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(add(plan_of_three({leaf_term(0), leaf_term(1), any_of_last(2)}, k)));
      ASSERT_TRUE(add(plan_of_three(
          {leaf_term(0), leaf_term(1), all_of_last(2), kPredicateNode, any_of_last(2)}, k)));
    }
    for (const std::uint64_t finalists : {0u, 100'000u, 1u << 30}) {
      const RankBatch cut = batch({kRankDocuments, 264, finalists, 20 << 10});
      std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> of(40);
      for (const RankItem& item : cut.items()) of[item.query].emplace_back(item.begin, item.end);
      for (const auto& items : of) {
        ASSERT_FALSE(items.empty());
        EXPECT_EQ(items.front().first, 0u);
        for (std::size_t i = 1; i < items.size(); ++i) {
          EXPECT_EQ(items[i].first, items[i - 1].second);
        }
        EXPECT_GE(items.back().second * cut.launches().front().words * 64, kRankDocuments);
      }
      EXPECT_EQ(cut.finalists(), cut.items().size() * k);
      EXPECT_LE(cut.finalists(), 40 * std::uint64_t{k} + std::max<std::uint64_t>(finalists, 1));
      EXPECT_GE(cut.capacity(), k + cut.launches().front().words * 64);
      EXPECT_EQ(cut.launches().front().items_begin, 0u);
      EXPECT_EQ(cut.launches().back().items_end, cut.items().size());
    }
  }
}

}  // namespace
}  // namespace gannet::query::cuda
