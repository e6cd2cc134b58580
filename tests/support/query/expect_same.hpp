// Comparing what two back ends, or two ways of asking one, give for a plan.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::test {

/// Expects the same count, docids and score bits of a plan.
inline void expect_same(const query::ResultView& actual, const query::ResultView& expected,
                        const query::Plan& plan) {
  ASSERT_EQ(actual.count, expected.count) << to_string(plan);
  ASSERT_TRUE(std::ranges::equal(actual.docids, expected.docids)) << to_string(plan);
  // As hits: a batch without scores at all has none, where another one has zeros.
  const auto bits = [](const query::Hit& hit) { return std::bit_cast<std::uint32_t>(hit.score); };
  ASSERT_TRUE(std::ranges::equal(actual.hits(), expected.hits(), {}, bits, bits))
      << to_string(plan);
}

}  // namespace gannet::test
