#include "index/repair/positions_check.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/cancellation.hpp"
#include "codecs/positions/position_code.hpp"
#include "index/files/varint.hpp"

namespace gannet::index {
namespace {

bool are_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

/// The blocks of short lists, one after another.
class ShortBlocksCheck {
 public:
  ShortBlocksCheck(const Positions& positions, const ListTable& table)
      : positions_(positions), rows_(table) {}

  void run() {
    const auto blocks = positions_.short_blocks();
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
      first_list_ = b * kListsOfBlock;
      check_block(blocks[b], blocks[b + 1]);
    }
  }

 private:
  void check_block(const ShortBlock& begin, const ShortBlock& end) {
    const auto sizes = positions_.short_sizes();
    const std::uint64_t bytes = positions_.short_bits().size() - codecs::kPositionPadding;
    if (begin.sizes > end.sizes || end.sizes > sizes.size() || begin.bits > end.bits ||
        end.bits > bytes) {
      fail("do not ascend within the file");
    }
    ByteReader reader(sizes.subspan(begin.sizes, end.sizes - begin.sizes));
    const std::uint64_t bits = sum_of_sizes(reader, (end.bits - begin.bits) * 8);
    if (!reader.ok() || reader.left() > 0 || (bits + 7) / 8 != end.bits - begin.bits) {
      fail("do not add up to what their codes take");
    }
    if (bits % 8 != 0 && positions_.short_bits()[end.bits - 1] >> bits % 8 != 0) {
      fail("have bits behind their codes that are not 0");
    }
  }

  std::uint64_t sum_of_sizes(ByteReader& reader, std::uint64_t limit) {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < kListsOfBlock && rows_.next(); ++i) {
      check_stop_();
      const std::uint64_t size = reader.varint();
      if (size > limit - bits) fail("do not add up to what their codes take");
      if (size > 0 && !rows_.row().is_short()) fail("are there for one that is not short");
      bits += size;
    }
    return bits;
  }

  [[noreturn]] void fail(const std::string& what) const {
    positions_.file().fail("the sizes of positions of lists from " + std::to_string(first_list_) +
                           " on " + what);
  }

  const Positions& positions_;
  ListTable::Cursor rows_;
  std::uint64_t first_list_ = 0;
  StopCheck check_stop_;
};

}  // namespace

void check_positions_file(const Positions& positions, const ListTable& table) {
  const ContainerReader& file = positions.file();
  file.check(positions.short_blocks());
  file.check(positions.short_sizes());
  for (const auto codes : {positions.tile_bits(), positions.short_bits()}) {
    const auto padding = codes.last(codecs::kPositionPadding);
    file.check(padding);
    if (!are_zero(padding)) file.fail("bytes behind the codes of positions are not 0");
  }
  ShortBlocksCheck(positions, table).run();
}

void check_spans_differ(const Positions& positions, std::uint32_t text,
                        std::span<const std::uint32_t> spans,
                        std::span<const std::uint32_t> lengths) {
  const Tag tag = positions_sections::spans_of_text(text);
  if (!positions.file().has(tag) || !std::ranges::equal(spans, lengths)) return;
  positions.file().fail("section '" + to_string(tag) +
                        "' is there, although all spans are the lengths of their texts");
}

}  // namespace gannet::index
