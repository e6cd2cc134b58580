// The HostCodec concept: a codec of 32-bit values for the CPU alone, decoded from its beginning.
//
//   struct MyCodec {
//     static constexpr CodecId id{number};     see codec.hpp
//     static constexpr std::string_view name;
//     static constexpr bool gaps;              docids are coded as gaps, as in codec.hpp
//     static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words);
//     static void validate(std::span<const std::uint32_t> words, std::uint32_t count);
//     static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
//                        std::uint32_t* out);   decodes all values to out[0 .. count)
//   };
//
// encode and validate promise what they promise in codec.hpp. All functions are thread-safe.
#pragma once

#include "codecs/core/codec.hpp"
