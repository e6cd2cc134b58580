// Scores as whole numbers of 16 bits.
#include "query/gpu/plan/pruned/integer_scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "query/bounds/ranges.hpp"
#include "query/gpu/plan/pruned/tables.hpp"
#include "tests/support/random.hpp"

namespace gannet::query::cuda {
namespace {

/// Whether lists have codes or numbers, each in its own segment, and how much less they have there.
struct Part {
  std::vector<double> largest;
  std::vector<bool> has_codes;
};

/// What bounds add up to where every term has its largest one.
double sum_of(const Part& part, double scale) {
  double sum = 0;
  for (std::size_t t = 0; t < part.largest.size(); ++t) {
    if (part.largest[t] == 0) continue;
    const bool codes = part.has_codes[t];
    sum += static_cast<double>(weight_of(part.largest[t], codes, scale)) * (codes ? kTopCode : 1);
  }
  return sum;
}

TEST(IntegerScale, BoundsOfAllSegmentsFitAndAreNeverTooLow) {
  test::Random random(3);
  double worst = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t terms = 1 + random() % kMaxPrunedTerms;
    std::vector<TermBound> scaled(terms);
    std::vector<Part> parts(1 + random() % 10);
    for (Part& part : parts) {
      for (TermBound& term : scaled) {
        const bool absent = random() % 4 == 0;
        const double largest =
            absent ? 0 : std::ldexp(1 + random() % 1000, static_cast<int>(random() % 12) - 6);
        const bool codes = random() % 2 == 0;
        part.largest.push_back(largest);
        part.has_codes.push_back(codes);
        if (absent) continue;
        term.max = std::max(term.max, largest);
        (codes ? term.has_codes : term.has_numbers) = true;
      }
    }
    std::erase_if(scaled, [](const TermBound& term) { return term.max == 0; });
    if (scaled.empty()) continue;
    const double scale = choose_scale(scaled);
    double all = 0;
    for (const TermBound& term : scaled) all += term.max;
    for (const Part& part : parts) {
      const double sum = sum_of(part, scale);
      double score = 0;
      for (const double largest : part.largest) score += largest;
      ASSERT_LE(sum, kMaxBound);
      ASSERT_GE(sum, score * static_cast<float>(scale));
    }
    worst = std::max(worst, kMaxBound / (all * scale));
  }
  EXPECT_LT(worst, 4) << "the scale is not much less than what there is room for";
}

}  // namespace
}  // namespace gannet::query::cuda
