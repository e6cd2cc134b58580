// The contracts of codecs. A codec is a struct with static members and no state, in its own header.
// tile_codecs.hpp and chunk_codecs.hpp assert that the codecs in their lists keep the contract.
//
//   TileCodec      32-bit values; any tile of 128 is decoded on its own
//     BoundaryTileCodec, WideTileCodec, SummingTileCodec, LengthsTileCodec, FullTileCodec
//                  refinements: optional parts that a codec declares in `traits` (traits.hpp)
//   ChunkCodec     values of any integer type, in chunks; a warp decodes a chunk
//
// encode() and validate() run on the host. Decoders are templates over their lanes (lanes.hpp), and
// run on both processors from one source. All functions of a codec are thread-safe.
//
// Decoders do not check their words: the caller must have called validate(). Decoders throw
// nothing. encode() and validate() take time linear in the number of values. Their loops ask the
// token of the thread's StopScope (cancellation.hpp) every few milliseconds, and throw
// CancelledError when it asks for a stop. After any exception of encode(), `words` may have a part
// of the encoded list.
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

/// A codec has a name, as users type it, and an id: id_of(kind, name) of the table in ids.hpp, or
/// from kFirstPrivateId on for a codec outside of the library.
template <class C>
concept NamedCodec = requires {
  requires std::same_as<decltype(C::name), const std::string_view>;
  requires std::same_as<decltype(C::id), const CodecId>;
};

/// Constants that describe the layout of a tile codec's lists.
template <class C>
concept HasTileLayout = requires {
  /// Values that are coded together: a multiple of 128 (kTile).
  requires std::same_as<decltype(C::block), const std::uint32_t>;
  requires C::block >
  0 && C::block % kTile == 0;
  /// Payload words per tile at most: extent() of kGroupTiles tiles has at most kGroupTiles *
  /// tile_words words.
  requires std::same_as<decltype(C::tile_words), const std::uint32_t>;
  /// The optional parts of the codec.
  requires std::same_as<decltype(C::traits), const TileTraits>;
};

/// The functions of a tile codec that run on the host only.
template <class C>
concept EncodesTiles = requires(std::span<const std::uint32_t> values,
                                std::vector<std::uint32_t>& words, std::uint32_t count) {
  /// Appends the encoded list of `values` to `words`. Takes any values. Throws UsageError if there
  /// are more than kMaxListLength.
  { C::encode(values, words) } -> std::same_as<void>;
  /// Throws FormatError unless `values` (here the encoded words) is a list of `count` values that
  /// decoders read without leaving it, and that has no further words. The message names the block
  /// if the fault is in one. Throws FormatError too if `count` is above kMaxListLength. The values
  /// themselves are not checked.
  { C::validate(values, count) } -> std::same_as<void>;
};

/// The decoder of a tile codec for lanes of type Lanes.
template <class C, class Lanes>
concept DecodesTiles = requires(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                                std::uint32_t previous, typename C::Cursor& cursor,
                                typename Lanes::template Var<Quad>& out) {
  /// The state of a decoder between two tiles. It is kept in registers.
  requires std::is_trivially_copyable_v<typename C::Cursor>;
  /// Returns a cursor before `tile`. The function may read the block of the tile, and the blocks
  /// before it if blocks form chains. The second form is given the value before the tile, so that
  /// codecs with chains need not decode earlier blocks. Codecs with traits.gaps must not use
  /// `previous`: docids.hpp passes the docid before the tile. For tile 0, `previous` has no
  /// meaning.
  { C::seek(lanes, list, tile) } -> std::same_as<typename C::Cursor>;
  { C::seek(lanes, list, tile, previous) } -> std::same_as<typename C::Cursor>;
  /// Decodes `tile` to `out` and advances the cursor to the next tile. The cursor must stand before
  /// `tile`. Positions beyond the end of the list get 0. next() reads words of extent() from
  /// `payload`, and all others (headers, endpoints) from `list`.
  { C::next(lanes, list, payload, tile, cursor, out) } -> std::same_as<void>;
  /// The words that hold the payload of tiles [first, last). `first` is a multiple of the tiles of
  /// a block. `last` is another multiple, or the number of tiles of the list.
  { C::extent(list, tile, tile) } -> std::same_as<Extent>;
};

