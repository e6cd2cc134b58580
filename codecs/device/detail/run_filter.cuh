// Filtering a run-length column by its runs: the values of a block are compared once a run, and no
// value of a row is ever formed.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"

namespace gannet::codecs::cuda {

/// Words of shared memory that filtering a block takes: a bit a row.
inline constexpr std::uint32_t kMarkWords = GpuRfor::block / 32;

/// One stream of a gpu-rfor block in shared memory, with kOverread words behind it.
struct RunStream {
  std::uint32_t reference;
  std::uint32_t width;
  std::uint32_t runs;
  const std::uint32_t* packed;

  __device__ explicit RunStream(const std::uint32_t* block)
      : reference(block[0]),
        width(block[1] & 0xff),
        runs(block[2]),
        packed(block + GpuRfor::kBlockHeader) {}

  /// The numbers of runs first .. first + 3 (a multiple of 4), anything beyond the last run.
  template <WidthClass kClass>
  __device__ Quad four(std::uint32_t first) const {
    Quad quad = unpack_quad<kClass>(packed, min(first, runs - 1) / 4, width);
#pragma unroll
    for (std::uint32_t& number : quad.value) number += reference;
    return quad;
  }
};

/// Flips a bit for the first row of every run in the range, and one for the row behind its last
/// row: two neighbouring runs that are both in the range flip the row between them back.
template <class Interval>
__device__ __forceinline__ void mark_runs(const RunStream& values, const RunStream& lengths,
                                          const Interval& range, std::uint32_t* marks) {
  const WarpLanes lanes;
  std::uint32_t begin = 0;
  for (std::uint32_t first = 0; first < values.runs; first += kTile) {
    const std::uint32_t run = first + 4 * WarpLanes::id();
    Quad length = lengths.four<WidthClass::kUpTo16>(run);
    const Quad value = values.four<WidthClass::kUpTo32>(run);
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      length.value[i] = run + i < values.runs ? length.value[i] : 0;
      sum += length.value[i];
    }
    WarpLanes::Var<std::uint32_t> start{sum};
    const std::uint32_t total = lanes.exclusive_scan(start);
    std::uint32_t at = begin + start.value;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t end = at + length.value[i];
      if (range.has(value.value[i]) && length.value[i] > 0) {
        atomicXor(marks + at / 32, 1u << at % 32);
        if (end < GpuRfor::block) atomicXor(marks + end / 32, 1u << end % 32);
      }
      at = end;
    }
    begin += total;
  }
}

/// Which rows of a block have a value in the range: bit 4 t + i of a lane is its value i of tile t.
/// `values` and `lengths` are the block's two parts in shared memory, `marks` kMarkWords words.
template <class Interval>
__device__ __forceinline__ std::uint32_t rows_in_range(const std::uint32_t* values,
                                                       const std::uint32_t* lengths,
                                                       const Interval& range,
                                                       std::uint32_t* marks) {
  const std::uint32_t lane = WarpLanes::id();
  if (lane < kMarkWords) marks[lane] = 0;
  __syncwarp();
  mark_runs(RunStream(values), RunStream(lengths), range, marks);
  __syncwarp();
  // A row is in the range if an odd number of bits up to its own is set.
  std::uint32_t rows = lane < kMarkWords ? marks[lane] : 0;
  const std::uint32_t odd = __ballot_sync(WarpLanes::kAll, (popcount(rows) & 1) != 0);
#pragma unroll
  for (std::uint32_t step = 1; step < 32; step *= 2) rows ^= rows << step;
  if ((popcount(odd & ((1u << lane) - 1)) & 1) != 0) rows = ~rows;
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t t = 0; t < 4; ++t) {
    const auto word = static_cast<int>(4 * t + lane / 8);
    const std::uint32_t of_word = __shfl_sync(WarpLanes::kAll, rows, word);
    mine |= (of_word >> (lane % 8 * 4) & 15) << (4 * t);
  }
  return mine;
}

}  // namespace gannet::codecs::cuda
