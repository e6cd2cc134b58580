// Why plans are left to the CPU by a GPU's back end.
#include "query/results/host_plans.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {
namespace {

/// Two words in a collection of 10 documents.
Plan::Parts parts_of_words() {
  Plan::Parts made;
  made.collection = {10, 70};
  made.terms = {{"f", 5, 1}, {"g", 4, 1}};
  made.expression = {{Node::Kind::kTerm, 0}, {Node::Kind::kTerm, 1}, {Node::Kind::kOr, 2}};
  return made;
}

TEST(HostPlans, APlanOfWordsRunsOnTheGpu) {
  EXPECT_EQ(host_reason(Plan(parts_of_words()), true), std::nullopt);
  EXPECT_EQ(host_reason(Plan(parts_of_words()), false), std::nullopt);
  EXPECT_EQ(host_reason(Plan(parts_of_words()).with_want(Want::kDocids), true), std::nullopt);
}

TEST(HostPlans, PredicatesInAnExpressionAreAReason) {
  Plan::Parts made = parts_of_words();
  made.predicates = {Filter::equal("year", "1999")};
  made.expression.push_back({Node::Kind::kPredicate, 0});
  made.expression.push_back({Node::Kind::kOr, 2});
  EXPECT_EQ(host_reason(Plan(made), true), HostReason::kPredicates);
}

TEST(HostPlans, AFilterIsAReasonWhereNothingIsPruned) {
  Plan::Parts made = parts_of_words();
  made.filter = Filter::equal("year", "1999");
  EXPECT_EQ(host_reason(Plan(made), true), std::nullopt);
  EXPECT_EQ(host_reason(Plan(made), false), HostReason::kExhaustiveFilter);
}

TEST(HostPlans, CountsAndDocidsOfAnyPlanRunOnTheGpu) {
  Plan::Parts made = parts_of_words();
  made.filter = Filter::equal("year", "1999");
  made.predicates = {Filter::equal("year", "2001")};
  made.expression.push_back({Node::Kind::kPredicate, 0});
  made.expression.push_back({Node::Kind::kOr, 2});
  for (const bool pruned : {false, true}) {
    EXPECT_EQ(host_reason(Plan(made).with_want(Want::kCount), pruned), std::nullopt);
    EXPECT_EQ(host_reason(Plan(made).with_want(Want::kDocids), pruned), std::nullopt);
  }
}

TEST(HostPlans, WordsOverSeveralTextsAreAReasonWhereNothingIsPruned) {
  Plan::Parts made = parts_of_words();
  made.texts = {PlanText{.name = "title", .statistics = {10, 70}},
                PlanText{.name = "body", .statistics = {10, 70}}};
  made.terms[1].field = 1;
  EXPECT_EQ(host_reason(Plan(made), true), std::nullopt);
  EXPECT_EQ(host_reason(Plan(made).with_want(Want::kCount), true), std::nullopt);
  made.scorer = parse_scorer("bm25f", "", {});
  made.words = {QueryWord{.terms = {{0, 1}, {1, 1}}, .weight = 1, .document_frequency = 6}};
  EXPECT_EQ(host_reason(Plan(made), true), std::nullopt);
  EXPECT_EQ(host_reason(Plan(made), false), HostReason::kWords);
  EXPECT_EQ(host_reason(Plan(made).with_want(Want::kCount), false), std::nullopt);
  made.filter = Filter::equal("year", "1999");
  EXPECT_EQ(host_reason(Plan(made), false), HostReason::kWords);
}

TEST(HostPlans, TheTextNamesEachReasonWithItsPlans) {
  HostPlans plans;
  EXPECT_EQ(plans.text(), "");
  plans.add(HostReason::kWords);
  EXPECT_EQ(plans.text(), "1 plan ran on the CPU (1 for BM25F where bounds cannot be used)");
  plans.add(HostReason::kDeviceMemory, 2);
  EXPECT_EQ(
      plans.text(),
      "3 plans ran on the CPU (1 for BM25F where bounds cannot be used, 2 for want of GPU memory)");
  EXPECT_EQ(plans.total(), 3u);
  HostPlans more = plans;
  more.add(plans);
  EXPECT_EQ(more[HostReason::kDeviceMemory], 4u);
  EXPECT_EQ(more.total(), 6u);
}

TEST(HostPlans, EveryReasonHasItsNameAndText) {
  std::set<std::string_view> names, texts;
  for (std::size_t i = 0; i < kHostReasons; ++i) {
    names.insert(name_of(static_cast<HostReason>(i)));
    texts.insert(text_of(static_cast<HostReason>(i)));
  }
  EXPECT_EQ(names.size(), kHostReasons);
  EXPECT_EQ(texts.size(), kHostReasons);
  EXPECT_FALSE(names.contains(""));
}

TEST(HostPlans, ReportsAddUp) {
  Report all;
  all.reason = "it was asked for";
  for (int i = 0; i < 2; ++i) {
    Report one;
    one.host_plans.add(HostReason::kPredicates, 3);
    one.memory = {1, 2, 300};
    one.reason = "it was asked for";
    one.add_host_plans_to_reason();
    all.add(one);
  }
  EXPECT_EQ(all.host_plans[HostReason::kPredicates], 6u);
  EXPECT_EQ(all.memory.failures, 2u);
  EXPECT_EQ(all.memory.splits, 4u);
  EXPECT_EQ(all.memory.given_back, 600u);
  EXPECT_EQ(all.reason,
            "it was asked for; 3 plans ran on the CPU (3 for predicates inside an expression)");
}

}  // namespace
}  // namespace gannet::query
