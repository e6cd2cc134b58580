// The ids of all codecs: the only place that gives an id to a name.
//
// Files record a codec by its id; the manifest of an index has the name too. So an id is never used
// again. A codec whose encoded words change gets a new name and a new id. A codec that is no longer
// in the library keeps its row.
#pragma once

#include <cstdint>
#include <string_view>

namespace gannet::codecs {

/// Identifies a codec in files. The library gives no codec an id from kFirstPrivateId on: programs
/// may use these ids for their own codecs. Readers of files refuse them.
enum class CodecId : std::uint32_t {};
inline constexpr std::uint32_t kFirstPrivateId = 1u << 31;

/// The contract that a codec keeps (core/concepts.hpp), or the mark of an id that the library no
/// longer uses.
enum class CodecKind : std::uint8_t {
  kTiles,    ///< TileCodec: 32-bit values; any tile of 128 is decoded on its own
  kChunks,   ///< ChunkCodec: any integer type; a warp decodes a chunk
  kRetired,  ///< the library has no codec with this id; the id stays reserved
};

/// One id and its name. Names are unique within a kind.
struct CodecIdRow {
  std::uint32_t id;
  CodecKind kind;
  std::string_view name;
};

inline constexpr CodecIdRow kCodecIds[] = {
    {0, CodecKind::kTiles, "none"},
    {1, CodecKind::kTiles, "gpu-bp128"},
    {2, CodecKind::kTiles, "gpu-bp256"},
    {3, CodecKind::kTiles, "gpu-vbyte128"},
    {4, CodecKind::kTiles, "gpu-vbyte1024"},
    {5, CodecKind::kTiles, "gpu-dfor"},
    {6, CodecKind::kTiles, "nsf"},
    {7, CodecKind::kTiles, "nsv"},
    {8, CodecKind::kTiles, "gpu-for"},
    {9, CodecKind::kTiles, "gpu-rfor"},
    {10, CodecKind::kRetired, "gpu-simdbp128"},
    {11, CodecKind::kTiles, "elias-fano"},
    {32, CodecKind::kRetired, "bp32"},
    {33, CodecKind::kRetired, "simd-bp128"},
    {34, CodecKind::kRetired, "varint-gb"},
    {35, CodecKind::kRetired, "stream-vbyte"},
    {64, CodecKind::kChunks, "rle"},
    {65, CodecKind::kChunks, "cascaded"},
    {66, CodecKind::kChunks, "none"},
    {72, CodecKind::kChunks, "rle-v1"},
    {73, CodecKind::kChunks, "rle-v2"},
    {74, CodecKind::kChunks, "deflate"},
    {80, CodecKind::kChunks, "wah"},
    {81, CodecKind::kChunks, "wah64"},
};

/// The id of the codec of this kind and name, for constant expressions: a name that is not in the
/// table does not compile. (The function is not consteval because clang 14 reports an error for
/// consteval in class templates.)
constexpr CodecId id_of(CodecKind kind, std::string_view name) {
  for (const CodecIdRow& row : kCodecIds) {
    if (row.kind == kind && row.name == name) return CodecId{row.id};
  }
  throw "a codec's name has no row in codecs/core/ids.hpp";
}

/// Whether all rows have different ids, all rows of a kind have different names, and no id is
/// private.
consteval bool are_ids_distinct() {
  for (const CodecIdRow& row : kCodecIds) {
    for (const CodecIdRow& other : kCodecIds) {
      if (&row == &other) continue;
      if (row.id == other.id || (row.kind == other.kind && row.name == other.name)) return false;
      if (row.id >= kFirstPrivateId) return false;
    }
  }
  return true;
}
static_assert(are_ids_distinct());

}  // namespace gannet::codecs
