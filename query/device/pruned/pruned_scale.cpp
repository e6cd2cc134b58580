#include "query/device/pruned/pruned_scale.hpp"

#include <array>
#include <cstddef>

#include "query/bounds/ranges.hpp"

namespace gannet::query::cuda {
namespace {

/// More than codes, and the rounding of the scale itself and of what is computed here, lose.
constexpr double kMargin = 1 + 4e-6;
/// Scales that are tried at a time: each by 3 percent less than the one before it.
constexpr std::size_t kTries = 32;
constexpr double kStep = 0.97;

constexpr std::array<float, kTries> powers_of_step() {
  std::array<float, kTries> powers{};
  double power = 1;
  for (float& each : powers) {
    each = static_cast<float>(power);
    power *= kStep;
  }
  return powers;
}
constexpr std::array<float, kTries> kPowers = powers_of_step();

/// What stands for a term's largest contribution: `codes` times a weight, which is a whole number
/// above bound / codes by more than rounding loses.
struct Unit {
  explicit Unit(bool has_codes)
      // A posting's own bound is rounded down, and 1 is added.
      : codes(has_codes ? kTopCode : 1), added(has_codes ? 1 : 2) {}

  std::int32_t weight(float part) const { return static_cast<std::int32_t>(part) + added; }

  std::int32_t codes;
  std::int32_t added;
};

/// A term's weight is that of `part` times the power of kStep.
float part_of(const ScaledTerm& term, double scale) {
  return static_cast<float>(term.largest * kMargin * scale * (term.has_codes ? 1.0 / kTopCode : 1));
}

/// What the bounds can add up to at scale * kPowers[i]. One loop a term, which the compiler makes
/// vectors of: half of preparing a plan would else be this.
std::array<std::int32_t, kTries> sums(std::span<const ScaledTerm> terms, double scale) {
  std::array<std::int32_t, kTries> sums{};
  for (const ScaledTerm& term : terms) {
    const Unit unit(term.has_codes);
    const float part = part_of(term, scale);
    for (std::size_t i = 0; i < kTries; ++i) sums[i] += unit.weight(part * kPowers[i]) * unit.codes;
  }
  return sums;
}

/// Which of the powers wastes least, if the sum of any is small enough; else kTries.
std::size_t best_of(const std::array<std::int32_t, kTries>& sums) {
  std::size_t best = kTries;
  for (std::size_t i = 0; i < kTries; ++i) {
    if (sums[i] > static_cast<std::int32_t>(kLargestBound)) continue;
    // Less is wasted where sum / scale is smaller.
    const bool better = best == kTries || static_cast<float>(sums[i]) * kPowers[best] <
                                              static_cast<float>(sums[best]) * kPowers[i];
    if (better) best = i;
  }
  return best;
}

}  // namespace

float scale_terms(std::span<ScaledTerm> terms) {
  double largest = 0;
  for (const ScaledTerm& term : terms) largest += term.largest;
  double scale = kLargestBound / largest;
  std::size_t best = best_of(sums(terms, scale));
  for (; best == kTries; best = best_of(sums(terms, scale)))
    scale *= double{kPowers.back()} * kStep;
  for (ScaledTerm& term : terms) {
    const float part = part_of(term, scale) * kPowers[best];
    term.weight = static_cast<std::uint32_t>(Unit(term.has_codes).weight(part));
  }
  return static_cast<float>(scale * double{kPowers[best]});
}

}  // namespace gannet::query::cuda
