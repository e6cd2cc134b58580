#include "index/lists/list_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet::index {
namespace {

constexpr std::uint32_t kWidest = 32;

[[noreturn]] void fail_row() { throw FormatError("its row of the list table is damaged"); }

std::uint32_t gap_width_of(std::span<const std::uint32_t> docids) {
  std::uint32_t any = 0;
  std::uint32_t previous = ~0u;
  for (const std::uint32_t docid : docids) {
    any |= docid - previous - 1;
    previous = docid;
  }
  return static_cast<std::uint32_t>(std::bit_width(any));
}

std::uint32_t freq_width_of(std::span<const std::uint32_t> freqs) {
  std::uint32_t any = 0;
  for (const std::uint32_t freq : freqs) any |= freq - 1;
  return static_cast<std::uint32_t>(std::bit_width(any));
}

void append_count(std::uint32_t count, bool usual, std::vector<std::uint8_t>& bytes) {
  append_varint(bytes, std::uint64_t{count - 1} * 2 + (usual ? 1 : 0));
}

bool read_short(ByteReader& reader, const RowShape& shape, bool usual, ListRow& row) {
  row.packed.gap_width = row.count == 1 ? shape.docid_width : reader.byte();
  row.packed.freq_width = usual ? 0 : reader.byte();
  if (row.packed.gap_width > kWidest || row.packed.freq_width > kWidest) return false;
  row.packed.bytes = reader.bytes(row.packed.size(row.count)).data();
  for (std::uint32_t i = 2; i < shape.streams; ++i) reader.bytes(reader.varint());
  row.repetitions = 0;
  return reader.ok();
}

bool read_long(ByteReader& reader, const RowShape& shape, bool usual, ListRow& row) {
  for (std::uint32_t i = 0; i < shape.streams; ++i) {
    const std::uint64_t codec = usual ? 0 : reader.varint();
    const std::uint64_t words = reader.varint();
    if (codec > ~0u || words > ~0u) return false;
    row.streams[i] = {static_cast<std::uint32_t>(codec), static_cast<std::uint32_t>(words)};
  }
  row.repetitions = reader.varint();
  return reader.ok();
}

/// Passes the row that comes next and adds what it takes to first_word and first_tile: looking a
/// list up goes through half a block of rows, nearly all of them short or usual. False if the row
/// is damaged.
bool pass_row(ByteReader& reader, const RowShape& shape, ListRow& row) {
  const std::uint64_t head = reader.varint();
  if (!reader.ok() || head / 2 >= codecs::kMaxListLength) return false;
  const std::uint32_t count = static_cast<std::uint32_t>(head / 2) + 1;
  const bool usual = head % 2 != 0;
  if (is_short_list(count)) {
    const std::uint32_t gap_width = count == 1 ? shape.docid_width : reader.byte();
    const std::uint32_t freq_width = usual ? 0 : reader.byte();
    if (gap_width > kWidest || freq_width > kWidest) return false;
    reader.bytes(ShortList{nullptr, gap_width, freq_width}.size(count));
    for (std::uint32_t i = 2; i < shape.streams; ++i) reader.bytes(reader.varint());
    return reader.ok();
  }
  std::uint64_t words = 0;
  for (std::uint32_t i = 0; i < shape.streams; ++i) {
    if (!usual && reader.varint() > ~0u) return false;
    const std::uint64_t more = reader.varint();
    if (more > ~0u) return false;
    words += more;
  }
  reader.varint();  // repetitions
  row.first_word += words;
  row.first_tile += codecs::tile_count(count);
  return reader.ok();
}

}  // namespace

RowShape RowShape::of(std::uint64_t documents, std::uint32_t streams) {
  return {documents == 0 ? 0 : static_cast<std::uint32_t>(std::bit_width(documents - 1)), streams};
}

std::uint64_t ListRow::words() const {
  std::uint64_t sum = 0;
  if (is_short()) return sum;
  for (const StreamRow& stream : streams) sum += stream.words;
  return sum;
}

void append_short_row(const RowShape& shape, std::span<const std::uint32_t> docids,
                      std::span<const std::uint32_t> freqs, std::vector<std::uint8_t>& bytes) {
  const bool single = docids.size() == 1;
  const std::uint32_t gap_width = single ? shape.docid_width : gap_width_of(docids);
  const std::uint32_t freq_width = freq_width_of(freqs);
  append_count(static_cast<std::uint32_t>(docids.size()), freq_width == 0, bytes);
  if (!single) bytes.push_back(static_cast<std::uint8_t>(gap_width));
  if (freq_width != 0) bytes.push_back(static_cast<std::uint8_t>(freq_width));
  append_short_list(docids, gap_width, freqs, freq_width, bytes);
}

void append_row(const RowShape& shape, const ListRow& row, std::vector<std::uint8_t>& bytes) {
  const auto streams = std::span(row.streams).first(shape.streams);
  const bool usual = std::ranges::all_of(streams, [](StreamRow s) { return s.codec == 0; });
  append_count(row.count, usual, bytes);
  for (const StreamRow& stream : streams) {
    if (!usual) append_varint(bytes, stream.codec);
    append_varint(bytes, stream.words);
  }
  append_varint(bytes, row.repetitions);
}

