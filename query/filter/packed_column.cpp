#include "query/filter/packed_column.hpp"

#include <algorithm>
#include <bit>

namespace gannet::query {
namespace {

using index::FieldBlock;

/// Codes are little-endian numbers, which code() reads as one of 8 bytes.
static_assert(std::endian::native == std::endian::little);

std::uint32_t width_of(const FieldBlock& block) {
  if (block.least > block.greatest) return 0;
  return static_cast<std::uint32_t>((std::bit_width(block.greatest - block.least) + 7) / 8);
}

template <class Code>
void pack(const std::vector<Code>& codes, const FieldBlock& block, std::uint32_t width,
          std::uint8_t* out) {
  for (const Code code : codes) {
    // The code of a document without the field is arbitrary.
    const bool inside = block.least <= code && code <= block.greatest;
    const std::uint64_t number = inside ? code - block.least : 0;
    std::memcpy(out, &number, width);
    out += width;
  }
}

}  // namespace

PackedColumn::PackedColumn(const index::FieldColumn& column)
    : column_(column), blocks_(std::make_unique<Block[]>(column.blocks().size())) {}

std::uint64_t PackedColumn::bytes_for(const index::FieldColumn& column) {
  std::uint64_t bytes = sizeof(PackedColumn) + column.blocks().size() * sizeof(Block);
  for (const FieldBlock& block : column.blocks()) {
    bytes += std::uint64_t{block.count} * width_of(block) + sizeof(std::uint64_t);
  }
  return bytes;
}

void PackedColumn::decode(std::size_t number) const {
  const FieldBlock& described = column_.blocks()[number];
  const std::uint32_t width = width_of(described);
  std::vector<std::uint8_t> bytes(std::size_t{described.count} * width + sizeof(std::uint64_t));
  if (width > 0 && column_.code_limit() <= std::uint64_t{1} << 32) {
    std::vector<std::uint32_t> codes(described.count);
    column_.decode(number, codes.data());
    pack(codes, described, width, bytes.data());
  } else if (width > 0) {
    std::vector<std::uint64_t> codes(described.count);
    column_.decode(number, codes.data());
    pack(codes, described, width, bytes.data());
  }
  Block& block = blocks_[number];
  block.bytes = std::move(bytes);
  block.width = width;
  block.least = described.least > described.greatest ? 0 : described.least;
  block.mask = width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * width) - 1;
}

std::shared_ptr<const PackedColumn> PackedColumns::of(const index::FieldColumn& column) {
  std::vector<std::shared_ptr<const PackedColumn>> gone;  // thrown away without the lock
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(&column); found != known_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().column;
  }
  const std::uint64_t bytes = PackedColumn::bytes_for(column);
  if (bytes > room_) return nullptr;
  for (auto entry = entries_.end(); bytes_ + bytes > room_ && entry != entries_.begin();) {
    --entry;
    if (entry->column.use_count() > 1) continue;
    gone.push_back(entry->column);
    bytes_ -= entry->bytes;
    known_.erase(&entry->column->column());
    entry = entries_.erase(entry);
  }
  if (bytes_ + bytes > room_) return nullptr;
  entries_.push_front({std::make_shared<const PackedColumn>(column), bytes});
  known_.emplace(&column, entries_.begin());
  bytes_ += bytes;
  return entries_.front().column;
}

}  // namespace gannet::query
