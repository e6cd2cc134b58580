// The contracts of codecs. A codec is a struct without state in a header of its own;
// tile_codecs.hpp and chunk_codecs.hpp assert that what they list keeps its contract.
//
//   TileCodec      32-bit values, of which any tile of 128 is decoded by itself
//     BoundaryTileCodec, WideTileCodec, SummingTileCodec, LengthsTileCodec, FullTileCodec
//                  refinements: what a codec declares in `traits` (traits.hpp)
//   ChunkCodec     values of any integer type, in chunks that a warp decodes each
//
// encode and validate run on the host; decoders are templates over their lanes (lanes.hpp) and run
// on both processors from this one source. Every function is thread-safe: there is no state.
// Decoders trust their words: these have passed validate(). Loops of encode and validate ask the
// token of the StopScope (cancellation.hpp) every few milliseconds.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "codecs/core/faults.hpp"
#include "codecs/core/ids.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/parameters.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/core/traits.hpp"

namespace gannet::codecs {

/// A codec has a name, as users type it, and an id, id_of(kind, name) from the table in ids.hpp.
template <class C>
concept NamedCodec = requires {
  requires std::same_as<decltype(C::name), const std::string_view>;
  requires std::same_as<decltype(C::id), const CodecId>;
};

/// Numbers that say how a tile codec's lists are laid out.
template <class C>
concept HasTileLayout = requires {
  /// Values that are coded together: a multiple of 128.
  requires std::same_as<decltype(C::block), const std::uint32_t>;
  requires C::block >
  0 && C::block % kTile == 0;
  /// Most words that a tile's payload takes.
  requires std::same_as<decltype(C::tile_words), const std::uint32_t>;
  /// What it can do beyond this concept.
  requires std::same_as<decltype(C::traits), const TileTraits>;
};

/// The host's side of a tile codec.
template <class C>
concept EncodesTiles = requires(std::span<const std::uint32_t> values,
                                std::vector<std::uint32_t>& words, std::uint32_t count) {
  /// Appends the encoded list: any values, up to kMaxListLength of them (UsageError beyond).
  { C::encode(values, words) } -> std::same_as<void>;
  /// Throws FormatError, naming the block, unless decoding `count` values reads inside `values`
  /// only and there is no word to spare.
  { C::validate(values, count) } -> std::same_as<void>;
};

/// The decoder of a tile codec, over lanes of type Lanes.
template <class C, class Lanes>
concept DecodesTiles = requires(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                                std::uint32_t previous, typename C::Cursor& cursor,
                                typename Lanes::template Var<Quad>& out) {
  /// Registers that are carried from one tile to the next.
  requires std::is_trivially_copyable_v<typename C::Cursor>;
  /// A cursor before `tile`; the second form is told the value before the tile, which spares
  /// chained codecs to decode what comes before.
  { C::seek(lanes, list, tile) } -> std::same_as<typename C::Cursor>;
  { C::seek(lanes, list, tile, previous) } -> std::same_as<typename C::Cursor>;
  /// Decodes `tile` and moves the cursor behind it; lanes beyond the end of the list get 0.
  /// Endpoints and headers are read from the list, everything else from the payload.
  { C::next(lanes, list, payload, tile, cursor, out) } -> std::same_as<void>;
  /// Where the payload of tiles [first, last) stands. Both are multiples of the block's tiles, or
  /// `last` is the end of the list.
  { C::extent(list, tile, tile) } -> std::same_as<Extent>;
};

/// traits.full_tiles.
template <class C>
concept DecodesFullTiles = requires(ListView list, std::uint32_t tile, typename C::Cursor& cursor,
                                    std::uint32_t* out) {
  /// next() for a full tile, on the host alone.
  { C::next_full(list, tile, cursor, out) } -> std::same_as<void>;
};

/// traits.single_values.
template <class C>
concept HasSingleValues = requires(ListView list, std::uint32_t position) {
  /// The value at a position of the list, on the host alone.
  { C::value(list, position) } -> std::same_as<std::uint32_t>;
};

/// traits.boundaries.
template <class C>
concept HasBoundaries = requires(ListView list, std::uint32_t tile, std::uint32_t boundary) {
  /// What the index of the list says of where `tile` (0 .. tile_count) starts. The device loads
  /// those of a group at once, ahead of the payload.
  { C::boundary(list, tile) } -> std::same_as<std::uint32_t>;
  /// extent(first, last) of a group of full tiles, given the boundaries of first and last.
  { C::extent_between(list, tile, boundary, boundary) } -> std::same_as<Extent>;
};

/// traits.wide.
template <class C, class Lanes>
concept DecodesWide = requires(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                               typename Lanes::template Var<WideQuads>& out) {
  /// Decodes the full tiles tile .. tile + 3 (tile a multiple of 4); tiles.boundaries[i] is the
  /// boundary of tile + i. May read kOverread words behind the staged ones.
  { C::next_wide(lanes, tiles, tile, out) } -> std::same_as<void>;
};

/// traits.sums.
template <class C, class Lanes>
concept SumsGroups = requires(Lanes lanes, const StagedTiles& tiles, std::uint32_t groups,
                              bool is_signed, typename Lanes::template Var<std::uint64_t>& sums) {
  /// Adds the values of `groups` times kGroupTiles full tiles, as 32-bit numbers with a sign or
  /// without, to the lanes' sums (modulo 2^64), each value to any lane's.
  { C::sum_groups(lanes, tiles, groups, is_signed, sums) } -> std::same_as<void>;
};

/// traits.lengths_words.
template <class C>
concept HasLengths = requires(ListView list, std::uint32_t tile) {
  /// Where the lengths of tiles [first, last) stand, which the wide forms read from
  /// StagedTiles::lengths; first and last as for extent().
  { C::lengths_extent(list, tile, tile) } -> std::same_as<Extent>;
};

/// Whether what a tile codec declares exists for these lanes, and what exists is declared.
template <class C, class Lanes>
consteval bool keeps_traits() {
  constexpr TileTraits kTraits = C::traits;
  static_assert(kTraits.full_tiles == DecodesFullTiles<C>,
                "traits.full_tiles and next_full(ListView, tile, Cursor&, uint32*) do not agree");
  static_assert(kTraits.single_values == HasSingleValues<C>,
                "traits.single_values and value(ListView, position) do not agree");
  static_assert(kTraits.boundaries == HasBoundaries<C>,
                "traits.boundaries and boundary(ListView, tile), extent_between(ListView, first, "
                "begin, end) do not agree");
  static_assert(kTraits.wide == DecodesWide<C, Lanes>,
                "traits.wide and next_wide(Lanes, const StagedTiles&, tile, Var<WideQuads>&) do "
                "not agree");
  static_assert(kTraits.sums == SumsGroups<C, Lanes>,
                "traits.sums and sum_groups(Lanes, const StagedTiles&, groups, is_signed, "
                "Var<uint64>&) do not agree");
  static_assert((kTraits.lengths_words > 0) == HasLengths<C>,
                "traits.lengths_words and lengths_extent(ListView, first, last) do not agree");
  static_assert(!(kTraits.wide || kTraits.sums) || kTraits.boundaries,
                "wide forms are given boundaries: declare traits.boundaries too");
  static_assert(!(kTraits.wide || kTraits.sums) || kGroupTiles * kTile % C::block == 0,
                "wide forms are given whole blocks: a group of kGroupTiles tiles");
  static_assert(kTraits.scratch_words == 0 || kTraits.wide || kTraits.sums,
                "traits.scratch_words is for wide forms, of which there is none");
  return true;
}

/// A codec of 32-bit values, for posting lists and columns, of which any tile of 128 is decoded by
/// itself. Source of the shape: tiles of 128 suit a warp, four consecutive values per lane.
template <class C>
concept TileCodec = NamedCodec<C> && HasTileLayout<C> && EncodesTiles<C> &&
    DecodesTiles<C, SerialLanes> && ChecksBlocks<C>;

/// A tile codec whose index tells where tiles start.
template <class C>
concept BoundaryTileCodec = TileCodec<C> && C::traits.boundaries;

/// A tile codec that decodes four tiles together.
template <class C>
concept WideTileCodec = BoundaryTileCodec<C> && C::traits.wide;

/// A tile codec that adds values up without giving them.
template <class C>
concept SummingTileCodec = BoundaryTileCodec<C> && C::traits.sums;

/// A tile codec with a second stream, that of lengths.
template <class C>
concept LengthsTileCodec = TileCodec<C> &&(C::traits.lengths_words > 0);

/// A tile codec with a host form for full tiles.
template <class C>
concept FullTileCodec = TileCodec<C> && C::traits.full_tiles;

/// Whether a chunk codec keeps its contract for columns of type T. Device code is compiled for the
/// unsigned types only: a signed column is decoded as its unsigned twin, so decoding must be the
/// same arithmetic, modulo 2^bits, for both; what differs (the smallest value of a block, zigzag)
/// is decided by encode and recorded in the words.
template <class C, class T, class Lanes>
concept CodesChunksOf = requires(Lanes lanes, ListView column, std::span<const T> values,
                                 const Parameters& parameters, std::vector<std::uint32_t>& words,
                                 std::span<const std::uint32_t> encoded, std::uint32_t number,
                                 std::make_unsigned_t<T>* out) {
  /// Appends the encoded column (up to kMaxListLength values); what decoding needs of the
  /// parameters is in the words. Throws UsageError for bad parameters.
  { C::template encode<T>(values, parameters, words) } -> std::same_as<void>;
  /// Throws FormatError, naming the chunk, unless decoding `number` values reads inside `encoded`
  /// and writes inside the chunk only, and no word is to spare.
  { C::template validate<T>(encoded, number) } -> std::same_as<void>;
  /// Values in every chunk but the last: at least 1. Both processors.
  {
    C::template chunk_values<std::make_unsigned_t<T>>(column.words)
    } -> std::same_as<std::uint32_t>;
  /// Words of scratch memory, on 16 bytes, that decoding a chunk needs: a warp's shared memory.
  requires std::convertible_to<decltype(C::template scratch_words<std::make_unsigned_t<T>>),
                               std::uint32_t>;
  /// Decodes chunk `number` to out[0 .. size of the chunk). `out` may be global or shared memory
  /// and is aligned to 16 bytes if chunk_values is a multiple of 16. A warp may read kOverread
  /// words behind the column, whatever they hold. False if the bytes proved to be damaged; that is
  /// never so of words that validate() has passed.
  {
    C::template decode_chunk<std::make_unsigned_t<T>>(lanes, column, number, words.data(), out)
    } -> std::same_as<bool>;
};

/// Whether a chunk codec codes values of type T, one of the eight of value_type.hpp.
template <class C, class T>
concept TakesType = C::template takes<T>;

template <class C, class T, class Lanes>
concept CodesChunksIfTaken = !TakesType<C, T> || CodesChunksOf<C, T, Lanes>;

template <class C, class... T>
concept ChecksChunksIfTaken = ((!TakesType<C, T> || ChecksChunks<C, T>)&&...);

/// A codec of columns of any integer type, cut into chunks that are decoded independently, each by
/// one warp.
template <class C, class Lanes = SerialLanes>
concept ChunkCodec = NamedCodec<C> && CodesChunksIfTaken<C, std::int8_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint8_t, Lanes> && CodesChunksIfTaken<C, std::int16_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint16_t, Lanes> && CodesChunksIfTaken<C, std::int32_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint32_t, Lanes> && CodesChunksIfTaken<C, std::int64_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint64_t, Lanes>;

/// For static_assert where a codec is registered: errors say what is missing.
template <class C>
consteval bool is_tile_codec() {
  static_assert(NamedCodec<C>, "a codec has a name and an id");
  static_assert(HasTileLayout<C>, "a tile codec has block, tile_words and traits");
  static_assert(EncodesTiles<C>, "a tile codec has encode and validate");
  static_assert(DecodesTiles<C, SerialLanes>, "a tile codec has Cursor, seek, next and extent");
  static_assert(ChecksBlocks<C>, "a tile codec has frame_fault and block_fault: see faults.hpp");
  keeps_traits<C, SerialLanes>();
#if defined(__CUDACC__)
  static_assert(DecodesTiles<C, WarpLanes>, "a tile codec is decoded by a warp");
  keeps_traits<C, WarpLanes>();
#endif
  return TileCodec<C>;
}

/// is_tile_codec() for chunk codecs.
template <class C>
consteval bool is_chunk_codec() {
  static_assert(ChunkCodec<C>, "what a chunk codec has: see CodesChunksOf");
  static_assert(ChecksChunksIfTaken<C, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                    std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>,
                "a chunk codec has frame_fault and chunk_fault for its types: see faults.hpp");
#if defined(__CUDACC__)
  static_assert(ChunkCodec<C, WarpLanes>, "a chunk codec is decoded by a warp");
#endif
  return ChunkCodec<C>;
}

}  // namespace gannet::codecs
