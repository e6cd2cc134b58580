// Columns that stay decoded between queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/fields/field_column.hpp"

namespace gannet::query {

/// A column whose blocks are decoded when they are first asked for, each once, to the fewest bytes
/// a code that hold all its codes. Any number of threads may use it.
class DecodedColumn {
 public:
  explicit DecodedColumn(const index::FieldColumn& column);

  /// What it may take, once all blocks were asked for.
  std::uint64_t bytes() const { return bytes_; }

  /// Calls f(codes of a block) with a span of the column's width. Codes of documents without the
  /// field are anything, the others are between the block's least and greatest one. Throws
  /// FormatError for a damaged block, each time that it is asked for.
  template <class F>
  void with_block(std::size_t block, const F& f) const {
    std::visit(
        [&](const auto& blocks) {
          decode_once(block);
          f(blocks[block].codes());
        },
        blocks_);
  }

 private:
  template <class Code>
  struct Block {
    std::unique_ptr<Code[]> data;
    std::uint32_t count = 0;
    std::span<const Code> codes() const { return {data.get(), count}; }
  };
  template <class Code>
  using Blocks = std::vector<Block<Code>>;

  void decode_once(std::size_t block) const;
  template <class Code>
  void decode(std::size_t block, Block<Code>& made) const;

  const index::FieldColumn& column_;
  std::uint64_t bytes_ = 0;
  mutable std::vector<Once> once_;  ///< by block
  mutable std::variant<Blocks<std::uint8_t>, Blocks<std::uint16_t>, Blocks<std::uint32_t>,
                       Blocks<std::uint64_t>>
      blocks_;
};

/// The decoded columns of an index, within a number of bytes: those that were not used for the
/// longest time go first, but none that somebody uses. Any number of threads may use it; the
/// index's columns must outlive it.
class DecodedColumns {
 public:
  explicit DecodedColumns(std::uint64_t bytes) : room_(bytes) {}

  /// Nothing if there is no room: the column is larger, or others are in use.
  std::shared_ptr<const DecodedColumn> of(const index::FieldColumn& column);

  /// What those that are kept may take.
  std::uint64_t bytes() const;

 private:
  using Order = std::list<const index::FieldColumn*>;  ///< last used first
  struct Entry {
    std::shared_ptr<const DecodedColumn> column;
    Order::iterator at;
  };

  bool make_room(std::uint64_t bytes);

  std::uint64_t room_;
  mutable std::mutex mutex_;
  std::unordered_map<const index::FieldColumn*, Entry> entries_;
  Order order_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gannet::query
