// The third step of packing: a plan's bounds as whole numbers, and what the plan takes of a batch.
// Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/plan/pruned/bound.hpp"
#include "query/gpu/plan/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// A plan in one segment, ready to be written into a batch.
struct ScaledPart {
  FilterView filter{};
  /// How many of the plan's terms the segment has. They stand behind those of the parts before. 0:
  /// nothing matches.
  std::uint32_t terms = 0;
  /// How many of ScaledPlan::nodes are of this part.
  std::uint32_t nodes = 0;
};

/// A plan ready to be written into a batch. Refers to a PlanRoom.
struct ScaledPlan {
  /// False: the plan cannot be searched in this way, or nothing matches; only matches_nothing is
  /// set then.
  bool usable = false;
  bool matches_nothing = false;
  // As PrunedQuery has them:
  std::uint32_t number = 0;
  std::uint32_t rank = 0;
  float scale = 0;
  float start = 0;
  std::uint64_t below = kNoBound;
  Match match{};
  std::span<const ScaledPart> parts;  ///< one per segment
  /// The terms of all parts, without the numbers that depend on the batch.
  std::span<const PrunedTerm> terms;
  std::vector<Node> nodes;
  PrunedSizes sizes;
};

/// Memory that a ScaledPlan refers to.
struct PlanRoom {
  std::span<ScaledPart> parts;  ///< one per segment
  std::span<PrunedTerm> terms;  ///< as many as the plan's lists (count_lists()) in all segments
};

/// Scales a plan for a path that pruned_path() allows. Thread-safe, if threads write to different
/// rooms. Takes terms * segments steps; allocates for expressions only.
ScaledPlan scale_plan(PrunedPath path, const PlanBinding& binding, const PlanBounds& bounds,
                      const SegmentViews& segments, const PlanRoom& room);

}  // namespace gannet::query::cuda
