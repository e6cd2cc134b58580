// A block of a column that is stored as a bitmap index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gannet::index {

/// The bitmaps of one block: for each distinct code of the block, in ascending order, a WAH vector
/// (codecs/wah/wah.hpp) with one bit per position of the block. Exactly one vector has a position's
/// bit set. The object is a view of the words in the file: the number of vectors, their codes, the
/// start of each vector in the atoms and the end of the last one, the atoms. FORMAT.md describes
/// the bytes.
class BitmapBlock {
 public:
  /// The words must be valid and must outlive the object: nothing is checked here.
  explicit BitmapBlock(std::span<const std::uint32_t> words) : words_(words) {}

  /// The number of vectors, 1 to 4,096.
  std::uint32_t size() const { return words_[0]; }
  /// The code of a vector (< size()).
  std::uint32_t code(std::uint32_t vector) const { return words_[1 + std::size_t{vector}]; }
  /// The atoms of a vector (< size()).
  std::span<const std::uint32_t> atoms(std::uint32_t vector) const {
    const std::size_t starts = 1 + std::size_t{size()};
    const std::uint32_t begin = words_[starts + vector];
    return words_.subspan(2 + 2 * std::size_t{size()} + begin, words_[starts + vector + 1] - begin);
  }

 private:
  std::span<const std::uint32_t> words_;
};

/// All blocks of a column that is stored as a bitmap index. Immutable and thread-safe.
class BlockBitmaps {
 public:
  virtual ~BlockBitmaps() = default;
  /// The bitmaps of block `number`. The first call for a block checks its words, in a time that
  /// grows with their number. Throws FormatError if the block is damaged and UsageError if the
  /// column has no such block. The view is valid as long as the segment is open.
  virtual BitmapBlock block(std::size_t number) const = 0;
};

}  // namespace gannet::index
