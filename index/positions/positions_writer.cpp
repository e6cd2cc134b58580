#include "index/positions/positions_writer.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/positions/position_code.hpp"
#include "codecs/registry.hpp"
#include "index/files/messages.hpp"
#include "index/files/varint.hpp"

namespace gannet::index {
namespace {

constexpr std::array<std::uint8_t, codecs::kPositionPadding> kZeros{};

[[noreturn]] void fail_writing(const std::string& term, const std::string& what) {
  throw UsageError("term '" + printable(term) + "': " + what);
}

/// Whether they belong to a list of `tiles` tiles.
bool are_of_list(const EncodedPositions& positions, std::uint32_t tiles) {
  if (positions.tile_ends.size() != tiles) return false;
  if (tiles == 0) return positions.bytes.size() == (positions.bits + 7) / 8;
  std::uint64_t start = 0;
  for (const std::uint64_t end : positions.tile_ends) {
    if (end < start) return false;
    start = end;
  }
  return start == positions.bytes.size();
}

void write_spans(const SpansOfText& text, ContainerWriter& file) {
  std::vector<std::uint32_t> more(text.spans.size());
  StopCheck check_stop;
  for (std::size_t d = 0; d < more.size(); ++d) {
    check_stop();
    if (text.spans[d] < text.lengths[d]) {
      throw UsageError("document " + std::to_string(d) + " has a span below its length");
    }
    more[d] = text.spans[d] - text.lengths[d];
  }
  std::vector<std::uint32_t> words;
  codecs::list_codec_named(kSpanCodec).encode(more, words);
  file.write_section(positions_sections::spans_of_text(text.text),
                     std::span<const std::uint32_t>(words));
}

}  // namespace

PositionsWriter::PositionsWriter(const std::filesystem::path& path,
                                 const std::filesystem::path& scratch)
    : file_(path, kPositionsFile),
      tile_offsets_(scratch),
      tile_bases_(scratch),
      short_bits_(scratch),
      short_sizes_(scratch),
      short_blocks_(scratch) {
  file_.begin_section(positions_sections::kTileBits);
}

void PositionsWriter::add(const std::string& term, const EncodedPositions& positions,
                          std::uint32_t tiles) {
  if (!positions.there) fail_writing(term, "it has no positions, and the index has");
  if (!are_of_list(positions, tiles)) fail_writing(term, "its positions are those of another list");
  begin_list();
  std::vector<std::uint8_t> size;
  append_varint(size, positions.bits);
  short_sizes_.append_values(std::span<const std::uint8_t>(size));
  tiles == 0 ? add_short(positions) : add_tiles(term, positions);
}

void PositionsWriter::begin_list() {
  if (lists_++ % kListsOfBlock != 0) return;
  end_block();
  short_blocks_.append_value(ShortBlock{short_bits_.size(), short_sizes_.size()});
}

void PositionsWriter::end_block() {
  short_bits_.append_values(
      std::span<const std::uint8_t>(block_).first(static_cast<std::size_t>(block_bits_ + 7) / 8));
  block_.clear();
  block_bits_ = 0;
}

/// Behind the last list's bits, at whatever bit of a byte these end.
void PositionsWriter::add_short(const EncodedPositions& positions) {
  const std::uint64_t end = block_bits_ + positions.bits;
  block_.resize(static_cast<std::size_t>((end + 7) / 8) + sizeof(std::uint64_t));
  for (std::size_t i = 0; i < positions.bytes.size(); ++i) {
    const std::uint64_t bit = block_bits_ + 8 * i;
    const auto both = static_cast<std::uint32_t>(positions.bytes[i]) << bit % 8;
    std::uint8_t* const at = block_.data() + bit / 8;
    at[0] = static_cast<std::uint8_t>(at[0] | (both & 0xff));
    at[1] = static_cast<std::uint8_t>(at[1] | both >> 8);
  }
  block_bits_ = end;
}

void PositionsWriter::add_tiles(const std::string& term, const EncodedPositions& positions) {
  std::uint64_t start = 0;
  for (const std::uint64_t end : positions.tile_ends) {
    begin_tile(term, tile_bytes_ + start);
    start = end;
  }
  file_.append_values(std::span<const std::uint8_t>(positions.bytes));
  tile_bytes_ += positions.bytes.size();
}

void PositionsWriter::begin_tile(const std::string& term, std::uint64_t start) {
  if (tiles_++ % kTilesOfBase == 0) {
    base_ = start;
    tile_bases_.append_value(base_);
  }
  const std::uint64_t offset = start - base_;
  if (offset > std::numeric_limits<std::uint32_t>::max()) {
    fail_writing(term, "the positions of a few thousand documents take more than 4 GB");
  }
  tile_offsets_.append_value(static_cast<std::uint32_t>(offset));
}

FileSummary PositionsWriter::finish(std::span<const SpansOfText> spans) {
  using namespace positions_sections;
  file_.append_values(std::span<const std::uint8_t>(kZeros));
  file_.end_section();
  begin_tile({}, tile_bytes_);
  end_block();
  short_blocks_.append_value(ShortBlock{short_bits_.size(), short_sizes_.size()});
  short_bits_.append_values(std::span<const std::uint8_t>(kZeros));
  file_.write_spool(kTileOffsets, tile_offsets_);
  file_.write_spool(kTileBases, tile_bases_);
  file_.write_spool(kShortBits, short_bits_);
  file_.write_spool(kShortSizes, short_sizes_);
  file_.write_spool(kShortBlocks, short_blocks_);
  for (const SpansOfText& text : spans) write_spans(text, file_);
  return file_.finish();
}

}  // namespace gannet::index
