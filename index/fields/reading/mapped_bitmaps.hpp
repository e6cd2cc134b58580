// The bitmaps of a column in a mapped file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/fields/bitmap_block.hpp"
#include "index/fields/field_column.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// Blocks of bitmaps, each checked when it is first used.
class MappedBitmaps final : public BlockBitmaps {
 public:
  /// Throws FormatError unless the table has `blocks` rows that fit the words. `file` must stay.
  MappedBitmaps(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
                std::uint64_t blocks);

  /// What a block must be like: how many codes it has, what they are below, and the bounds of those
  /// that are set in `present` (a bit a code; empty: of all).
  struct Expected {
    std::uint32_t count = 0;
    std::uint64_t limit = 0;
    CodeBounds bounds = {};
    std::span<const std::uint64_t> present = {};
  };
  /// Tells that of a block, which is then checked. Once, before the first block().
  void expect(std::function<Expected(std::size_t block)> expected) {
    expected_ = std::move(expected);
  }

  BitmapBlock block(std::size_t number) const override;
  std::size_t blocks() const { return rows_.size(); }
  /// Words of a block.
  std::uint64_t words(std::size_t number) const { return rows_[number].words; }
  /// The codes of a block, at their places.
  void decode(std::size_t number, std::uint32_t* out) const;

 private:
  std::span<const std::uint32_t> words_of(std::size_t number) const {
    return words_.subspan(rows_[number].offset, rows_[number].words);
  }
  void check(std::size_t number) const;
  void check_tables(std::size_t number) const;
  void check_vectors(std::size_t number) const;
  void check_bounds(std::size_t number) const;
  [[noreturn]] void fail(std::size_t number, const std::string& what) const;

  const ContainerReader& file_;
  std::string name_;  ///< of the field
  std::span<const std::uint32_t> words_;
  std::span<const BitmapRow> rows_;
  std::function<Expected(std::size_t)> expected_;
  /// A bit per block: it was found to be sound. Two threads may check one at a time.
  std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;
};

}  // namespace gannet::index
