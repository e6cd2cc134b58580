// Columns of fields and bitmaps of documents as kernels see them: plain structs in device memory.
//
// A bitmap has a bit a document, in words of 64 as DocumentBitmap has them, with room for whole
// groups: bits behind the last document are 0 once it is finished.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/core/codec.hpp"
#include "index/fields/field_column.hpp"

namespace gannet::query::cuda {

/// Codes that a warp looks at together: four tiles.
inline constexpr std::uint32_t kGroupCodes = 512;
inline constexpr std::uint32_t kGroupHalves = kGroupCodes / 32;
inline constexpr std::uint32_t kGroupsPerBlock = index::kFieldBlock / kGroupCodes;

/// Words of 64 bits that a bitmap of so many documents, or codes, has room for.
constexpr std::size_t bitmap_room(std::uint64_t bits) {
  return static_cast<std::size_t>((bits + kGroupCodes - 1) / kGroupCodes * (kGroupCodes / 64));
}

/// The least and greatest code of a block of a field; least > greatest: no document has one there.
struct CodeBlock {
  std::uint32_t least;
  std::uint32_t greatest;
};

/// A column of codes of 32 bits, encoded with codec none or gpu-for.
struct CodesView {
  codecs::CodecId codec;
  std::uint32_t most_words;  ///< that a group of four tiles takes
  codecs::ListView list;
  const CodeBlock* blocks;
};

/// A field of a segment.
struct FieldView {
  CodesView codes;
  const std::uint64_t* present;  ///< a bit a document, bitmap_room(); null: all have it
  const std::uint32_t* starts;   ///< of several values a document: documents + 1; else null
  std::uint32_t documents;
};

/// What the least and greatest code of a block say of a set of codes.
enum class BlockDecision : std::uint8_t { kNothing, kEverything, kSome };

}  // namespace gannet::query::cuda
