// From scores to the whole numbers that sums of bounds are compared with.
#pragma once

#include <cstdint>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// The smallest sum of bounds that a document with a score of `threshold` or more can have: at
/// least
/// 1. The margin covers what float32 loses in scores of kMaxPrunedTerms terms and in the product.
__device__ inline std::uint32_t limit_of(float threshold, float scale) {
  return max(
      1u, static_cast<std::uint32_t>(ceilf(__fmul_rn(__fmul_rn(threshold, scale), 1.0f - 2e-5f))));
}

/// 0x80 in the bytes of `word` that are not 0, 0 in the others.
__device__ inline std::uint32_t nonzero_bytes(std::uint32_t word) {
  return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
}

/// The larger of the two 16-bit halves.
__device__ inline std::uint32_t larger_half(std::uint32_t word) {
  return max(word & 0xffffu, word >> 16);
}

}  // namespace gannet::query::cuda
