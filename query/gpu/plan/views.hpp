// Columns of fields and bitmaps of documents as kernels see them: plain structs in device memory.
//
// A bitmap has a bit per document, in words of 64 as DocumentBitmap has them, with room for whole
// groups: bits behind the last document are 0 once it is finished.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index/fields/field_column.hpp"

namespace gannet::query::cuda {

/// A group of codes: a warp reads it together, 16 codes per lane; those of lane i begin at code 16
/// i.
inline constexpr std::uint32_t kLaneCodes = 16;
inline constexpr std::uint32_t kGroupCodes = 32 * kLaneCodes;
inline constexpr std::uint32_t kGroupsPerBlock = index::kFieldBlock / kGroupCodes;

/// Groups that `count` codes or documents fill.
constexpr std::uint64_t groups_of(std::uint64_t count) {
  return (count + kGroupCodes - 1) / kGroupCodes;
}

/// Words of 64 bits in a bitmap of `bits` documents or codes.
constexpr std::size_t bitmap_room(std::uint64_t bits) {
  return static_cast<std::size_t>(groups_of(bits) * (kGroupCodes / 64));
}

/// A block of a column (index::kFieldBlock codes; the last one has fewer): numbers of `width`
/// bytes, low byte first, to which `least` is added. Its memory has whole groups of codes.
struct CodeBlock {
  std::uint64_t first_byte;  ///< in CodesView::bytes, a multiple of 16
  /// The smallest and largest code; least > greatest: no document of the block has the field.
  /// Numbers of documents without the field are 0.
  std::uint32_t least;
  std::uint32_t greatest;
  std::uint32_t width;  ///< 0 .. 4
};

/// A column of codes of 32 bits.
struct CodesView {
  const std::uint8_t* bytes;
  const CodeBlock* blocks;
  std::uint32_t count;
};

/// A field of a segment.
struct FieldView {
  CodesView codes;
  const std::uint64_t* present;  ///< one bit per document, bitmap_room() words; null: all have it
  const std::uint32_t* starts;   ///< of several values per document: documents + 1; else null
  std::uint32_t documents;
};

/// What the smallest and largest code of a block say of a set of codes.
enum class BlockDecision : std::uint8_t { kNothing, kEverything, kSome };

}  // namespace gannet::query::cuda