bool read_row(ByteReader& reader, const RowShape& shape, ListRow& row) {
  const std::uint64_t head = reader.varint();
  if (!reader.ok() || head / 2 >= codecs::kMaxListLength) return false;
  row.count = static_cast<std::uint32_t>(head / 2) + 1;
  return row.is_short() ? read_short(reader, shape, head % 2 != 0, row)
                        : read_long(reader, shape, head % 2 != 0, row);
}

ListTable::ListTable(std::span<const std::uint8_t> rows, std::span<const RowBlock> blocks,
                     std::uint64_t lists, RowShape shape, std::shared_ptr<const FileBlocks> file)
    : rows_(rows),
      blocks_(blocks),
      lists_(lists),
      shape_(shape),
      file_(std::move(file)),
      points_(std::make_unique<RowPoints>(blocks.size())) {}

template <class T>
void ListTable::check(std::span<const T> values) const {
  if (file_ == nullptr || file_->are_known(values)) return;
  if (const auto problem = file_->problem(values)) throw DamageError(*problem);
}

ByteReader ListTable::block(std::uint64_t number) const {
  check(blocks_.subspan(number, 2));
  const std::uint64_t begin = blocks_[number].offset;
  const std::uint64_t end = blocks_[number + 1].offset;
  if (begin > end || end > rows_.size()) fail_row();
  const auto rows = rows_.subspan(begin, end - begin);
  check(rows);
  return ByteReader(rows);
}

/// The points of a block, which are looked for if they are not known; null if a row is damaged:
/// those before it can still be read.
const BlockPoints* ListTable::find_points(std::uint64_t number) const {
  if (const BlockPoints* const known = points_->find(number)) return known;
  ByteReader reader = block(number);
  const std::uint8_t* const begin = reader.position();
  const std::uint64_t rows = std::min(kBlock, lists_ - number * kBlock);
  BlockPoints points{};
  ListRow passed;
  for (std::uint64_t i = kPointRows; i < rows; i += kPointRows) {
    for (std::uint64_t j = 0; j < kPointRows; ++j) {
      if (!pass_row(reader, shape_, passed)) return nullptr;
    }
    points[i / kPointRows - 1] = {static_cast<std::uint32_t>(reader.position() - begin),
                                  static_cast<std::uint32_t>(passed.first_tile), passed.first_word};
  }
  return points_->keep(number, points);
}

std::pair<std::uint64_t, std::uint64_t> ListTable::lists_in(
    std::span<const std::byte> bytes) const {
  const auto begin = static_cast<std::uint64_t>(
      reinterpret_cast<const std::uint8_t*>(bytes.data()) - rows_.data());
  const std::uint64_t end = begin + bytes.size();
  std::uint64_t first = lists_;
  std::uint64_t last = 0;
  for (std::size_t b = 0; b + 1 < blocks_.size(); ++b) {
    if (blocks_[b].offset >= end || blocks_[b + 1].offset <= begin) continue;
    first = std::min(first, b * kBlock);
    last = std::min(lists_, (b + 1) * kBlock);
  }
  return {first, last};
}

ListRow ListTable::row(std::uint64_t list) const {
  const std::uint64_t number = list / kBlock;
  ByteReader reader = block(number);
  ListRow row;
  row.first_word = blocks_[number].first_word;
  row.first_tile = blocks_[number].first_tile;
  std::uint64_t left = list % kBlock;
  const BlockPoints* const points = left >= kPointRows ? find_points(number) : nullptr;
  if (points != nullptr) {
    const RowPoint& point = (*points)[left / kPointRows - 1];
    reader.bytes(point.offset);
    row.first_word += point.words;
    row.first_tile += point.tiles;
    left %= kPointRows;
  }
  for (; left > 0; --left) {
    if (!pass_row(reader, shape_, row)) fail_row();
  }
  if (!read_row(reader, shape_, row)) fail_row();
  return row;
}

bool ListTable::Cursor::next() {
  const bool at_end = next_ == table_.lists_;
  if (at_end || next_ % kBlock == 0) {
    const std::uint64_t number = (next_ + kBlock - 1) / kBlock;
    const RowBlock& start = table_.blocks_[number];
    const bool follows = start.first_word == row_.first_word + row_.words() &&
                         start.first_tile == row_.first_tile + row_.tiles();
    if (row_.count > 0 && (!follows || reader_.left() != 0)) {
      throw FormatError("block " + std::to_string(number) +
                        " of the list table does not start where the one before ends");
    }
    if (at_end) return false;
    reader_ = table_.block(number);
    row_.first_word = start.first_word;
    row_.first_tile = start.first_tile;
  } else {
    row_.first_word += row_.words();
    row_.first_tile += row_.tiles();
  }
  if (!read_row(reader_, table_.shape_, row_)) {
    row_.count = 0;
    fail_row();
  }
  ++next_;
  return true;
}

}  // namespace gannet::index
