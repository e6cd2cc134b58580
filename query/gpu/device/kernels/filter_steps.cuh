// Evaluating a filter's steps for single documents, and for what column blocks decide. No lane
// waits for another one.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "query/gpu/device/kernels/code_at.cuh"
#include "query/gpu/plan/filter_steps.hpp"

namespace gannet::query::cuda {

/// Whether a document is in the set that a step pushes.
__device__ __forceinline__ bool is_in(const FilterStep& step, std::uint32_t document) {
  const FilterOperation operation = step.operation;
  if (operation == FilterOperation::kAll) return true;
  if (step.words != nullptr && (__ldg(step.words + document / 64) >> document % 64 & 1) == 0) {
    return false;
  }
  if (operation == FilterOperation::kWords) return true;
  std::uint32_t at = document;
  std::uint32_t end = document + 1;
  if (operation == FilterOperation::kValues) {
    at = __ldg(step.starts + document);
    end = __ldg(step.starts + document + 1);
  }
  bool found = false;
  for (; at < end && !found; ++at) found = step.set.has(code_at(step.codes, at));
  return found;
}

/// What the smallest and largest codes of a column block say of the set that a step pushes. Bit 0:
/// a document of the block may be in it. Bit 1: a document may be outside.
__device__ __forceinline__ std::uint32_t what_may_be(const FilterStep& step,
                                                     std::uint32_t block_number) {
  if (step.operation == FilterOperation::kAll) return 1;
  if (step.operation != FilterOperation::kCodes) return 3;
  const CodeBlock& block = step.codes.blocks[block_number];
  if (block.least > block.greatest || step.set.misses(block.least, block.greatest)) return 2;
  return step.words == nullptr && step.set.covers(block.least, block.greatest) ? 1 : 3;
}

/// Whether one document passes a filter.
__device__ __forceinline__ bool document_passes(const FilterStep* steps, std::uint32_t count,
                                                std::uint32_t document) {
  static_assert(kFilterDepth < 32);
  std::uint32_t stack = 0;  // bit 0: the set on top
  for (const FilterStep* step = steps; step != steps + count; ++step) {
    const FilterOperation operation = step->operation;
    if (operation == FilterOperation::kNot) {
      stack ^= 1;
    } else if (operation == FilterOperation::kAnd) {
      stack = stack >> 1 & (stack | ~1u);
    } else if (operation == FilterOperation::kOr) {
      stack = stack >> 1 | (stack & 1);
    } else {
      stack = stack << 1 | (is_in(*step, document) ? 1 : 0);
    }
  }
  return (stack & 1) != 0;
}

/// Whether a document of a column block may pass a filter, as far as the smallest and largest codes
/// decide it.
__device__ __forceinline__ bool block_may_pass(const FilterStep* steps, std::uint32_t count,
                                               std::uint32_t block_number) {
  // Two bits for each set. Bit 0: a document may be in it. Bit 1: a document may not be in it.
  static_assert(2 * kFilterDepth < 32);
  std::uint32_t stack = 0;
  for (const FilterStep* step = steps; step != steps + count; ++step) {
    const FilterOperation operation = step->operation;
    const std::uint32_t below = stack >> 2;
    if (operation == FilterOperation::kNot) {
      stack = below << 2 | (stack & 1) << 1 | (stack >> 1 & 1);
    } else if (operation == FilterOperation::kAnd) {
      stack = (below & (stack | ~1u)) | (stack & 2);
    } else if (operation == FilterOperation::kOr) {
      stack = (below & (stack | ~2u)) | (stack & 1);
    } else {
      stack = stack << 2 | what_may_be(*step, block_number);
    }
  }
  return (stack & 1) != 0;
}

}  // namespace gannet::query::cuda