/// The part that traits.full_tiles declares.
template <class C>
concept DecodesFullTiles = requires(ListView list, std::uint32_t tile, typename C::Cursor& cursor,
                                    std::uint32_t* out) {
  /// next() for a full tile, on the host only: writes out[0 .. 127], and reads all words from
  /// `list`.
  { C::next_full(list, tile, cursor, out) } -> std::same_as<void>;
};

/// The part that traits.single_values declares.
template <class C>
concept HasSingleValues = requires(ListView list, std::uint32_t position) {
  /// The value at `position` (< list.count), on the host only, without decoding its tile.
  { C::value(list, position) } -> std::same_as<std::uint32_t>;
};

/// The part that traits.boundaries declares.
template <class C>
concept HasBoundaries = requires(ListView list, std::uint32_t tile, std::uint32_t boundary) {
  /// The entry in the list's index of blocks that says where `tile` (0 .. tile_count()) starts. Its
  /// unit is the codec's. The device loads the boundaries of a group at once, ahead of the payload.
  { C::boundary(list, tile) } -> std::same_as<std::uint32_t>;
  /// extent(list, tile, last) of a group of full tiles and whole blocks, given the boundaries of
  /// `tile` and of `last`. Reads no word of the list.
  { C::extent_between(list, tile, boundary, boundary) } -> std::same_as<Extent>;
};

/// The part that traits.wide declares.
template <class C, class Lanes>
concept DecodesWide = requires(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                               typename Lanes::template Var<WideQuads>& out) {
  /// Decodes the full tiles `tile` .. `tile` + 3 to `out`; `tile` is a multiple of 4. The staged
  /// words are whole blocks. tiles.boundaries[i] is the boundary of tile `tile` + i, for i from 0
  /// to 4. The function may read kOverread words behind the staged payload and lengths.
  { C::next_wide(lanes, tiles, tile, out) } -> std::same_as<void>;
};

/// The part that traits.sums declares.
template <class C, class Lanes>
concept SumsGroups = requires(Lanes lanes, const StagedTiles& tiles, std::uint32_t groups,
                              bool is_signed, typename Lanes::template Var<std::uint64_t>& sums) {
  /// Adds the values of `groups` * kGroupTiles full tiles to the sums of the lanes, modulo 2^64.
  /// Values are taken as signed 32-bit numbers if `is_signed`, else as unsigned ones. Which lane a
  /// value is added to is not specified. tiles.boundaries has one boundary for each tile and that
  /// of the end. The function may read kOverread words behind the staged payload and lengths.
  { C::sum_groups(lanes, tiles, groups, is_signed, sums) } -> std::same_as<void>;
};

/// The part that traits.lengths_words declares.
template <class C>
concept HasLengths = requires(ListView list, std::uint32_t tile) {
  /// The words that hold the lengths of tiles [first, last). The wide forms read them from
  /// StagedTiles::lengths. `first` and `last` are as in extent().
  { C::lengths_extent(list, tile, tile) } -> std::same_as<Extent>;
};

/// Checks at compile time that a tile codec has, for these lanes, exactly the optional parts that
/// its traits declare. Returns true; anything else does not compile.
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

/// A codec of 32-bit values for posting lists and columns. Any tile of 128 is decoded on its own.
/// Tiles have 128 values because these suit a warp: four consecutive values per lane.
template <class C>
concept TileCodec = NamedCodec<C> && HasTileLayout<C> && EncodesTiles<C> &&
    DecodesTiles<C, SerialLanes> && ChecksBlocks<C>;

/// A tile codec whose lists have an index that says where tiles start.
template <class C>
concept BoundaryTileCodec = TileCodec<C> && C::traits.boundaries;

/// A tile codec that decodes four tiles together.
template <class C>
concept WideTileCodec = BoundaryTileCodec<C> && C::traits.wide;

/// A tile codec that adds up values without decoding them one by one.
template <class C>
concept SummingTileCodec = BoundaryTileCodec<C> && C::traits.sums;

