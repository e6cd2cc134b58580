#include "query/columns/access/decoded_columns.hpp"

#include "query/columns/access/field_access.hpp"

namespace gannet::query {
namespace {

/// Whether each document that has the field has a code that the block promises: what is decoded
/// once is checked once.
template <class Code>
bool within(const index::FieldColumn& column, const index::FieldBlock& block,
            std::span<const Code> codes) {
  const bool all = column.multi() || column.present().empty();
  bool good = true;
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const bool inside = codes[i] >= block.least && codes[i] <= block.greatest;
    if (inside) continue;
    good = good && !all && !column.has(static_cast<std::uint32_t>(block.first + i));
  }
  return good;
}

}  // namespace

DecodedColumn::DecodedColumn(const index::FieldColumn& column)
    : column_(column), once_(column.blocks().size()) {
  const std::uint64_t limit = column.code_limit();
  const std::size_t blocks = column.blocks().size();
  if (limit <= std::uint64_t{1} << 8) {
    blocks_.emplace<Blocks<std::uint8_t>>(blocks);
  } else if (limit <= std::uint64_t{1} << 16) {
    blocks_.emplace<Blocks<std::uint16_t>>(blocks);
  } else if (limit <= std::uint64_t{1} << 32) {
    blocks_.emplace<Blocks<std::uint32_t>>(blocks);
  } else {
    blocks_.emplace<Blocks<std::uint64_t>>(blocks);
  }
  const std::uint64_t width = std::uint64_t{1} << blocks_.index();
  bytes_ = column.codes() * width;
}

void DecodedColumn::decode_once(std::size_t block) const {
  once_[block]([&] { std::visit([&](auto& blocks) { decode(block, blocks[block]); }, blocks_); });
}

template <class Code>
void DecodedColumn::decode(std::size_t block, Block<Code>& made) const {
  const index::FieldBlock& at = column_.blocks()[block];
  // Columns decode to 32 bits if all their codes fit.
  using Wide = std::conditional_t<sizeof(Code) == 8, std::uint64_t, std::uint32_t>;
  std::vector<Wide> wide(at.count);
  column_.decode(block, wide.data());
  if (!within<Wide>(column_, at, wide)) fail_code(column_);
  auto data = std::make_unique_for_overwrite<Code[]>(at.count);
  for (std::uint32_t i = 0; i < at.count; ++i) data[i] = static_cast<Code>(wide[i]);
  made.data = std::move(data);
  made.count = at.count;
}

std::shared_ptr<const DecodedColumn> DecodedColumns::of(const index::FieldColumn& column) {
  const std::lock_guard lock(mutex_);
  if (const auto known = entries_.find(&column); known != entries_.end()) {
    order_.splice(order_.begin(), order_, known->second.at);
    return known->second.column;
  }
  auto made = std::make_shared<const DecodedColumn>(column);
  if (!make_room(made->bytes())) return nullptr;
  bytes_ += made->bytes();
  order_.push_front(&column);
  entries_.emplace(&column, Entry{made, order_.begin()});
  return made;
}

bool DecodedColumns::make_room(std::uint64_t bytes) {
  if (bytes > room_) return false;
  for (auto at = order_.end(); bytes_ + bytes > room_ && at != order_.begin();) {
    const auto entry = entries_.find(*--at);
    if (entry->second.column.use_count() > 1) continue;
    bytes_ -= entry->second.column->bytes();
    entries_.erase(entry);
    at = order_.erase(at);
  }
  return bytes_ + bytes <= room_;
}

std::uint64_t DecodedColumns::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace gannet::query
