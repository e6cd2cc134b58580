// A predicate of a filter, prepared for the kernel that finds its codes.
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

/// What the bounds of column blocks decide, and the set of codes for the other blocks.
class CodeLeaf {
 public:
  /// `filter`: of kind kCodes; it must outlive this.
  CodeLeaf(const SegmentFilter& filter, std::shared_ptr<const DeviceField> field);

  const DeviceField& field() const { return *field_; }

  /// Bytes in the arena that its tables take.
  std::size_t room() const;
  /// Puts the tables into the arena.
  void put(Arena& arena);
  /// Queues the search, after the arena was sent. `words`: bitmap_room() words of the field's
  /// codes.
  void launch(std::uint64_t* words, CUstream_st* stream) const;

 private:
  std::shared_ptr<const DeviceField> field_;
  std::vector<BlockDecision> decisions_;
  std::vector<CodeInterval> intervals_;
  std::vector<std::uint32_t> table_;  ///< for many intervals that lie close together
  const BlockDecision* decisions_there_ = nullptr;
  const CodeInterval* intervals_there_ = nullptr;
  const std::uint32_t* table_there_ = nullptr;
};

}  // namespace gannet::query::cuda
