// Evaluating filters for a group of documents.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "query/gpu/device/kernels/columns/code_groups.cuh"
#include "query/gpu/device/kernels/filter_steps.cuh"

namespace gannet::query::cuda {

/// Sets of up to 16 documents on a stack of kFilterDepth, in registers.
class SetStack {
 public:
  __device__ __forceinline__ void push(std::uint32_t bits) {
    high_ = high_ << kBits | low_ >> (64 - kBits);
    low_ = low_ << kBits | bits;
  }
  __device__ __forceinline__ std::uint32_t pop() {
    const auto bits = static_cast<std::uint32_t>(low_) & ((1u << kBits) - 1);
    low_ = low_ >> kBits | high_ << (64 - kBits);
    high_ >>= kBits;
    return bits;
  }

 private:
  static constexpr std::uint32_t kBits = 16;
  static_assert(kFilterDepth * kBits == 128);
  std::uint64_t low_ = 0, high_ = 0;
};

/// Evaluates filters for the 16 documents that a lane has of a group. The codes of the last column
/// that was read are kept, so that filters of one column should follow one another.
class GroupFilter {
 public:
  /// `documents`: of the segment, which has documents in the group.
  __device__ GroupFilter(std::uint32_t documents, std::uint32_t group)
      : documents_(documents), group_(group) {}

  /// Bit i: the lane's document i passes. Bits behind the last document are undefined.
  __device__ std::uint32_t bits(const FilterStep* steps, std::uint32_t count) {
    if (count == 1) return pushed(steps[0]);
    SetStack stack;
    for (const FilterStep* step = steps; step != steps + count; ++step) {
      switch (step->operation) {
        case FilterOperation::kAnd:
          stack.push(stack.pop() & stack.pop());
          break;
        case FilterOperation::kOr:
          stack.push(stack.pop() | stack.pop());
          break;
        case FilterOperation::kNot:
          stack.push(~stack.pop() & kAll);
          break;
        default:
          stack.push(pushed(*step));
      }
    }
    return stack.pop();
  }

 private:
  static constexpr std::uint32_t kAll = (1u << kLaneCodes) - 1;

  /// The set that a step pushes.
  __device__ std::uint32_t pushed(const FilterStep& step) {
    switch (step.operation) {
      case FilterOperation::kCodes:
        return codes_in(step);
      case FilterOperation::kValues:
        return values_in(step);
      case FilterOperation::kWords:
        return read_bits(step.words, nullptr, group_);
      default:
        return kAll;
    }
  }

  __device__ std::uint32_t codes_in(const FilterStep& step) {
    const CodeBlock& block = step.codes.blocks[group_ / kGroupsPerBlock];
    if (block.least > block.greatest || step.set.misses(block.least, block.greatest)) return 0;
    std::uint32_t bits = kAll;
    if (!step.set.covers(block.least, block.greatest)) {
      if (step.codes.blocks != loaded_) load(step.codes, block);
      bits = those_in(step.set);
    }
    return step.words == nullptr ? bits : bits & read_bits(step.words, nullptr, group_);
  }

  __device__ void load(const CodesView& codes, const CodeBlock& block) {
    loaded_ = codes.blocks;
    const PackedCodes packed = load_codes(codes, block, group_);
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) { codes_[i] = code; });
  }

  __device__ std::uint32_t those_in(const CodeChoice& set) const {
    if (set.count == 1) return those_in_interval(set.hull);
    std::uint32_t bits = 0;
    if (set.count <= FewIntervals::kMax) {
      for (std::uint32_t i = 0; i < set.count; ++i) bits |= those_in_interval(set.intervals[i]);
      return bits;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kLaneCodes; ++i) {
      if (set.has(codes_[i])) bits |= 1u << i;
    }
    return bits;
  }

  __device__ std::uint32_t those_in_interval(CodeInterval interval) const {
    std::uint32_t bits = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kLaneCodes; ++i) {
      if (interval.has(codes_[i])) bits |= 1u << i;
    }
    return bits;
  }

  __device__ std::uint32_t values_in(const FilterStep& step) const {
    const std::uint32_t first = group_ * kGroupCodes + WarpLanes::id() * kLaneCodes;
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kLaneCodes && first + i < documents_; ++i) {
      if (is_in(step, first + i)) bits |= 1u << i;
    }
    return bits;
  }

  const std::uint32_t documents_, group_;
  const CodeBlock* loaded_ = nullptr;  ///< of the column that codes_ is of
  std::uint32_t codes_[kLaneCodes];
};

}  // namespace gannet::query::cuda
