// The Codec concept: what a posting codec provides, and the helpers that they share.
//
// A codec is a struct without state, in a header of its own:
//
//   struct MyCodec {
//     static constexpr std::string_view name;  as users type it
//     static constexpr CodecId id;             id_of(CodecKind::kTiles, name): see ids.hpp
//     static constexpr std::uint32_t block;    values that are coded together, a multiple of 128
//     static constexpr bool gaps;              docids are coded as gaps (docid - previous - 1)
//                                              rather than as they are
//     static constexpr bool posting;           optional, true if absent: made for posting lists.
//     The
//                                              usual scoring kernel knows only these; an index with
//                                              another codec is served by a second, larger kernel
//     static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words);
//                                              appends the encoded list
//     static void validate(std::span<const std::uint32_t> words, std::uint32_t count);
//                                              throws FormatError, naming the block, unless
//                                              decoding `count` values reads inside `words` only
//                                              and `words` has no word to spare
//     struct Cursor;                           registers carried from one tile to the next
//     template <class Lanes> static Cursor seek(Lanes, ListView, std::uint32_t tile);
//     template <class Lanes> static Cursor seek(Lanes, ListView, std::uint32_t tile,
//                                               std::uint32_t previous);
//                                              a cursor before `tile`; the second form is told the
//                                              value before the tile, which chained codecs need
//     template <class Lanes> static void next(Lanes, ListView, Payload, std::uint32_t tile,
//                                             Cursor&, typename Lanes::template Var<Quad>& out);
//                                              decodes `tile`, advances the cursor; lanes beyond
//                                              the end of the list get 0. Endpoints and headers are
//                                              read from the list, everything else from the payload
//     static constexpr std::uint32_t tile_words;   most words that a tile's payload takes
//     static Extent extent(ListView, std::uint32_t first, std::uint32_t last);
//                                              where the payload of tiles [first, last) stands;
//                                              first and last must be multiples of 8 (of 4 for
//                                              codecs with blocks of up to 512 values), or last the
//                                              end
//     static void next_full(ListView, std::uint32_t tile, Cursor&, std::uint32_t* out);
//                                              optional: next() for a full tile, on the host alone
//     static std::uint32_t boundary(ListView, std::uint32_t tile);
//                                              optional, with extent_between: what the index of the
//                                              list says of where `tile` (0 .. tile_count) starts.
//                                              The device loads those of a group at once, ahead
//     static Extent extent_between(ListView, std::uint32_t first, std::uint32_t begin,
//                                  std::uint32_t end);
//                                              extent(first, last) of a group of full tiles, given
//                                              the boundaries of first and last
//     static bool is_wide(ListView, std::uint32_t first);
//                                              optional, true if absent: whether next_wide and
//                                              sum_groups may decode the full tiles of the group
//                                              that starts at first
//     template <class Lanes> static void next_wide(
//         Lanes, StagedTiles, std::uint32_t tile, typename Lanes::template Var<WideQuads>& out);
//                                              optional: decodes the full tiles tile .. tile + 3
//                                              (tile a multiple of 4), boundaries[i] being that of
//                                              tile + i; see wide.hpp
//     template <class Lanes> static void sum_groups(
//         Lanes, StagedTiles, std::uint32_t groups, bool is_signed,
//         typename Lanes::template Var<std::uint64_t>& sums);
//                                              optional: adds the values of `groups` times eight
//                                              full tiles, as 32-bit numbers with a sign or
//                                              without, to the lanes' sums (modulo 2^64), each
//                                              value to any lane's
//     static constexpr bool prefix_sums;       optional: values are sums of those before them
//     static constexpr std::uint32_t wide_scratch;
//                                              optional: words that these two need for themselves
//     static Extent lengths_extent(ListView, std::uint32_t first, std::uint32_t last);
//     static constexpr std::uint32_t tile_lengths_words;
//                                              optional: a second stream, that of lengths, which
//                                              the wide forms read from StagedTiles::lengths
//   };
//
// encode and validate run on the host; seek and next run on both processors, from this one source.
// Every function is thread-safe (there is no state). One line in all.hpp registers a codec.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/error.hpp"
#include "codecs/ids.hpp"

namespace gannet::codecs {

/// Longest list that a codec takes: positions, bit offsets and endpoints must fit 32 bits.
inline constexpr std::uint32_t kMaxListLength = 1u << 29;

[[noreturn]] inline void fail_block(std::string_view codec, std::uint64_t block,
                                    std::string_view what) {
  throw FormatError(std::string(codec) + ": block " + std::to_string(block) + ": " +
                    std::string(what));
}

[[noreturn]] inline void fail_list(std::string_view codec, std::string_view what) {
  throw FormatError(std::string(codec) + ": " + std::string(what));
}

/// Throws UsageError for a list that is too long to encode.
inline void check_encodable(std::string_view codec, std::size_t count) {
  if (count > kMaxListLength) {
    throw UsageError(std::string(codec) + ": a list of " + std::to_string(count) +
                     " values is too long (at most " + std::to_string(kMaxListLength) + ")");
  }
}

/// Throws FormatError if a list claims more values than any list can have.
inline void check_count(std::string_view codec, std::uint32_t count) {
  if (count > kMaxListLength) {
    fail_list(codec, "a list cannot have " + std::to_string(count) + " values");
  }
}

/// Number of bits that the widest of `values` needs.
inline std::uint32_t max_width(std::span<const std::uint32_t> values) {
  std::uint32_t any = 0;
  for (const std::uint32_t value : values) any |= value;
  return bit_width(any);
}

/// Appends `values` in `width` bits each, then fills up the last word.
inline void pack(std::span<const std::uint32_t> values, std::uint32_t width,
                 std::vector<std::uint32_t>& words) {
  BitWriter writer(words);
  for (const std::uint32_t value : values) writer.put(value, width);
}

/// Unpacks values [first, first + 128) of a horizontally packed block of `size` values of `width`
/// bits each; lanes beyond `size` get 0.
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

/// Tiles that are staged and decoded together; a multiple of every codec's block.
inline constexpr std::uint32_t kGroupTiles = 8;

}  // namespace gannet::codecs
