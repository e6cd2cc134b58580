// The codecs that the CIKM 2019 paper compares its own with: of d-gaps, for one CPU thread.
//
//   struct MyCodec {
//     static constexpr std::string_view name;
//     static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words);
//     static void validate(std::span<const std::uint32_t> words, std::uint32_t count);
//     static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
//                        std::uint32_t* out);   decodes all values to out[0 .. count)
//   };
//
// encode and validate promise what those of a tile codec promise. All functions are thread-safe.
#pragma once

#include <tuple>

#include "bench/papers/cikm19/bp32.hpp"
#include "bench/papers/cikm19/simd_bp128.hpp"
#include "bench/papers/cikm19/stream_vbyte.hpp"
#include "bench/papers/cikm19/varint_gb.hpp"

namespace gannet::codecs::papers {

using HostCodecs = std::tuple<  //
    Bp32,                       //
    SimdBp128,                  //
    VarintGb,                   //
    StreamVbyte>;

}  // namespace gannet::codecs::papers
