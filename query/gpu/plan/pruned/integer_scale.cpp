#include "query/gpu/plan/pruned/integer_scale.hpp"

#include <algorithm>

#include "query/bounds/ranges.hpp"

namespace gannet::query::cuda {
namespace {

/// More than codes, and the rounding of the scale itself, lose.
constexpr double kMargin = 1 + 4e-6;
/// Scales that are tried: each by 3 percent less than the one before it.
constexpr int kTries = 32;
constexpr double kStep = 0.97;

/// A whole number above it, by more than rounding loses. (std::ceil is a call.)
std::uint32_t above(double number) { return static_cast<std::uint32_t>(number) + 1; }

/// What the bounds of a document can add up to.
std::uint64_t max_sum(std::span<const TermBound> terms, double scale) {
  std::uint64_t sum = 0;
  for (const TermBound& term : terms) {
    std::uint64_t bound = 0;
    if (term.has_codes) bound = std::uint64_t{weight_of(term.max, true, scale)} * kTopCode;
    if (term.has_numbers) {
      bound = std::max<std::uint64_t>(bound, weight_of(term.max, false, scale));
    }
    sum += bound;
  }
  return sum;
}

}  // namespace

std::uint32_t weight_of(double max, bool has_codes, double scale) {
  const double bound = max * kMargin * scale;
  // A posting's own bound is rounded down, and 1 is added.
  return has_codes ? above(bound * (1.0 / kTopCode)) : above(bound) + 1;
}

double choose_scale(std::span<const TermBound> terms) {
  double score = 0;
  for (const TermBound& term : terms) score += term.max;
  double best = 0;
  std::uint64_t best_sum = 0;
  double scale = kMaxBound / score;
  for (int i = 0; i < kTries || best == 0; ++i, scale *= kStep) {
    const std::uint64_t sum = max_sum(terms, scale);
    // Less is wasted where sum / scale is smaller.
    const bool better =
        best == 0 || static_cast<double>(sum) * best < static_cast<double>(best_sum) * scale;
    if (sum > kMaxBound || !better) continue;
    best = scale;
    best_sum = sum;
  }
  return best;
}

}  // namespace gannet::query::cuda
