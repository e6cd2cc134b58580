#include "query/gpu/plan/pruned/integer_scale.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "query/bounds/ranges.hpp"

namespace gannet::query::cuda {
namespace {

/// More than codes, and the rounding of the scale itself, lose.
constexpr double kMargin = 1 + 4e-6;
/// Scales that are tried: each by 3 percent less than the one before it.
constexpr std::size_t kTries = 32;
constexpr double kStep = 0.97;

/// A whole number above it, by more than rounding loses. (std::ceil is a call, and vectors have no
/// conversion to unsigned numbers.)
std::uint32_t above(double number) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(number)) + 1;
}

std::uint32_t with_codes(double bound) { return above(bound * (1.0 / kTopCode)); }
/// A posting's own bound is rounded down, and 1 is added.
std::uint32_t with_numbers(double bound) { return above(bound) + 1; }

/// For each of the scales, what the bounds of a document can add up to.
template <std::size_t kScales>
std::array<std::uint32_t, kScales> max_sums(std::span<const TermBound> terms,
                                            const std::array<double, kScales>& scales) {
  std::array<std::uint32_t, kScales> sums{};
  // Loops over scales alone: compilers make vectors of them.
  const auto add = [&](const TermBound& term, auto bound_of) {
    const double most = term.max * kMargin;
    for (std::size_t i = 0; i < kScales; ++i) sums[i] += bound_of(most * scales[i]);
  };
  for (const TermBound& term : terms) {
    if (!term.has_codes) {
      add(term, [](double bound) { return with_numbers(bound); });
    } else if (!term.has_numbers) {
      add(term, [](double bound) { return with_codes(bound) * kTopCode; });
    } else {
      add(term,
          [](double bound) { return std::max(with_codes(bound) * kTopCode, with_numbers(bound)); });
    }
  }
  return sums;
}

}  // namespace

std::uint32_t weight_of(double max, bool has_codes, double scale) {
  const double bound = max * kMargin * scale;
  return has_codes ? with_codes(bound) : with_numbers(bound);
}

double choose_scale(std::span<const TermBound> terms) {
  double score = 0;
  for (const TermBound& term : terms) score += term.max;
  double best = 0;
  std::uint32_t best_sum = 0;
  for (double scale = kMaxBound / score; best == 0;) {
    std::array<double, kTries> scales;
    for (double& tried : scales) tried = std::exchange(scale, scale * kStep);
    const auto sums = max_sums(terms, scales);
    for (std::size_t i = 0; i < kTries; ++i) {
      // Less is wasted where sum / scale is smaller.
      const bool better = best == 0 || sums[i] * best < best_sum * scales[i];
      if (sums[i] > kMaxBound || !better) continue;
      best = scales[i];
      best_sum = sums[i];
    }
  }
  return best;
}

}  // namespace gannet::query::cuda
