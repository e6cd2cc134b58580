#include "query/gpu/device/columns/device_field.hpp"

#include <tbb/parallel_for.h>

#include <span>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/core/codec.hpp"
#include "query/gpu/plan/pack_codes.hpp"

namespace gannet::query::cuda {
namespace {

/// Sets where each column block will be. Returns the bytes of all blocks.
std::uint64_t lay_out(const index::FieldColumn& column, std::vector<CodeBlock>& blocks) {
  std::uint64_t bytes = 0;
  for (const index::FieldBlock& block : column.blocks()) {
    blocks.push_back(code_block(block));
    blocks.back().first_byte = bytes;
    bytes += packed_bytes(block.count, blocks.back());
  }
  return bytes;
}

/// Throws FormatError if a document has a code beyond what the block promises: the host, which
/// looks at single codes, tells of it.
void check_codes(const index::FieldColumn& column, const index::FieldBlock& block,
                 std::span<const std::uint32_t> codes) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool inside = block.least <= codes[i] && codes[i] <= block.greatest;
    if (inside) continue;
    if (column.multi() || column.has(static_cast<std::uint32_t>(block.first + i))) {
      throw FormatError("field '" + column.spec().name + "': a code is beyond what its block says");
    }
  }
}

/// The packed bytes of all column blocks.
std::vector<std::uint8_t> pack(const index::FieldColumn& column,
                               const std::vector<CodeBlock>& blocks, std::uint64_t bytes,
                               tbb::task_arena& arena, const std::stop_token& stop) {
  std::vector<std::uint8_t> packed(bytes);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t b) {
      throw_if_stopped(stop);
      std::vector<std::uint32_t> codes(column.blocks()[b].count);
      column.decode(b, codes.data());
      check_codes(column, column.blocks()[b], codes);
      pack_codes(codes, blocks[b], packed.data() + blocks[b].first_byte);
    });
  });
  return packed;
}

}  // namespace

bool DeviceField::fits(const index::FieldColumn& column) {
  return column.texts() != nullptr || (column.code_limit() <= std::uint64_t{1} << 32 &&
                                       column.codes() <= codecs::kMaxListLength);
}

std::uint64_t DeviceField::bytes_for(const index::FieldColumn& column) {
  std::uint64_t bytes = 0;
  if (!column.present().empty()) bytes += bitmap_room(column.documents()) * sizeof(std::uint64_t);
  if (column.texts() != nullptr) return bytes;
  std::vector<CodeBlock> blocks;
  bytes += lay_out(column, blocks);
  bytes += blocks.size() * sizeof(CodeBlock);
  return bytes + (column.multi() ? column.starts().size_bytes() : 0);
}

DeviceField::DeviceField(const index::FieldColumn& column, tbb::task_arena& arena,
                         const std::stop_token& stop)
    : column_(column) {
  view_.documents = column.documents();
  put_present();
  if (column.texts() != nullptr) return;  // predicates ask of texts only whether they are there
  put_codes(arena, stop);
  if (!column.multi()) return;
  starts_ = upload(column.starts(), MemoryUse::kColumns);
  view_.starts = starts_.data();
}

void DeviceField::put_codes(tbb::task_arena& arena, const std::stop_token& stop) {
  std::vector<CodeBlock> blocks;
  const std::uint64_t bytes = lay_out(column_, blocks);
  codes_ = BudgetArray<std::uint8_t>(bytes, MemoryUse::kColumns);
  const std::vector<std::uint8_t> packed = pack(column_, blocks, bytes, arena, stop);
  codecs::cuda::fill(codes_.data(), std::span<const std::uint8_t>(packed), 0);
  blocks_ = upload(std::span<const CodeBlock>(blocks), MemoryUse::kColumns);
  view_.codes = {codes_.data(), blocks_.data(), static_cast<std::uint32_t>(column_.codes())};
}

void DeviceField::put_present() {
  const auto present = column_.present();
  if (present.empty()) return;
  present_ =
      upload(present, MemoryUse::kColumns, bitmap_room(column_.documents()) - present.size());
  view_.present = present_.data();
}

}  // namespace gannet::query::cuda
