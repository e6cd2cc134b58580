// Plans made by hand from their parts: what is refused, flags, scores, copies.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/plan/making/expression.hpp"
#include "query/plan/plan.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {
namespace {

/// f, g and h in a collection of 10 documents, matched by `expression`.
Plan::Parts parts(std::vector<Node> expression) {
  Plan::Parts made;
  made.collection = {10, 70};
  made.terms = {{"f", 5, 1}, {"g", 4, 1}, {"h", 3, 1}};
  made.expression = std::move(expression);
  return made;
}

using Kind = Node::Kind;
constexpr Node kF{Kind::kTerm, 0};
constexpr Node kG{Kind::kTerm, 1};
constexpr Node kH{Kind::kTerm, 2};
constexpr Node kNot{Kind::kNot, 1};

TEST(PlanParts, FlagsFollowFromTheExpression) {
  const auto flags = [](std::vector<Node> expression) {
    const Plan made(parts(std::move(expression)));
    std::string text;
    for (const PlanTerm& term : made.terms()) text += term.required ? term.text : "";
    return text + (made.disjunction() ? " or" : "") + (made.conjunction() ? " and" : "") +
           (made.matches_absent() ? " absent" : "") + (made.has_required() ? " required" : "");
  };
  EXPECT_EQ(flags({kF, kG, kH, {Kind::kOr, 3}}), " or");
  EXPECT_EQ(flags({kF, kG, {Kind::kOr, 2}}), "");
  EXPECT_EQ(flags({kF, kG, kH, {Kind::kAnd, 3}}), "fgh and required");
  EXPECT_EQ(flags({kF, kG, {Kind::kAnd, 2}, kH, kNot, {Kind::kAnd, 2}}), "fg required");
  EXPECT_EQ(flags({kF, kNot}), " absent");
  EXPECT_EQ(flags({}), "");
  EXPECT_EQ(flags({{Kind::kNever, 0}}), "");
  EXPECT_EQ(flags({{Kind::kNever, 0}, kF, kG, kH, {Kind::kOr, 4}}), "");
}

TEST(PlanParts, AreChecked) {
  const auto refused = [&](auto change) {
    Plan::Parts made = parts({kF, kG, {Kind::kOr, 2}});
    change(made);
    try {
      const Plan plan(made);
    } catch (const UsageError&) {
      return true;
    }
    return false;
  };
  using Parts = Plan::Parts;
  EXPECT_FALSE(refused([](Parts&) {}));
  EXPECT_FALSE(refused([](Parts& p) { p.expression.clear(); }));
  EXPECT_TRUE(refused([](Parts& p) { p.expression.pop_back(); }));
  EXPECT_TRUE(refused([](Parts& p) { p.expression.push_back({Kind::kAnd, 2}); }));
  EXPECT_TRUE(refused([](Parts& p) { p.expression.push_back({Kind::kAnd, 0}); }));
  EXPECT_TRUE(refused([](Parts& p) { p.expression.insert(p.expression.begin(), kNot); }));
  EXPECT_TRUE(refused([](Parts& p) { p.expression[0].operand = 3; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].document_frequency = 11; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[1].text = "f"; }));
  EXPECT_TRUE(refused([](Parts& p) { p.collection.documents = kMaxDocuments + 1; }));
  EXPECT_TRUE(refused([](Parts& p) { p.scorer.values[0] = -1; }));
  EXPECT_TRUE(refused([](Parts& p) { p.scorer.values[1] = 2; }));
  EXPECT_TRUE(refused([](Parts& p) { p.scorer.id = static_cast<ScorerId>(77); }));
  EXPECT_TRUE(refused([](Parts& p) { p.scorer.values[2] = 0.5f; }));
  EXPECT_FALSE(refused([](Parts& p) { p.terms[0].weight = 0; }));
  EXPECT_FALSE(refused([](Parts& p) { p.terms[0].weight = 0.25f; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].weight = -1; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].weight = 1e-7f; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].weight = 1e10f; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].weight = std::nanf(""); }));
  EXPECT_FALSE(refused([](Parts& p) { p.terms[0].collection_frequency = 5; }));
  EXPECT_TRUE(refused([](Parts& p) { p.terms[0].collection_frequency = 4; }));
  // As deep as they may be, and deeper: alternating operators, each a level.
  const auto nested = [](std::uint32_t depth) {
    std::vector<Node> expression{kF};
    for (std::uint32_t i = 0; i < depth; ++i) {
      expression.push_back(i % 2 == 0 ? kG : kH);
      expression.push_back({i % 2 == 0 ? Kind::kAnd : Kind::kOr, 2});
    }
    return expression;
  };
  EXPECT_FALSE(refused([&](Parts& p) { p.expression = nested(Plan::kMaxDepth - 1); }));
  EXPECT_TRUE(refused([&](Parts& p) { p.expression = nested(1'000'000); }));
  // A NOT of a NOT is a level too.
  const auto negated = [](std::uint32_t times) {
    std::vector<Node> expression(times + 1, kNot);
    expression.front() = kF;
    return expression;
  };
  EXPECT_FALSE(refused([&](Parts& p) { p.expression = negated(Plan::kMaxDepth - 1); }));
  EXPECT_TRUE(refused([&](Parts& p) { p.expression = negated(1'000'000); }));
}

