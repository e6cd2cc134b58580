// gpu-rfor on the device: encode_unit.cuh says what an encoding is, gpu_rfor.hpp the format. A unit
// is a block.
#pragma once

#include <cstdint>

#include "gannet/codecs/cuda/encode_minis.cuh"
#include "gannet/codecs/gpu_rfor.hpp"

namespace gannet::codecs::cuda {

struct GpuRforEncoding {
  using Codec = GpuRfor;
  static_assert(Codec::block == kUnit);
  static constexpr std::uint32_t kWarps = 8;
  /// The stream of lengths starts where that of values ends.
  static constexpr bool kNeedsTotal = true;
  static constexpr std::uint32_t kStageWords = BitStage::memory_for(Codec::kBlockHeader + kUnit);
  /// The stage, the values of the runs, and where they start (16 bits each).
  static constexpr std::uint32_t kScratchWords = kStageWords + kUnit + kUnit / 2;

  static std::uint64_t max_words(std::uint64_t count) {
    const std::uint64_t blocks = (count + kUnit - 1) / kUnit;
    const std::uint64_t lengths = (count * Codec::kMostLengthBits + 31) / 32 + blocks;
    return 2 * (Codec::kHeaderWords + blocks + 1 + blocks * Codec::kBlockHeader) + count + lengths;
  }

  /// Numbers of one stream: their reference and width.
  struct Frame {
    std::uint32_t reference;
    std::uint32_t width;
  };

  struct Plan {
    std::uint32_t first_value;
    std::uint32_t runs;
    Frame values;
    Frame lengths;
  };

  /// Leaves the runs in the scratch memory.
  __device__ __forceinline__ static Plan plan(Unit& unit, std::uint32_t* scratch) {
    Plan plan;
    plan.first_value = __shfl_sync(WarpLanes::kAll, unit.quad[0].value[0], 0);
    plan.values = frame_of_values(unit);
    plan.runs = scatter_runs(unit, scratch);
    plan.lengths = frame_of_lengths(unit, plan.runs, scratch);
    return plan;
  }

  __device__ __forceinline__ static Sizes sizes(const Plan& plan) {
    return {block_size(plan.runs, plan.values), block_size(plan.runs, plan.lengths)};
  }

  __device__ __forceinline__ static void pack(const Unit& unit, const Plan& plan, Place place,
                                              std::uint32_t* scratch) {
    const std::uint32_t* values = scratch + kStageWords;
    pack_stream(unit, plan, plan.values, place.words, place.before.stream[0], scratch,
                [&](std::uint32_t run) { return values[run]; });
    pack_stream(unit, plan, plan.lengths,
                place.words + first_block(unit.count) + place.total.stream[0],
                place.before.stream[1], scratch,
                [&](std::uint32_t run) { return length_of(unit, plan.runs, scratch, run); });
  }

  __device__ __forceinline__ static std::uint32_t finish(const Unit& last, Sizes total,
                                                         std::uint32_t* words) {
    const std::uint32_t blocks = ceil_div(last.count, Codec::block);
    const std::uint32_t values = first_block(last.count) + total.stream[0];
    const std::uint32_t lengths = first_block(last.count) + total.stream[1];
    put_header(words, Codec::block, last.count, blocks, values);
    put_header(words + values, Codec::block, last.count, blocks, lengths);
    return values + lengths;
  }

 private:
  /// Where a stream's first block begins.
  __device__ __forceinline__ static std::uint32_t first_block(std::uint32_t count) {
    return Codec::kHeaderWords + ceil_div(count, Codec::block) + 1;
  }

  __device__ __forceinline__ static std::uint32_t block_size(std::uint32_t runs, Frame frame) {
    return Codec::kBlockHeader + ceil_div(runs * frame.width, 32);
  }

  __device__ __forceinline__ static std::uint16_t* starts_of(std::uint32_t* scratch) {
    return reinterpret_cast<std::uint16_t*>(scratch + kStageWords + kUnit);
  }

