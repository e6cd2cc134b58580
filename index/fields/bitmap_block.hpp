// A block of a column that is kept as a bitmap index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gannet::index {

/// For each different code of a block, ascending, a WAH vector (codecs/wah/wah.hpp) of the places
/// in the block that have it. Every place is in exactly one of them. A view, as the file has it:
/// the number of vectors, their codes, where each starts in the atoms and their end, the atoms.
class BitmapBlock {
 public:
  /// Of words that were checked.
  explicit BitmapBlock(std::span<const std::uint32_t> words) : words_(words) {}

  std::uint32_t size() const { return words_[0]; }
  std::uint32_t code(std::uint32_t vector) const { return words_[1 + std::size_t{vector}]; }
  std::span<const std::uint32_t> atoms(std::uint32_t vector) const {
    const std::size_t starts = 1 + std::size_t{size()};
    const std::uint32_t begin = words_[starts + vector];
    return words_.subspan(2 + 2 * std::size_t{size()} + begin, words_[starts + vector + 1] - begin);
  }

 private:
  std::span<const std::uint32_t> words_;
};

/// The blocks of such a column. Immutable, safe from any number of threads.
class BlockBitmaps {
 public:
  virtual ~BlockBitmaps() = default;
  /// Throws FormatError if the block is damaged, UsageError if there is no such block.
  virtual BitmapBlock block(std::size_t number) const = 0;
};

}  // namespace gannet::index
