// Columns decoded to whole bytes, from which single codes are read.
#pragma once

#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/fields/field_column.hpp"

namespace gannet::query {

/// A column's codes as differences from their block's smallest code, in as few bytes as the block's
/// largest needs. Blocks are decoded when a code of theirs is first asked for. Any number of
/// threads may use it. The column must outlive it.
class PackedColumn {
 public:
  explicit PackedColumn(const index::FieldColumn& column);

  /// What it takes when all blocks are decoded.
  static std::uint64_t bytes_for(const index::FieldColumn& column);

  const index::FieldColumn& column() const { return column_; }

  /// The code at a position of the column; arbitrary for documents without the field. Throws
  /// FormatError for a damaged block.
  std::uint64_t code(std::uint64_t position) const {
    Block& block = blocks_[position / index::kFieldBlock];
    block.once([&] { decode(position / index::kFieldBlock); });
    std::uint64_t number = 0;
    std::memcpy(&number, block.bytes.data() + position % index::kFieldBlock * block.width,
                sizeof number);
    return block.least + (number & block.mask);
  }

 private:
  struct Block {
    Once once;
    std::vector<std::uint8_t> bytes;  ///< 8 more than codes take
    std::uint32_t width = 0;
    std::uint64_t least = 0;
    std::uint64_t mask = 0;
  };
  void decode(std::size_t block) const;

  const index::FieldColumn& column_;
  const std::unique_ptr<Block[]> blocks_;
};

/// The packed columns of an index. Those that were not used for the longest time are thrown away;
/// those in use stay. Thread-safe.
class PackedColumns {
 public:
  explicit PackedColumns(std::uint64_t bytes) : room_(bytes) {}

  /// Null if it takes more memory than there is for all.
  std::shared_ptr<const PackedColumn> of(const index::FieldColumn& column);

 private:
  struct Entry {
    std::shared_ptr<const PackedColumn> column;
    std::uint64_t bytes;
  };
  using Entries = std::list<Entry>;

  const std::uint64_t room_;
  std::mutex mutex_;  ///< of what follows
  Entries entries_;   ///< the last one used first
  std::unordered_map<const index::FieldColumn*, Entries::iterator> known_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gannet::query
