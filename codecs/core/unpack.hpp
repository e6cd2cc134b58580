// Unpacking of whole tiles on the host: the special forms that stand beside the shared decoders.
//
// They read exactly the words that they are told of. Nothing here is part of a format.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::codecs {

/// Unpacks 32 values of `width` (0 .. 32) bits each from `width` words, low bits first.
void unpack32(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);

/// Unpacks 128 values of `width` (0 .. 32) bits each from 4 * `width` words, low bits first.
void unpack128(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);

/// Unpacks 128 values of 1 to 4 bytes each, low byte first, given 8 words of 2-bit lengths - 1.
/// Returns the number of bytes that the values take. May read 3 bytes behind them: the caller sees
/// to it that these belong to the list.
std::uint32_t unpack_bytes128(const std::uint32_t* selectors, const unsigned char* bytes,
                              std::uint32_t* out);

/// Replaces every one of 128 values by `previous` plus the sum of (value + step) up to and
/// including its own, modulo 2^32; returns the last one.
std::uint32_t sum128(std::uint32_t* values, std::uint32_t step, std::uint32_t previous);

}  // namespace gannet::codecs
