// The list table: of each list how long it is and where it stands, and short lists themselves. A
// row takes as many bytes as it needs; every 64th row can be found at once.
//
// A row, numbers as varints (varint.hpp):
//   2 (postings - 1) + usual
//   short lists (fewer than 128 postings; usual: all frequencies are 1):
//     gap width     a byte, 0 .. 32; not there for a single posting, whose docid takes as many bits
//                   as the segment's largest docid
//     freq width    a byte, 1 .. 32; only if not usual
//     the packed postings (short_list.hpp)
//     of each stream after the first two: its length in bytes, its bytes
//   other lists (usual: all streams have the segment's codec for them), of each stream:
//     codec         0 for the segment's, else the codec's id + 1; only if not usual
//     its length in words of section WORD, where the lists' streams stand one behind the other
//   and then the collection frequency less the number of postings
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/files/limits.hpp"
#include "index/files/varint.hpp"
#include "index/lists/row_points.hpp"
#include "index/segment/short_list.hpp"

namespace gannet::index {

/// What a row means depends on these.
struct RowShape {
  std::uint32_t docid_width = 0;  ///< bits of the segment's largest docid
  std::uint32_t streams = 2;

  static RowShape of(std::uint64_t documents, std::uint32_t streams);
};

struct StreamRow {
  std::uint32_t codec = 0;  ///< 0: the segment's for this stream, else an id + 1
  std::uint32_t words = 0;
};

struct ListRow {
  std::uint32_t count = 0;
  std::uint64_t first_word = 0;  ///< in section WORD; for a short list where it would be
  std::uint64_t first_tile = 0;  ///< in SKIP, MAXF and MINL; for a short list where it would be
  ShortList packed;              ///< of a short list
  std::array<StreamRow, kMaxStreams> streams{};  ///< of others
  std::uint64_t repetitions = 0;                 ///< of others: collection frequency less count

  bool is_short() const { return is_short_list(count); }
  std::uint32_t tiles() const { return is_short() ? 0 : codecs::tile_count(count); }
  std::uint64_t words() const;
};

/// Appends the row of a short list. `docids` and `freqs` as for encode_list().
void append_short_row(const RowShape& shape, std::span<const std::uint32_t> docids,
                      std::span<const std::uint32_t> freqs, std::vector<std::uint8_t>& bytes);
/// Appends the row of any other list.
void append_row(const RowShape& shape, const ListRow& row, std::vector<std::uint8_t>& bytes);

/// Reads the row that comes next; first_word and first_tile stay as they are. False if it is
/// damaged.
bool read_row(ByteReader& reader, const RowShape& shape, ListRow& row);

/// Where a block of rows starts.
struct RowBlock {
  std::uint64_t offset;  ///< in section ROWS
  std::uint64_t first_word;
  std::uint64_t first_tile;
};
static_assert(sizeof(RowBlock) == 24);

/// A mapped list table. Safe from any number of threads; all that changes is what it remembers of
/// where rows are. Opening looks at its ends only; what is damaged in between is found when it is
/// read, and thrown as a FormatError that does not name the file.
class ListTable {
 public:
  static constexpr std::uint64_t kBlock = kRowBlock;

  /// `file`: which both are in; null if they are in memory.
  ListTable(std::span<const std::uint8_t> rows, std::span<const RowBlock> blocks,
            std::uint64_t lists, RowShape shape, std::shared_ptr<const FileBlocks> file = nullptr);

  std::uint64_t lists() const { return lists_; }
  const RowShape& shape() const { return shape_; }
  /// The row of a list (< lists()). Reads the rows of its block the first time, then up to 8.
  ListRow row(std::uint64_t list) const;

  /// Numbers [first, second) of the lists whose rows have bytes of `bytes`, or stand in a block of
  /// rows with one that has. Reads no row.
  std::pair<std::uint64_t, std::uint64_t> lists_in(std::span<const std::byte> bytes) const;

  /// Goes through all rows in order, and checks that the blocks fit each other.
  class Cursor {
   public:
    explicit Cursor(const ListTable& table, std::uint64_t first_block = 0)
        : table_(table), next_(first_block * kBlock) {}
    /// Moves on to the next row; false at the end.
    bool next();
    std::uint64_t number() const { return next_ - 1; }
    const ListRow& row() const { return row_; }

   private:
    const ListTable& table_;
    ByteReader reader_{std::span<const std::uint8_t>()};
    std::uint64_t next_;
    ListRow row_;
  };

 private:
  ByteReader block(std::uint64_t number) const;
  template <class T>
  void check(std::span<const T> values) const;
  const BlockPoints* find_points(std::uint64_t number) const;

  std::span<const std::uint8_t> rows_;
  std::span<const RowBlock> blocks_;
  std::uint64_t lists_;
  RowShape shape_;
  std::shared_ptr<const FileBlocks> file_;
  std::unique_ptr<RowPoints> points_;
};

}  // namespace gannet::index
