// Functions that codecs share: limits, errors, bit packing. They are thread-safe. concepts.hpp has
// the contract of codecs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/core/ids.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/core/traits.hpp"

namespace gannet::codecs {

/// Throws FormatError with the message "CODEC: block N: WHAT". For a chunk codec, N is the number
/// of a chunk.
[[noreturn]] inline void fail_block(std::string_view codec, std::uint64_t block,
                                    std::string_view what) {
  throw FormatError(std::string(codec) + ": block " + std::to_string(block) + ": " +
                    std::string(what));
}

/// Throws FormatError with the message "CODEC: WHAT".
[[noreturn]] inline void fail_list(std::string_view codec, std::string_view what) {
  throw FormatError(std::string(codec) + ": " + std::string(what));
}

/// Throws UsageError if a list of `count` values is too long to encode: above kMaxListLength.
inline void check_encodable(std::string_view codec, std::size_t count) {
  if (count > kMaxListLength) {
    throw UsageError(std::string(codec) + ": a list of " + std::to_string(count) +
                     " values is too long (at most " + std::to_string(kMaxListLength) + ")");
  }
}

/// Throws FormatError if `count`, the length that a file claims, is above kMaxListLength.
inline void check_count(std::string_view codec, std::uint32_t count) {
  if (count > kMaxListLength) {
    fail_list(codec, "a list cannot have " + std::to_string(count) + " values");
  }
}

/// Number of bits that the largest of `values` needs: 0 if all are 0, or if `values` is empty.
inline std::uint32_t max_width(std::span<const std::uint32_t> values) {
  std::uint32_t any = 0;
  for (const std::uint32_t value : values) any |= value;
  return bit_width(any);
}

/// Appends `values` in `width` (0..32) bits each, then completes the last word with zero bits.
/// Every value must fit into `width` bits.
inline void pack(std::span<const std::uint32_t> values, std::uint32_t width,
                 std::vector<std::uint32_t>& words) {
  BitWriter writer(words);
  for (const std::uint32_t value : values) writer.put(value, width);
}

/// Appends `bytes` unchanged, then completes the last word with zero bytes. Throws CancelledError
/// when the token of the thread's StopScope asks for it; `words` then has a part of the bytes.
inline void append_bytes(std::span<const std::byte> bytes, std::vector<std::uint32_t>& words) {
  const std::size_t base = words.size();
  const std::size_t end = base + (bytes.size() + 3) / 4;
  if (end > words.capacity()) words.reserve(std::max(end, 2 * words.capacity()));
  for_each_chunk(bytes.size(), [&](std::size_t first, std::size_t size) {
    words.resize(base + (first + size + 3) / 4);
    std::memcpy(words.data() + base + first / 4, bytes.data() + first, size);
  });
}

/// Unpacks values [first, first + 128) of a horizontally packed block: `size` values of `width`
/// (0..32) bits each, one behind the other. Positions from `size` on get 0, and no word is read for
/// them.
template <class Lanes>
GANNET_HD void unpack_tile(Lanes lanes, const std::uint32_t* packed, std::uint32_t width,
                           std::uint32_t first, std::uint32_t size,
                           typename Lanes::template Var<Quad>& out) {
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t index = first + 4 * lane + i;
      out[lane].value[i] = index < size ? extract(packed, index * width, width) : 0;
    }
  });
}

}  // namespace gannet::codecs
