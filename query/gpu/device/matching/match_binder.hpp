// What the matches of plans depend on in a segment: where their lists, bitmaps and predicates are
// on the device.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/matching/call_predicates.hpp"
#include "query/gpu/device/matching/kept_lists.hpp"
#include "query/gpu/device/unions/call_unions.hpp"
#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/matching/match_compiler.hpp"

namespace gannet::query::cuda {

/// Everything that finding matches needs from its call. Refers to memory of others.
struct MatchContext {
  std::span<const DeviceSegment> segments;
  const DeviceShape& shape;
  std::uint64_t pool;  ///< device memory for batches
  /// Null: lists are checked each time, and none has a bitmap.
  KeptListCache* kept;
  bool exhaustive;  ///< every list is decoded from end to end
  const CallFilters& filters;
  const CallPredicates& predicates;
  const CallUnions& unions;  ///< with those of all plans that have phrases
  tbb::task_arena& arena;    ///< threads that pack plans
  const std::stop_token& stop;
};

/// Memory of a binding, which the next one takes. Used by one thread at a time.
struct BindMemory {
  std::vector<MatchOperand> operands;
  std::vector<std::uint32_t> ends;
  std::vector<const std::uint64_t*> predicates;
  std::vector<index::TermId> terms;
  std::vector<index::TermId> missing;  ///< lists that are not kept yet, of all plans
};

/// Binds plans to one segment. Refers to its arguments. Any number of threads may bind plans, each
/// with its own memory.
class MatchBinder {
 public:
  /// `kept`: of the segment; null if the call uses no kept lists.
  MatchBinder(const MatchContext& context, const BoundPlans& plans, std::size_t segment,
              const KeptListTable* kept)
      : context_(context), plans_(plans), segment_(segment), kept_(kept) {}

  /// What compiling a plan takes, with `filter` as its filter in the segment. It refers to the
  /// memory. Lists that are not kept yet have no bitmap, and are appended to `missing`. Terms for
  /// which `left_out` is 1 get no operands; their lists are checked nonetheless. Throws FormatError
  /// for a damaged list.
  MatchRequest bind(std::size_t plan, const DeviceFilter* filter, std::span<const char> left_out,
                    BindMemory& memory) const;

 private:
  const DeviceSegment& segment() const { return context_.segments[segment_]; }
  void add_operand(index::TermId term, BindMemory& memory) const;
  void add_phrase(const PlacedUnion& phrase, BindMemory& memory) const;

  const MatchContext& context_;
  const BoundPlans& plans_;
  const std::size_t segment_;
  const KeptListTable* const kept_;
};

}  // namespace gannet::query::cuda