/// A tile codec with a second stream, which has lengths.
template <class C>
concept LengthsTileCodec = TileCodec<C> &&(C::traits.lengths_words > 0);

/// A tile codec with a host-only function for full tiles.
template <class C>
concept FullTileCodec = TileCodec<C> && C::traits.full_tiles;

/// Whether a chunk codec keeps its contract for columns of type T. Decoders are compiled for
/// unsigned types only, and decode a signed column as the unsigned type of this size. So decoding
/// must be arithmetic modulo 2^bits. Choices that depend on the sign (the smallest value of a
/// block, zigzag) are made by encode() and recorded in the words.
template <class C, class T, class Lanes>
concept CodesChunksOf = requires(Lanes lanes, ListView column, std::span<const T> values,
                                 const Parameters& parameters, std::vector<std::uint32_t>& words,
                                 std::span<const std::uint32_t> encoded, std::uint32_t number,
                                 std::make_unsigned_t<T>* out) {
  /// Appends the encoded column of `values` to `words`. The words have all parameters that decoding
  /// needs. Throws UsageError for parameters that are unknown or out of range, and for more than
  /// kMaxListLength values.
  { C::template encode<T>(values, parameters, words) } -> std::same_as<void>;
  /// Throws FormatError unless `encoded` is a column of `number` values, decoding reads only
  /// `encoded` and writes only the values of the chunk, and there are no further words. The message
  /// has the number of the chunk ("block N") if the fault is in one. Throws FormatError too if
  /// `number` is above kMaxListLength.
  { C::template validate<T>(encoded, number) } -> std::same_as<void>;
  /// The number of values, at least 1, of every chunk but the last. Runs on both processors. The
  /// words must be those of a column without a frame_fault() (faults.hpp).
  {
    C::template chunk_values<std::make_unsigned_t<T>>(column.words)
    } -> std::same_as<std::uint32_t>;
  /// Words of scratch memory that decode_chunk() needs for a warp. The memory is aligned to 16
  /// bytes; on the device it is shared memory.
  requires std::convertible_to<decltype(C::template scratch_words<std::make_unsigned_t<T>>),
                               std::uint32_t>;
  /// Decodes chunk `number` to out[0 .. chunk_size()); the fourth argument is the scratch memory.
  /// `out` may be global or shared memory, and is aligned to 16 bytes if chunk_values() is a
  /// multiple of 16. A warp may read kOverread words behind the column; their values do not matter.
  /// Returns false if the words of the chunk are damaged, which is never so for words that
  /// validate() has accepted.
  {
    C::template decode_chunk<std::make_unsigned_t<T>>(lanes, column, number, words.data(), out)
    } -> std::same_as<bool>;
};

/// Whether a chunk codec encodes values of type T, one of the eight types of value_type.hpp.
template <class C, class T>
concept TakesType = C::template takes<T>;

/// CodesChunksOf, if the codec takes T.
template <class C, class T, class Lanes>
concept CodesChunksIfTaken = !TakesType<C, T> || CodesChunksOf<C, T, Lanes>;

/// ChecksChunks (faults.hpp) for every T that the codec takes.
template <class C, class... T>
concept ChecksChunksIfTaken = ((!TakesType<C, T> || ChecksChunks<C, T>)&&...);

/// A codec of columns of integers, cut into chunks. Chunks are decoded independently of each other,
/// each by one warp.
template <class C, class Lanes = SerialLanes>
concept ChunkCodec = NamedCodec<C> && CodesChunksIfTaken<C, std::int8_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint8_t, Lanes> && CodesChunksIfTaken<C, std::int16_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint16_t, Lanes> && CodesChunksIfTaken<C, std::int32_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint32_t, Lanes> && CodesChunksIfTaken<C, std::int64_t, Lanes> &&
    CodesChunksIfTaken<C, std::uint64_t, Lanes>;

/// Whether C is a tile codec, for a static_assert where C is registered: the error messages say
/// which part is missing.
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

/// Whether C is a chunk codec, for a static_assert where C is registered.
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
