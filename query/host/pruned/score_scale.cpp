#include "query/host/pruned/score_scale.hpp"

#include <algorithm>
#include <cmath>

namespace gannet::query {
namespace {

constexpr double kLargestScaledSum = 65535;
/// More than codes and weights lose in float32.
constexpr double kBoundMargin = 1 + 2e-6;
/// A float32 operation rounds by less than 2^-24 of its result; this is twice as much.
constexpr double kRounding = 0x1p-23;

}  // namespace

ScoreScale::ScoreScale(double sum, std::size_t terms) : terms_(static_cast<double>(terms)) {
  scale_ = (kLargestScaledSum - 256 * (terms_ + 1)) / (sum * kBoundMargin);
  ceiling_ = static_cast<float>(sum * kBoundMargin * (1 + (terms_ + 8) * kRounding));
}

void ScoreScale::weigh(PrunedTerm& term) const {
  const double step = term.largest / kTopCode * scale_ * kBoundMargin;
  // At 256 the smallest code is still 1.
  term.weight = static_cast<std::uint16_t>(std::clamp(std::ceil(step * 256), 256.0, 65535.0));
}

std::uint32_t ScoreScale::limit(float threshold) const {
  const double least = double{threshold} * (1 - (terms_ + 8) * kRounding);
  return static_cast<std::uint32_t>(std::clamp(least * scale_ - terms_, 1.0, kLargestScaledSum));
}

}  // namespace gannet::query
