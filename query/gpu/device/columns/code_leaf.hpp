// A predicate of a filter, made ready for the kernel that finds its codes. Host code.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/filter/segment_filter.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/code_sets.hpp"

namespace gannet::query::cuda {

/// What blocks' bounds decide, and the set that the others are asked for.
class CodeLeaf {
 public:
  /// `filter` is a kCodes that outlives it.
  CodeLeaf(const SegmentFilter& filter, std::shared_ptr<const DeviceField> field);

  const DeviceField& field() const { return *field_; }

  /// Room in the arena that its tables take.
  std::size_t room() const;
  /// Puts them there.
  void put(Arena& arena);
  /// After the arena was sent: queues the search. `words`: bitmap_room() of the field's codes.
  void launch(std::uint64_t* words, CUstream_st* stream) const;

 private:
  std::shared_ptr<const DeviceField> field_;
  std::vector<BlockDecision> decisions_;
  std::vector<CodeInterval> intervals_;
  std::vector<std::uint32_t> table_;  ///< of many intervals that lie close
  const BlockDecision* decisions_there_ = nullptr;
  const CodeInterval* intervals_there_ = nullptr;
  const std::uint32_t* table_there_ = nullptr;
};

}  // namespace gannet::query::cuda
