// Decoding with SIMD instructions on the host: the parts that the CPU's codecs are made of. Each
// has a portable form, which gives the same values. Nothing here is part of a format.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::codecs::papers {

/// Unpacks 128 values of `width` (0 .. 32) bits each from `width` rows of four words: value i is
/// number i / 4 of lane i % 4, whose words are the i % 4-th ones of the rows, low bits first.
void unpack_vertical128(const std::uint32_t* rows, std::uint32_t width, std::uint32_t* out);

/// How groups of four values of 1 to 4 bytes are decoded.
enum class BytePath {
  kPortable,
  kShuffle,  ///< one byte shuffle a group (SSSE3)
};

/// The fastest path that this processor has.
BytePath fastest_byte_path();

/// Bytes of the `values` (0 .. 4) first values of a group with this tag: four 2-bit lengths - 1,
/// the first in the lowest bits.
std::uint32_t group_bytes(std::uint32_t tag, std::uint32_t values);

/// Decodes `count` values whose groups each are a tag and the bytes of four values (the last one of
/// the rest), low byte first. Reads inside of the `size` bytes only, if they hold these groups.
void decode_tagged_groups(const unsigned char* bytes, std::size_t size, std::uint32_t count,
                          std::uint32_t* out, BytePath path);

/// The same for tags that stand apart: `bytes` has `size` bytes of values.
void decode_groups(const unsigned char* tags, const unsigned char* bytes, std::size_t size,
                   std::uint32_t count, std::uint32_t* out, BytePath path);

}  // namespace gannet::codecs::papers
