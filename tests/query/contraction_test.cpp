// A program that includes scorer.hpp gets the library's scores bit for bit, also where it is
// compiled with contraction for a processor with fused multiply-add.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/query/contraction/consumer.hpp"

namespace gannet::query {
namespace {

bool can_run_consumer() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0 && __builtin_cpu_supports("avx2") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
#else
  return true;
#endif
}

TEST(Contraction, DoesNotReachProgramsThatIncludeTheHeaders) {
  if (!can_run_consumer()) GTEST_SKIP() << "this processor has no fused multiply-add";
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(0.1f, 9.0f);
  int contracted = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto& scorers = all_scorers();
    const ScorerSpec spec =
        standard_scorer(scorers[static_cast<std::size_t>(i) % scorers.size()].id);
    const CollectionStatistics collection{10'000, 1'000'000 + random() % 1'000'000};
    const std::uint64_t documents = 1 + random() % 10'000;
    const TermStatistics statistics{documents, documents + random() % 10'000};
    const PlanConstants plan = plan_constants(spec, collection);
    const TermConstants term = term_constants(spec, collection, statistics, value(random));
    const auto frequency = static_cast<std::uint32_t>(1 + random() % 50);
    const auto length = static_cast<std::uint32_t>(random() % 5000);
    const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
    ASSERT_EQ(bits(test::score_as_consumer(plan, term, frequency, length)),
              bits(contribution(plan, term, frequency, length)));
    const float a = value(random);
    const float b = value(random);
    const float c = value(random);
    const float expected = codecs::rounded_add(codecs::rounded_mul(a, b), c);
    ASSERT_EQ(bits(test::sum_as_consumer(a, b, c)), bits(expected));
    contracted += bits(test::contracted_sum(a, b, c)) == bits(expected) ? 0 : 1;
  }
  EXPECT_GT(contracted, 0) << "the consumer is not compiled with contraction: nothing was tested";
}

}  // namespace
}  // namespace gannet::query
