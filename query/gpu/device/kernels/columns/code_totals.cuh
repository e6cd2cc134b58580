// The number, the extremes and the sum of the values of the documents of a bitmap. Sums are of
// whole numbers, so they do not depend on the order of the threads.
#pragma once

#include "query/gpu/device/kernels/columns/match_codes.cuh"
#include "query/gpu/plan/code_slots.hpp"

namespace gannet::query::cuda {

/// The greatest value of a thread block's threads goes to *to, which it raises.
__device__ __forceinline__ void raise_of_block(std::uint32_t value, std::uint64_t* shared,
                                               unsigned long long* to) {
  const std::uint32_t of_warp = WarpLanes::greatest(value);
  if (WarpLanes::id() == 0) shared[threadIdx.x / kLanes] = of_warp;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint64_t greatest = 0;
    for (std::uint32_t w = 0; w < kColumnWarps; ++w) greatest = max(greatest, shared[w]);
    if (greatest != 0) atomicMax(to, static_cast<unsigned long long>(greatest));
  }
  __syncthreads();
}

/// What one lane adds up.
struct LaneTotals {
  std::uint32_t values = 0;
  std::uint64_t codes = 0;
  std::uint32_t greatest = 0;
  std::uint32_t least_below = 0;  ///< FieldSums::least_below

  __device__ void add(std::uint32_t code) {
    ++values;
    codes += code;
    greatest = max(greatest, code);
    least_below = max(least_below, ~code);
  }
};

/// Adds to *sums all of it but floats and what comes of counters.
template <Codes kCodes>
__global__ void __launch_bounds__(kColumnThreads)
    code_totals_kernel(const __grid_constant__ FieldView field, const std::uint64_t* matches,
                       FieldSums* sums) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  LaneTotals totals;
  const std::uint32_t documents =
      for_match_codes<kCodes>(field, matches, [&](std::uint32_t code, bool) { totals.add(code); });
  add_of_block(documents, of_warps, &sums->documents);
  add_of_block(totals.values, of_warps, &sums->values);
  add_of_block(totals.codes, of_warps, &sums->codes);
  raise_of_block(totals.greatest, of_warps, &sums->greatest);
  raise_of_block(totals.least_below, of_warps, &sums->least_below);
}

/// The bits of a value as a double.
__device__ __forceinline__ std::uint64_t double_bits(const FloatSums& floats, std::uint32_t code) {
  const std::uint64_t key = floats.base + code * floats.unit;
  if (!floats.narrow) {
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
    return (key & kTop) != 0 ? key ^ kTop : ~key;
  }
  constexpr std::uint32_t kTop = std::uint32_t{1} << 31;
  const auto narrow = static_cast<std::uint32_t>(key);
  const std::uint32_t bits = (narrow & kTop) != 0 ? narrow ^ kTop : ~narrow;
  const auto value = static_cast<double>(__uint_as_float(bits));
  return static_cast<std::uint64_t>(__double_as_longlong(value));
}

/// A lane's sum of floats: a whole number of 128 bits in two's complement.
struct LaneFloats {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  unsigned long long unusual = 0;

  __device__ void add(const FloatSums& floats, std::uint32_t code) {
    const std::uint64_t bits = double_bits(floats, code);
    const auto biased = static_cast<std::uint32_t>(bits >> 52 & 0x7ff);
    if (biased == 0x7ff) {
      unusual |= FloatSums::kBad;
      return;
    }
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    // Subnormal numbers are whole multiples of the same power as those of exponent 1.
    const std::uint32_t exponent = biased == 0 ? 1 : biased;
    const std::uint64_t significand = biased == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    const bool negative = bits >> 63 != 0;
    if (exponent < floats.exponent) return add_rare(floats, exponent, significand, negative);
    const std::uint32_t shift = exponent - floats.exponent;  // <= kWindow
    add_wide(significand << shift, shift == 0 ? 0 : significand >> (64 - shift), negative);
  }

  __device__ void add_wide(std::uint64_t more_low, std::uint64_t more_high, bool negative) {
    if (negative) {
      more_low = ~more_low + 1;
      more_high = ~more_high + (more_low == 0 ? 1 : 0);
    }
    low += more_low;
    high += more_high + (low < more_low ? 1 : 0);
  }

  __device__ void add_rare(const FloatSums& floats, std::uint32_t exponent,
                           std::uint64_t significand, bool negative) {
    if (significand == 0) return;
    ++unusual;
    const unsigned long long parts[2] = {significand & 0xffffffffu, significand >> 32};
    for (std::uint32_t i = 0; i < 2; ++i) {
      atomicAdd(floats.rare + 2 * exponent + i, negative ? ~parts[i] + 1 : parts[i]);
    }
  }
};

/// code_totals_kernel() for a field of floating-point numbers: adds their sum besides.
template <Codes kCodes>
__global__ void __launch_bounds__(kColumnThreads)
    float_totals_kernel(const __grid_constant__ FieldView field, const std::uint64_t* matches,
                        const __grid_constant__ FloatSums floats, FieldSums* sums) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  LaneTotals totals;
  LaneFloats values;
  const std::uint32_t documents =
      for_match_codes<kCodes>(field, matches, [&](std::uint32_t code, bool) {
        totals.add(code);
        values.add(floats, code);
      });
  add_of_block(documents, of_warps, &sums->documents);
  add_of_block(totals.values, of_warps, &sums->values);
  raise_of_block(totals.greatest, of_warps, &sums->greatest);
  raise_of_block(totals.least_below, of_warps, &sums->least_below);
  add_of_block(values.unusual, of_warps, &sums->unusual);
  // Modulo 2^128, parts of 32 bits can be added up apart.
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint64_t half = i < 2 ? values.low : values.high;
    add_of_block(half >> (i % 2 * 32) & 0xffffffffu, of_warps, &sums->parts[i]);
  }
}

}  // namespace gannet::query::cuda
