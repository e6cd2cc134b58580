// A list that a segment has for several terms of queries: a word, and unions of which it has no
// other word.
#include <gtest/gtest.h>

#include <vector>

#include "query/bounds/word_lists.hpp"
#include "query/gpu/device/list_stats/term_table.hpp"
#include "query/gpu/plan/pruned/bound.hpp"
#include "query/gpu/plan/pruned/list_stats.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {
namespace {

class ListKeys : public ::testing::Test {
 protected:
  /// Two segments: t0 is in both, t1 in the second one alone.
  ListKeys()
      : searcher_(test::write_segments(folder_.path(),
                                       test::collection_of(200, 2,
                                                           [](std::uint32_t t, std::uint32_t d) {
                                                             return t == 0 ? d % 3 == 0 : d >= 100;
                                                           }),
                                       {100, 200}),
                  {.backend = BackendChoice::kCpu}) {}

  Plan plan(const char* text, const char* scorer) const {
    return searcher_.plan({.text = text, .scorer = parse_scorer(scorer, "", {})});
  }
  static ListKey key_of(const Plan& plan) {
    return {plan.binding().ids(0)[0], unit_statistics(plan, 0)};
  }
  static ListStats stats_of(const Plan& plan) {
    ListStats stats;
    stats.unit = unit_of_list(plan, 0);
    stats.largest = stats.best = 1.5f;
    return stats;
  }

  test::TemporaryDirectory folder_;
  Searcher searcher_;
};

TEST_F(ListKeys, ATermAndAUnionOfOneListHaveStatisticsOfTheirOwn) {
  for (const char* const scorer : {"bm25", "dph", "pl2"}) {
    const std::vector<Plan> plans{plan("t0", scorer), plan("SYNONYM(t0 t1)", scorer),
                                  plan("SYNONYM(t0 nowhere) t1", scorer)};
    ASSERT_EQ(key_of(plans[0]).id, key_of(plans[1]).id) << "the segment has no t1";
    std::vector<ListStats> made;
    for (const Plan& one : plans) made.push_back(stats_of(one));
    TermTable<ListStats> table;
    const auto find = [&](const Plan& one) {
      const ListKey key = key_of(one);
      return table.find(key.id,
                        [&](const ListStats& stats) { return stats.unit.statistics() == key.of; });
    };
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(find(plans[i]), nullptr);
      table.add(key_of(plans[i]).id, made[i]);
    }
    EXPECT_EQ(find(plans[2]), &made[0]) << "a union of one word is that word";
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(find(plans[i]), &made[i]);
      const ListStats* lists[] = {find(plans[i])};
      PartBinding part;
      part.lists = lists;
      const PlanBinding binding{&plans[i], {&part, 1}};
      EXPECT_TRUE(bound_plan(binding).has_value()) << scorer;
      lists[0] = &made[1 - i];
      EXPECT_FALSE(bound_plan(binding).has_value()) << "of another document frequency";
    }
  }
}

}  // namespace
}  // namespace gannet::query::cuda