  /// Runs have the values of the unit, so these have the frame of the runs.
  __device__ __forceinline__ static Frame frame_of_values(const Unit& unit) {
    int least = 0x7fffffff;
    int most = -0x7fffffff - 1;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        const int value = static_cast<int>(unit.quad[t].value[i]);
        const bool there = place_in_unit(t, i) < unit.size;
        least = there ? min(least, value) : least;
        most = there ? max(most, value) : most;
      }
    }
    const auto reference = static_cast<std::uint32_t>(__reduce_min_sync(WarpLanes::kAll, least));
    const auto largest = static_cast<std::uint32_t>(__reduce_max_sync(WarpLanes::kAll, most));
    return {reference, device_bit_width(largest - reference)};
  }

  /// Writes the values and starts of the unit's runs to the scratch memory; returns their number.
  __device__ __forceinline__ static std::uint32_t scatter_runs(const Unit& unit,
                                                               std::uint32_t* scratch) {
    std::uint32_t begins = 0;  // bit 4 t + i: value i of quad t begins a run
    std::uint32_t counts = 0;  // runs that begin in quad t, in byte t
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      std::uint32_t before = before_quad(unit, t);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t value = unit.quad[t].value[i];
        const std::uint32_t place = place_in_unit(t, i);
        const bool begin = place < unit.size && (place == 0 || value != before);
        begins |= (begin ? 1u : 0u) << (4 * t + i);
        counts += (begin ? 1u : 0u) << (8 * t);
        before = value;
      }
    }
    // No tile has more than 128 runs: one scan serves all four.
    WarpLanes::Var<std::uint32_t> runs_before{counts};
    const std::uint32_t totals = WarpLanes{}.exclusive_scan(runs_before);
    __syncwarp();
    std::uint32_t first = 0;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      std::uint32_t run = first + (runs_before.value >> (8 * t) & 0xff);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        if ((begins >> (4 * t + i) & 1) == 0) continue;
        scratch[kStageWords + run] = unit.quad[t].value[i];
        starts_of(scratch)[run] = static_cast<std::uint16_t>(place_in_unit(t, i));
        ++run;
      }
      first += totals >> (8 * t) & 0xff;
    }
    __syncwarp();
    return first;
  }

  __device__ __forceinline__ static std::uint32_t length_of(const Unit& unit, std::uint32_t runs,
                                                            std::uint32_t* scratch,
                                                            std::uint32_t run) {
    const std::uint16_t* starts = starts_of(scratch);
    return (run + 1 < runs ? starts[run + 1] : unit.size) - starts[run];
  }

  __device__ __forceinline__ static Frame frame_of_lengths(const Unit& unit, std::uint32_t runs,
                                                           std::uint32_t* scratch) {
    std::uint32_t least = kUnit;
    std::uint32_t most = 1;
    for (std::uint32_t run = WarpLanes::id(); run < runs; run += kLanes) {
      const std::uint32_t length = length_of(unit, runs, scratch, run);
      least = min(least, length);
      most = max(most, length);
    }
    least = WarpLanes::least(least);
    return {least, device_bit_width(WarpLanes::greatest(most) - least)};
  }

  /// Writes the unit's block of one stream, whose header is at `stream`, and the block's start.
  template <class NumberOf>
  __device__ __forceinline__ static void pack_stream(const Unit& unit, const Plan& plan,
                                                     Frame frame, std::uint32_t* stream,
                                                     std::uint32_t before, std::uint32_t* scratch,
                                                     NumberOf number_of) {
    const std::uint32_t offset = first_block(unit.count) + before;
    BitStage stage(scratch, stream + offset, block_size(plan.runs, frame));
    if (WarpLanes::id() == 0) {
      stage.put_word(0, frame.reference);
      stage.put_word(1, frame.width * 0x01010101u);
      stage.put_word(2, plan.runs);
      stream[Codec::kHeaderWords + unit.first / kUnit] = offset;
    }
    for (std::uint32_t first = 4 * WarpLanes::id(); first < plan.runs; first += kTile) {
      Quad quad;
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        quad.value[i] = first + i < plan.runs ? number_of(first + i) - frame.reference : 0;
      }
      stage.put_quad(Codec::kBlockHeader, first * frame.width, frame.width, quad);
    }
    stage.store();
    if (unit.first == 0) put_first_value(stream, plan.first_value);
  }
};

}  // namespace gannet::codecs::cuda