TEST(PlanParts, LongChainsOfTwoOperandsEachAreFlat) {
  constexpr int kOperators = 1'000'000;
  const Node either{Kind::kOr, 2};
  std::vector<Node> left{kF};
  for (int i = 0; i < kOperators; ++i) {
    left.push_back(i % 2 == 0 ? kG : kH);
    left.push_back(either);
  }
  std::vector<Node> right{kF};
  for (int i = 0; i < kOperators; ++i) right.push_back(i % 2 == 0 ? kG : kH);
  right.insert(right.end(), kOperators, either);
  for (std::vector<Node>& expression : {std::ref(left), std::ref(right)}) {
    const Plan made(parts(std::move(expression)));
    EXPECT_TRUE(made.disjunction());
    ASSERT_EQ(made.expression().size(), 5u);
    EXPECT_EQ(made.expression()[0].operand, 0u);
    EXPECT_EQ(made.expression()[3].operand, 2u);
  }
}

/// However terms and statistics are chosen, a scored term adds more than 0 wherever it occurs: back
/// ends tell documents of a disjunction from others by their score.
TEST(PlanParts, ScoredTermsAlwaysAddToTheScore) {
  for (const std::uint64_t documents : {std::uint64_t{1}, std::uint64_t{10}, kMaxDocuments}) {
    for (const float k1 : {0.0f, 1e-30f, 1.0f, index::kMaxK1}) {
      for (const float b : {0.0f, 1e-30f, 1.0f}) {
        Plan::Parts made;
        made.collection = {documents, 1};
        made.scorer = bm25(k1, b);
        made.terms = {{"f", documents, 1}};
        made.expression = {kF};
        const Plan plan(made);
        for (const std::uint32_t length : {0u, 1u, 0xffffffffu}) {
          const float least = contribution(plan.constants(), plan.terms()[0].constants, 1, length);
          EXPECT_GT(least, 0) << documents << " " << k1 << " " << b << " " << length;
          EXPECT_TRUE(std::isfinite(
              contribution(plan.constants(), plan.terms()[0].constants, 0xffffffffu, length)));
        }
      }
    }
  }
}

TEST(PlanParts, CopiesShareAllButWhatIsWanted) {
  const Plan plan(parts({kF, kG, {Kind::kOr, 2}}));
  const Plan other = plan.with_k(77).with_want(Want::kDocids);
  EXPECT_EQ(&other.terms(), &plan.terms());
  EXPECT_EQ(other.k(), 77u);
  EXPECT_EQ(other.want(), Want::kDocids);
  EXPECT_EQ(plan.want(), Want::kTopK);
  EXPECT_NE(plan.k(), 77u);
  Plan bound = plan;
  bound.bind(index::Index({}, {}, {}));
  EXPECT_NE(bound.binding().segments(), plan.binding().segments());
  EXPECT_FALSE(plan.live());
  EXPECT_TRUE(plan.with_live().live());
  EXPECT_FALSE(plan.live()) << "a copy has changed it";
}

}  // namespace
}  // namespace gannet::query
