// What the writer and the reader of a segment's fields share and nobody else needs. FORMAT.md has
// the bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "index/fields/field_column.hpp"
#include "index/files/format.hpp"

namespace gannet::index {

/// What there is to know of a column besides its tables.
struct FieldRow {
  std::uint64_t base;
  std::uint64_t unit;
  std::uint64_t code_limit;
  std::uint64_t codes;
  std::uint64_t having;   ///< documents that have the field
  std::uint64_t strings;  ///< in the dictionary
  std::uint64_t reserved[2];
};
static_assert(sizeof(FieldRow) == 64);

/// Of the codes that a block has for documents with the field.
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

/// Where the bitmaps of a block are, in words.
struct BitmapRow {
  std::uint64_t offset;
  std::uint64_t words;
  std::uint64_t checksum;  ///< of the words
};
static_assert(sizeof(BitmapRow) == 24);

/// The codec's name that asks for bitmaps.
inline constexpr std::string_view kBitmapCodec = "wah";
/// Different codes of a block that is kept as bitmaps.
inline constexpr std::uint32_t kMaxBitmapCodes = 4096;

inline constexpr Tag kFieldRows{"ROWS"};

/// The sections of a field, told by their first letter.
enum class FieldSection : char {
  kCodes = 'C',
  kBounds = 'B',
  kPresent = 'P',
  kStarts = 'S',
  kText = 'T',
  kTextBlocks = 'K',
  kOffsets = 'O',
  kBitmaps = 'W',
  kBitmapRows = 'X',
};
inline constexpr FieldSection kFieldSections[] = {
    FieldSection::kCodes,   FieldSection::kBounds,  FieldSection::kPresent,
    FieldSection::kStarts,  FieldSection::kText,    FieldSection::kTextBlocks,
    FieldSection::kOffsets, FieldSection::kBitmaps, FieldSection::kBitmapRows};

/// The letter, and the field's number in three decimal digits: C007.
constexpr Tag field_tag(FieldSection section, std::size_t field) {
  const auto digit = [&](std::size_t value) {
    return static_cast<std::uint32_t>('0' + value % 10);
  };
  return Tag(static_cast<std::uint32_t>(section) | digit(field / 100) << 8 |
             digit(field / 10) << 16 | digit(field) << 24);
}

/// Columns whose codes all fit have codes of 32 bits.
constexpr bool has_wide_codes(std::uint64_t code_limit) {
  return code_limit > std::uint64_t{1} << 32;
}

/// The code limit of stored texts: their codes are bytes.
inline constexpr std::uint64_t kByteLimit = 256;

constexpr std::uint64_t field_blocks(std::uint64_t codes) {
  return (codes + kFieldBlock - 1) / kFieldBlock;
}

}  // namespace gannet::index
