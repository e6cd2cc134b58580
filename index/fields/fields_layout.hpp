// The layout of a segment's file of fields, for its writer and its reader. FORMAT.md describes the
// bytes ("The fields").
#pragma once

#include <cstdint>
#include <string_view>

#include "index/fields/field_column.hpp"
#include "index/files/format.hpp"

namespace gannet::index {

/// The row of a field in section ROWS.
struct FieldRow {
  std::uint64_t base;         ///< KeyMap::base
  std::uint64_t unit;         ///< KeyMap::unit, at least 1
  std::uint64_t code_limit;   ///< FieldColumn::code_limit()
  std::uint64_t codes;        ///< codes in the column
  std::uint64_t having;       ///< documents that have the field
  std::uint64_t strings;      ///< strings of the dictionary; 0 for other types than keywords
  std::uint64_t reserved[2];  ///< 0
};
static_assert(sizeof(FieldRow) == 64);

/// Smallest and largest code of a block, of documents that have the field. As initialised: the
/// block has no such code.
struct CodeBounds {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t greatest = 0;

  bool empty() const { return least > greatest; }
  void add(std::uint64_t code) {
    if (code < least) least = code;
    if (code > greatest) greatest = code;
  }
  bool operator==(const CodeBounds&) const = default;
};
static_assert(sizeof(CodeBounds) == 16);

/// The location of a block's bitmaps in section W, counted in 32-bit words.
struct BitmapRow {
  std::uint64_t offset;
  std::uint64_t words;
  std::uint64_t checksum;  ///< XXH3-64 of the words
};
static_assert(sizeof(BitmapRow) == 24);

/// The codec name that asks for a bitmap index.
inline constexpr std::string_view kBitmapCodec = "wah";
/// Most distinct codes of a block that is stored as bitmaps.
inline constexpr std::uint32_t kMaxBitmapCodes = 4096;

inline constexpr Tag kFieldRows{"ROWS"};

/// The sections of a field. The value is the first letter of the section's tag.
enum class FieldSection : char {
  kCodes = 'C',       ///< a column file with the codes, or with the bytes of stored texts
  kBounds = 'B',      ///< CodeBounds of each block
  kPresent = 'P',     ///< the bitmap of documents that have the field
  kStarts = 'S',      ///< fields with several values: the first code of each document
  kText = 'T',        ///< keywords: the front-coded strings
  kTextBlocks = 'K',  ///< keywords: the offset of each block of strings
  kOffsets = 'O',     ///< stored texts: the first byte of each document
  kBitmaps = 'W',     ///< the bitmaps of all blocks, in the place of kCodes
  kBitmapRows = 'X',  ///< a BitmapRow for each block
};
inline constexpr FieldSection kFieldSections[] = {
    FieldSection::kCodes,   FieldSection::kBounds,  FieldSection::kPresent,
    FieldSection::kStarts,  FieldSection::kText,    FieldSection::kTextBlocks,
    FieldSection::kOffsets, FieldSection::kBitmaps, FieldSection::kBitmapRows};

/// The tag of a field's section: the letter and the field's number (< 1000) in three decimal
/// digits, as in C007.
constexpr Tag field_tag(FieldSection section, std::size_t field) {
  const auto digit = [&](std::size_t value) {
    return static_cast<std::uint32_t>('0' + value % 10);
  };
  return Tag(static_cast<std::uint32_t>(section) | digit(field / 100) << 8 |
             digit(field / 10) << 16 | digit(field) << 24);
}

/// Whether the codes of a column are stored in 64 bits: only if one of them does not fit in 32.
constexpr bool has_wide_codes(std::uint64_t code_limit) {
  return code_limit > std::uint64_t{1} << 32;
}

/// The code limit of stored texts: their codes are bytes.
inline constexpr std::uint64_t kByteLimit = 256;

/// The number of blocks of a column with so many codes.
constexpr std::uint64_t field_blocks(std::uint64_t codes) {
  return (codes + kFieldBlock - 1) / kFieldBlock;
}

}  // namespace gannet::index
