// gpu-rfor on the device: device_encoding.hpp says what an encoding is, gpu_rfor.hpp the format. A
// unit is a block.
#pragma once

#include <cstdint>

#include "codecs/device/encode/encode_minis.cuh"
#include "codecs/gpu_rfor/gpu_rfor.hpp"

namespace gannet::codecs::cuda {

struct GpuRforEncoding {
  using Codec = GpuRfor;
  static_assert(Codec::block == kUnit);
  static constexpr EncodePolicy policy = kEncodeRforPolicy;
  static constexpr std::uint32_t kValuesWords = BitStage::memory_for(Codec::kBlockHeader + kUnit);
  static constexpr std::uint32_t kLengthsWords =
      BitStage::memory_for(Codec::kBlockHeader + kUnit * Codec::kMaxLengthBits / 32);
  /// Both blocks, the values of the runs, and where they start (16 bits each).
  static constexpr std::uint32_t kScratchWords = kValuesWords + kLengthsWords + kUnit + kUnit / 2;

  static std::uint64_t max_words(std::uint64_t count) {
    return stream_words(count) + count + aside_words(count);
  }

  static std::uint64_t aside_words(std::uint64_t count) {
    const std::uint64_t blocks = (count + kUnit - 1) / kUnit;
    return stream_words(count) + (count * Codec::kMaxLengthBits + 31) / 32 + blocks;
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

  __device__ __forceinline__ static void pack(const Unit& unit, const Plan& plan,
                                              std::uint32_t* scratch) {
    const std::uint32_t* values = values_of(scratch);
    pack_block(plan.runs, plan.values, scratch, [&](std::uint32_t run) { return values[run]; });
    pack_block(plan.runs, plan.lengths, scratch + kValuesWords,
               [&](std::uint32_t run) { return length_of(unit, plan.runs, scratch, run); });
  }

  __device__ __forceinline__ static void store(const Unit& unit, const Plan& plan,
                                               OutputPosition position,
                                               const std::uint32_t* scratch) {
    store_block(unit, plan, plan.values, position.streams.words, position.before.stream[0],
                scratch);
    store_block(unit, plan, plan.lengths, position.streams.aside, position.before.stream[1],
                scratch + kValuesWords);
  }

  __device__ __forceinline__ static Sizes finish(const Unit& last, Sizes total, Streams streams) {
    const std::uint32_t blocks = ceil_div(last.count, Codec::block);
    const std::uint32_t values = first_block(last.count) + total.stream[0];
    const std::uint32_t lengths = first_block(last.count) + total.stream[1];
    put_header(streams.words, Codec::block, last.count, blocks, values);
    put_header(streams.aside, Codec::block, last.count, blocks, lengths);
    return {values, lengths};
  }

 private:
  /// Words of a stream without its payload.
  static std::uint64_t stream_words(std::uint64_t count) {
    const std::uint64_t blocks = (count + kUnit - 1) / kUnit;
    return Codec::kHeaderWords + blocks + 1 + blocks * Codec::kBlockHeader;
  }

  /// Where a stream's first block begins.
  __device__ __forceinline__ static std::uint32_t first_block(std::uint32_t count) {
    return Codec::kHeaderWords + ceil_div(count, Codec::block) + 1;
  }

  __device__ __forceinline__ static std::uint32_t block_size(std::uint32_t runs, Frame frame) {
    return Codec::kBlockHeader + ceil_div(runs * frame.width, 32);
  }

  __device__ __forceinline__ static std::uint32_t* values_of(std::uint32_t* scratch) {
    return scratch + kValuesWords + kLengthsWords;
  }

  __device__ __forceinline__ static std::uint16_t* starts_of(std::uint32_t* scratch) {
    return reinterpret_cast<std::uint16_t*>(values_of(scratch) + kUnit);
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
    const auto reference = static_cast<std::uint32_t>(WarpLanes::least_signed(least));
    const auto largest = static_cast<std::uint32_t>(WarpLanes::greatest_signed(most));
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
        values_of(scratch)[run] = unit.quad[t].value[i];
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

  /// Puts a block of one stream together.
  template <class NumberOf>
  __device__ __forceinline__ static void pack_block(std::uint32_t runs, Frame frame,
                                                    std::uint32_t* memory, NumberOf number_of) {
    BitStage stage(memory, block_size(runs, frame));
    if (WarpLanes::id() == 0) {
      stage.put_word(0, frame.reference);
      stage.put_word(1, frame.width * 0x01010101u);
      stage.put_word(2, runs);
    }
    if (frame.width == 0) return;
    for (std::uint32_t first = 4 * WarpLanes::id(); first < runs; first += kTile) {
      Quad quad;
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        quad.value[i] = first + i < runs ? number_of(first + i) - frame.reference : 0;
      }
      stage.put_quad(Codec::kBlockHeader, first * frame.width, frame.width, quad);
    }
  }

  /// Writes the unit's block of one stream, whose header is at `stream`, and where it starts.
  __device__ __forceinline__ static void store_block(const Unit& unit, const Plan& plan,
                                                     Frame frame, std::uint32_t* stream,
                                                     std::uint32_t before,
                                                     const std::uint32_t* memory) {
    const std::uint32_t offset = first_block(unit.count) + before;
    BitStage::store(memory, block_size(plan.runs, frame), stream + offset);
    if (WarpLanes::id() == 0) stream[Codec::kHeaderWords + unit.first / kUnit] = offset;
    if (unit.first == 0) put_first_value(stream, plan.first_value);
  }
};

}  // namespace gannet::codecs::cuda
