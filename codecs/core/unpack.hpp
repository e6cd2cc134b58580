// Unpacking of full tiles on the host: faster forms for next_full() beside the shared decoders.
//
// The functions are thread-safe. Packed input must not overlap the output. No format depends on
// this file. unpack128() and sum128() use the best vector instructions of the processor. These are
// chosen during static initialization: do not call the two functions before main().
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::codecs {

/// Unpacks 32 values of `width` (0 .. 32) bits each from `width` words, low bits first, to
/// out[0 .. 31]. Reads no other words.
void unpack32(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);

/// Unpacks 128 values of `width` (0 .. 32) bits each from 4 * `width` words, low bits first, to
/// out[0 .. 127]. Reads no other words.
void unpack128(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out);

/// Unpacks 128 values of 1 to 4 bytes each, low byte first, to out[0 .. 127]. `selectors` is 8
/// words with 2 bits for each value: its number of bytes - 1, first value in the lowest bits.
/// Returns the number of bytes that the values take. The function may read up to 3 bytes behind the
/// values: the caller must make sure that they are readable.
std::uint32_t unpack_bytes128(const std::uint32_t* selectors, const unsigned char* bytes,
                              std::uint32_t* out);

/// Replaces values[i], for i from 0 to 127, by `previous` plus the sum of values[j] + `step` over
/// all j <= i, modulo 2^32. Returns the new values[127].
std::uint32_t sum128(std::uint32_t* values, std::uint32_t step, std::uint32_t previous);

}  // namespace gannet::codecs
