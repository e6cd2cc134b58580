// The values of one field in one segment.
#pragma once

#include <atomic>
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

/// Reads strings of a dictionary in ascending order, faster than one lookup per string. Not
/// thread-safe. The dictionary must outlive the reader.
class KeywordReader {
 public:
  virtual ~KeywordReader() = default;
  /// The string with this number, which must be < size() and not less than the number of the call
  /// before. The view is valid until the next call. Throws FormatError if the string is damaged.
  virtual std::string_view go_to(std::uint32_t number) = 0;
};

/// The strings of a keyword field in a segment: distinct, sorted bytewise, numbered from 0. A range
/// of strings is therefore a range of numbers, and so are all strings with a common prefix.
/// Immutable and thread-safe. Functions that read strings throw FormatError if these are damaged.
class KeywordDictionary {
 public:
  virtual ~KeywordDictionary() = default;
  virtual std::uint32_t size() const = 0;
  /// The string with this number, which must be < size().
  virtual std::string text(std::uint32_t number) const = 0;
  /// The number of the first string that is not less than `text`; size() if there is no such
  /// string. O(log size()).
  virtual std::uint32_t lower_bound(std::string_view text) const = 0;
  virtual std::unique_ptr<KeywordReader> reader() const;
  /// Bytes of the stored strings; 0 if the number is unknown.
  virtual std::uint64_t bytes() const { return 0; }
};

/// The texts of a stored field in a segment. Immutable and thread-safe.
class StoredTexts {
 public:
  virtual ~StoredTexts() = default;
  /// The text of a document, which may be empty; nothing if the document lacks the field. Decodes
  /// the blocks of bytes that hold the text. Throws UsageError unless `document` is < documents(),
  /// and FormatError if a block is damaged.
  virtual std::optional<std::string> text(std::uint32_t document) const = 0;
};

/// A block of a column: a run of its codes.
struct FieldBlock {
  std::uint64_t first = 0;  ///< position of the first code in the column
  std::uint32_t count = 0;  ///< codes, 1 .. kFieldBlock
  /// Smallest and largest code of documents that have the field; least > greatest if no code of the
  /// block belongs to such a document. For stored fields always 0 and 255.
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};

/// Codes of every block of a column but the last one, which may have fewer.
inline constexpr std::uint32_t kFieldBlock = 1u << 16;

/// The column of a field in a segment.
///
/// A field with one value per document has one code for each document, in the order of docids; the
/// code of a document without the field is meaningless, but less than code_limit() (0 if that is
/// 0). A field with several values (FieldSpec::multi) has the codes of the first document in
/// ascending order, then those of the second, and so on; starts() says where each begins. The codes
/// of a stored field are the bytes of all texts in the order of docids; texts() cuts them apart.
/// The column of a text field holds the field's lengths in tokens.
///
/// Immutable and thread-safe. Opening a column checks its tables; the codes of a block are checked
/// when the block is decoded for the first time.
class FieldColumn {
 public:
  virtual ~FieldColumn() = default;

  virtual const FieldSpec& spec() const = 0;
  virtual const KeyMap& keys() const = 0;
  /// Documents of the segment, with and without the field.
  virtual std::uint32_t documents() const = 0;
  /// Codes in the column.
  virtual std::uint64_t codes() const = 0;
  /// All codes are less than this limit: the largest code of a document with the field plus 1, for
  /// keywords the size of the dictionary, for stored fields 256. 0 if no document has the field.
  virtual std::uint64_t code_limit() const = 0;

  /// A bitmap: bit d % 64 of word d / 64 is 1 if document d has the field. Bits after the last
  /// document are 0. An empty span means that all documents have the field, or that the segment has
  /// no documents.
  virtual std::span<const std::uint64_t> present() const = 0;
  /// For fields with several values: documents() + 1 positions in the column; the codes of document
  /// d are at starts()[d] .. starts()[d + 1] - 1. Empty for other fields.
  virtual std::span<const std::uint32_t> starts() const = 0;

  /// All blocks, in the order of their positions.
  virtual std::span<const FieldBlock> blocks() const = 0;
  /// Decodes a block to out[0 .. count - 1]. Throws FormatError if the block is damaged, UsageError
  /// if the column has no such block. The 32-bit function throws UsageError if the codes need 64
  /// bits (code_limit() > 2^32).
  virtual void decode(std::size_t block, std::uint32_t* out) const = 0;
  virtual void decode(std::size_t block, std::uint64_t* out) const = 0;
  /// The name of the codec of a block (< blocks().size()).
  virtual std::string_view codec(std::size_t block) const = 0;
  /// The encoded size of a block (< blocks().size()) in bytes.
  virtual std::uint64_t bytes(std::size_t block) const = 0;

  /// The strings of a keyword field; nullptr for other fields.
  virtual const KeywordDictionary* dictionary() const = 0;
  /// The bitmaps of a column that is stored as a bitmap index (codec wah); else nullptr.
  virtual const BlockBitmaps* bitmaps() const { return nullptr; }
  /// The texts of a stored field; nullptr for other fields.
  virtual const StoredTexts* texts() const { return nullptr; }

  /// Whether the field may have several values per document.
  bool multi() const { return !starts().empty(); }
  /// Whether a document (< documents()) has the field.
  bool has(std::uint32_t document) const {
    return present().empty() || (present()[document / 64] >> document % 64 & 1) != 0;
  }

 private:
  friend std::uint64_t documents_with(const FieldColumn& column);
  static constexpr std::uint64_t kNotCounted = ~std::uint64_t{0};

  /// What documents_with() has counted. A copy of a column counts anew.
  struct Counted {
    std::atomic<std::uint64_t> documents{kNotCounted};
    Counted() = default;
    Counted(const Counted& /*other*/) noexcept {}
    Counted& operator=(const Counted& /*other*/) noexcept { return *this; }
    ~Counted() = default;
  };
  mutable Counted counted_;
};

/// Codes first .. end - 1.
struct CodeRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool empty() const { return first >= end; }
};
/// The codes of the column whose keys are from `least` to `greatest`, both included. O(1); reads no
/// codes.
CodeRange codes_of(const FieldColumn& column, std::uint64_t least, std::uint64_t greatest);

/// The number of documents that have the field. Counts the bits of present() when it is first
/// asked: O(documents / 64). Thread-safe.
std::uint64_t documents_with(const FieldColumn& column);

}  // namespace gannet::index
