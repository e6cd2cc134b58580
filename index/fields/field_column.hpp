// The values of one field in one segment.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/fields/bitmap_block.hpp"
#include "index/fields/key_map.hpp"
#include "index/fields/schema.hpp"

namespace gannet::index {

/// Goes through strings of a dictionary in ascending order: sooner than by looking each up. Not
/// thread-safe; the dictionary must stay.
class KeywordReader {
 public:
  virtual ~KeywordReader() = default;
  /// The string with this number (< size()), which is no less than the last one that was asked for.
  /// Valid until the next call.
  virtual std::string_view go_to(std::uint32_t number) = 0;
};

/// The strings of a keyword field in a segment: distinct, sorted bytewise, numbered from 0. So a
/// range of strings, and all that begin alike, are ranges of numbers. Immutable, safe from any
/// number of threads.
class KeywordDictionary {
 public:
  virtual ~KeywordDictionary() = default;
  virtual std::uint32_t size() const = 0;
  /// The string with this number (< size()).
  virtual std::string text(std::uint32_t number) const = 0;
  /// The number of the first string that is not before `text`; size() if there is none.
  virtual std::uint32_t lower_bound(std::string_view text) const = 0;
  virtual std::unique_ptr<KeywordReader> reader() const;
  /// Bytes that the strings take where they are stored; 0 if that is not known.
  virtual std::uint64_t bytes() const { return 0; }
};

/// The texts of a stored field in a segment. Immutable, safe from any number of threads.
class StoredTexts {
 public:
  virtual ~StoredTexts() = default;
  /// That of a document (< documents(); else UsageError), which may be empty; nothing if it lacks
  /// the field. Throws FormatError if what it lies in is damaged.
  virtual std::optional<std::string> text(std::uint32_t document) const = 0;
};

/// A run of a column's codes.
struct FieldBlock {
  std::uint64_t first = 0;     ///< position in the column of its first code
  std::uint32_t count = 0;     ///< codes, 1 .. kFieldBlock
  std::uint64_t least = 0;     ///< of the codes of documents that have the field; least > greatest:
  std::uint64_t greatest = 0;  ///< none of them has it
};

/// Codes of every block of a column but the last one.
inline constexpr std::uint32_t kFieldBlock = 1u << 16;

/// A field that has one value has a code for every document, in their order; of documents without
/// the field the code is meaningless. A field with several values has the codes of the first
/// document, ascending, then those of the second: starts() says where. Immutable, safe from any
/// number of threads; opening checks all but the codes, which are checked when a block is decoded.
/// A stored field's codes are the bytes of all texts, one behind the other: texts() knows whose.
class FieldColumn {
 public:
  virtual ~FieldColumn() = default;

  virtual const FieldSpec& spec() const = 0;
  virtual const KeyMap& keys() const = 0;
  virtual std::uint32_t documents() const = 0;
  /// Codes in the column.
  virtual std::uint64_t codes() const = 0;
  /// One more than the largest code that a document has; 0 if none has the field.
  virtual std::uint64_t code_limit() const = 0;

  /// Bit d % 64 of word d / 64: document d has the field. Empty: all have it. Bits behind the last
  /// document are 0.
  virtual std::span<const std::uint64_t> present() const = 0;
  /// Fields with several values: documents() + 1 positions of codes; else empty.
  virtual std::span<const std::uint32_t> starts() const = 0;

  /// In the order of their positions.
  virtual std::span<const FieldBlock> blocks() const = 0;
  /// Decodes a block to out[0 .. count - 1]. Throws FormatError if it is damaged, UsageError for
  /// codes that do not fit (code_limit() > 2^32 and 32 bits a code).
  virtual void decode(std::size_t block, std::uint32_t* out) const = 0;
  virtual void decode(std::size_t block, std::uint64_t* out) const = 0;
  /// The name of the block's codec, and the bytes that it takes.
  virtual std::string_view codec(std::size_t block) const = 0;
  virtual std::uint64_t bytes(std::size_t block) const = 0;

  /// Of keywords; else nullptr.
  virtual const KeywordDictionary* dictionary() const = 0;
  /// Of columns that are kept as a bitmap index (codec wah); else nullptr.
  virtual const BlockBitmaps* bitmaps() const { return nullptr; }
  /// Of stored fields; else nullptr.
  virtual const StoredTexts* texts() const { return nullptr; }

  bool multi() const { return !starts().empty(); }
  bool has(std::uint32_t document) const {
    return present().empty() || (present()[document / 64] >> document % 64 & 1) != 0;
  }
};

/// The codes [first, end) of the values whose keys are from `least` to `greatest`, both included.
struct CodeRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool empty() const { return first >= end; }
};
CodeRange codes_of(const FieldColumn& column, std::uint64_t least, std::uint64_t greatest);

/// How many documents have the field. Reads present().
std::uint64_t documents_with(const FieldColumn& column);

}  // namespace gannet::index
