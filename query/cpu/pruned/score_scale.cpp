#include "query/cpu/pruned/score_scale.hpp"

#include <algorithm>
#include <cmath>

namespace gannet::query {
namespace {

constexpr double kMaxSum = 65535;
/// What a term's bounds may be above its share of the scale: with the weight 256, and with smaller
/// ones, for which the weight and the product are rounded up.
constexpr double kFewTermsRoom = 256;
constexpr double kManyTermsRoom = 4;
/// More than codes and weights lose in float32.
constexpr double kBoundMargin = 1 + 2e-6;
/// A float32 operation rounds by less than 2^-24 of its result; this is twice as much.
constexpr double kRounding = 0x1p-23;

}  // namespace

ScoreScale::ScoreScale(double sum, std::size_t terms)
    : terms_(static_cast<double>(terms)),
      least_weight_(terms <= kFewTerms ? PrunedTerm::kWholeWeight : 1) {
  const double room = terms <= kFewTerms ? kFewTermsRoom : kManyTermsRoom;
  scale_ = (kMaxSum - room * (terms_ + 1)) / (sum * kBoundMargin);
  ceiling_ = static_cast<float>(sum * kBoundMargin * (1 + (terms_ + 8) * kRounding));
}

void ScoreScale::weigh(PrunedTerm& term) const {
  const double step = term.largest / kTopCode * scale_ * kBoundMargin;
  term.weight =
      static_cast<std::uint16_t>(std::clamp(std::ceil(step * 256), least_weight_, 65535.0));
}

std::uint32_t ScoreScale::limit(float threshold) const {
  const double least = double{threshold} * (1 - (terms_ + 8) * kRounding);
  return static_cast<std::uint32_t>(std::clamp(least * scale_ - terms_, 1.0, kMaxSum));
}

}  // namespace gannet::query
