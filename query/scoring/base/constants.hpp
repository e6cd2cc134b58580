// What contributions are computed from: small structs that back ends copy to where they score.
#pragma once

#include "query/scoring/base/scorer_spec.hpp"

namespace gannet::query {

/// The same for all terms of a plan. What `a` and `b` are is the scorer's business.
struct PlanConstants {
  ScorerId scorer = ScorerId::kBm25;
  float a = 0;
  float b = 0;
};

/// Of one term of a plan.
struct TermConstants {
  /// The part that the query's weight is a factor of; 0 for a term that is not scored.
  float factor = 0;
  float a = 0;
  float b = 0;
};

/// Constants of a term that adds the same to every document that has it.
struct ConstantScore {
  PlanConstants plan;
  TermConstants term;
};

/// A contribution for a term of weight 1 is never less than about this; formulas that can give
/// less, or less than 0, are clipped. With weights of kMinWeight (plan.hpp) or more, every
/// contribution of a scored term is a normal number > 0: back ends tell documents that match by
/// their scores.
inline constexpr float kMinContribution = 1e-30f;

}  // namespace gannet::query
