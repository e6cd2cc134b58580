// Strings, each stored as what it shares with the one before and the bytes that follow (front
// coding), in blocks of 16 that can be read on their own.
//
// A block: the first string's length (varint) and bytes; then for each of the others a byte, the
// length of the shared prefix in its low and that of the rest in its high four bits, where 15 says
// that the length less 15 follows (varint; first the prefix', then the rest's), and the rest.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/files/container/container.hpp"
#include "index/files/spool.hpp"
#include "index/files/varint.hpp"

namespace gannet::index {

/// Writes strings in the order in which they come, as two sections of a container. Not thread-safe.
class FrontCodingWriter {
 public:
  explicit FrontCodingWriter(const std::filesystem::path& scratch) : offsets_(scratch) {}

  /// Appends to the section that is open in `file`.
  void add(ContainerWriter& file, std::string_view text);
  /// Ends that section and writes that of the blocks' offsets.
  void finish(ContainerWriter& file, Tag offsets);
  std::uint64_t size() const { return count_; }

 private:
  Spool offsets_;
  std::string previous_;
  std::vector<std::uint8_t> entry_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Mapped strings. Immutable, safe from any number of threads. Opening looks at no block; reading
/// one that is damaged throws FormatError.
class FrontCoded {
 public:
  static constexpr std::uint64_t kBlock = 16;

  FrontCoded() = default;
  /// `count` strings in the sections `text` and `offsets` of `file`, which must stay where it is
  /// as long as this object is used: the spans, not the file object, are kept.
  FrontCoded(const ContainerReader& file, Tag text, Tag offsets, std::uint64_t count);

  std::uint64_t size() const { return count_; }
  /// String i (< size()). Reads up to 16 strings.
  std::string at(std::uint64_t i) const;
  /// The same of a damaged file: what stands there, if it can be read.
  std::string unchecked_at(std::uint64_t i) const;

  /// For strings in strictly ascending bytewise order: the number of the string; nothing if it is
  /// not there. O(log size()).
  std::optional<std::uint64_t> find(std::string_view wanted) const;
  /// For the same: the number of the first string that is not less than `wanted`, or size().
  std::uint64_t lower_bound(std::string_view wanted) const;

  /// Goes through the strings in order.
  class Cursor {
   public:
    /// Before string `first` (<= size()).
    Cursor(const FrontCoded& strings, std::uint64_t first);
    /// Moves on to the next string; false at the end.
    bool next();
    std::uint64_t number() const { return next_ - 1; }
    /// Valid until next().
    const std::string& text() const { return text_; }

   private:
    const FrontCoded& strings_;
    ByteReader reader_{std::span<const std::uint8_t>()};
    std::uint64_t next_;
    std::string text_;
  };

 private:
  /// Where a string is or would be.
  struct Place {
    std::uint64_t number;  ///< of the first string that is not less
    bool found;            ///< whether that is the string itself
  };

  /// The first eight bytes of every block's first string, as numbers in the strings' order: a
  /// search in them stays in the caches, where one in the blocks misses them with every step.
  /// Collected once so many lookups were made that reading through the blocks pays.
  struct Heads {
    Once once;
    std::atomic<std::uint32_t> lookups{0};
    /// Not there before, nor if a block is damaged: then lookups go by the blocks alone.
    std::atomic<bool> ready{false};
    std::vector<std::uint64_t> prefixes;
  };

  Place place_of(std::string_view wanted) const;
  /// How many blocks start with a string that is not greater than `wanted`.
  std::uint64_t blocks_up_to(std::string_view wanted) const;
  const Heads* heads() const;
  std::uint64_t blocks() const { return (count_ + kBlock - 1) / kBlock; }
  ByteReader block(std::uint64_t number) const;
  ByteReader unchecked_block(std::uint64_t number) const;
  std::string read(ByteReader reader, std::uint64_t i) const;
  std::string_view head(std::uint64_t block_number) const;
  [[noreturn]] void fail(std::uint64_t block_number) const;

  /// Throws DamageError unless these values of the file are those that were written.
  template <class T>
  void check(std::span<const T> values) const {
    if (!blocks_->are_known(values)) check_blocks(blocks_->problem(values));
  }
  void check_blocks(const std::optional<std::string>& problem) const;

  std::filesystem::path path_;
  std::shared_ptr<const FileBlocks> blocks_;
  Tag text_tag_;
  std::span<const std::uint8_t> text_;
  std::span<const std::uint64_t> offsets_;
  std::uint64_t count_ = 0;
  std::unique_ptr<Heads> heads_;
};

}  // namespace gannet::index
