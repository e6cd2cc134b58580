#include "index/positions/positions.hpp"

#include <utility>

#include "codecs/base/error.hpp"
#include "codecs/positions/position_code.hpp"
#include "codecs/registry.hpp"
#include "index/files/varint.hpp"

namespace gannet::index {

using codecs::kPositionPadding;

Positions::Positions(std::filesystem::path path, MappedFile file, const Schema& schema,
                     const Statistics& statistics, std::uint64_t tiles)
    : file_(std::move(path), std::move(file), kPositionsFile, positions_sections::known(schema)),
      documents_(statistics.documents),
      tile_bits_(file_.section<std::uint8_t>(positions_sections::kTileBits)),
      tile_offsets_(file_.section<std::uint32_t>(positions_sections::kTileOffsets, tiles + 1)),
      tile_bases_(
          file_.section<std::uint64_t>(positions_sections::kTileBases, tiles / kTilesOfBase + 1)),
      short_bits_(file_.section<std::uint8_t>(positions_sections::kShortBits)),
      short_sizes_(file_.section<std::uint8_t>(positions_sections::kShortSizes)),
      short_blocks_(
          file_.section<ShortBlock>(positions_sections::kShortBlocks,
                                    (statistics.terms + kListsOfBlock - 1) / kListsOfBlock + 1)),
      spans_(new Spans[1 + schema.fields().size()]) {
  check_ends();
}

Positions::Positions(std::filesystem::path path, MappedFile file, const Schema& schema,
                     std::uint64_t documents)
    : file_(std::move(path), std::move(file), kPositionsFile, positions_sections::known(schema)),
      documents_(documents),
      spans_(new Spans[1 + schema.fields().size()]) {}

void Positions::check_ends() const {
  if (tile_bits_.size() < kPositionPadding || short_bits_.size() < kPositionPadding) {
    file_.fail("the codes of positions have no padding");
  }
  if (tile_bases_.front() != 0 || tile_offsets_.front() != 0 ||
      short_blocks_.front() != ShortBlock{0, 0}) {
    file_.fail("the tables of positions do not start with 0");
  }
  if (tile_bases_.back() + tile_offsets_.back() != tile_bits_.size() - kPositionPadding) {
    file_.fail("the tiles do not cover all codes of positions");
  }
  if (short_blocks_.back() !=
      ShortBlock{short_bits_.size() - kPositionPadding, short_sizes_.size()}) {
    file_.fail("the blocks of short lists do not cover all codes of positions");
  }
}

void Positions::fail_tile(std::uint64_t tile) const {
  file_.fail("the positions of tile " + std::to_string(tile) + " are not in the file");
}

void Positions::fail_short(TermId id) const {
  file_.fail("the positions of list " + std::to_string(id) + " are not in the file");
}

std::uint64_t Positions::tile_start(std::uint64_t tile) const {
  file_.check(tile_offsets_.subspan(tile, 1));
  file_.check(tile_bases_.subspan(tile / kTilesOfBase, 1));
  return tile_bases_[tile / kTilesOfBase] + tile_offsets_[tile];
}

Positions::Extent Positions::tile(std::uint64_t tile) const {
  if (tile + 1 >= tile_offsets_.size()) fail_tile(tile);
  const std::uint64_t start = tile_start(tile), end = tile_start(tile + 1);
  if (start > end || end > tile_bits_.size() - kPositionPadding) fail_tile(tile);
  file_.check(tile_bits_.subspan(start, end - start));
  return {tile_bits_.data(), start * 8, end * 8};
}

Positions::Extent Positions::short_list(TermId id) const {
  const std::uint64_t block = id / kListsOfBlock;
  if (block + 1 >= short_blocks_.size()) fail_short(id);
  const auto ends = short_blocks_.subspan(block, 2);
  file_.check(ends);
  if (ends[0].sizes > ends[1].sizes || ends[1].sizes > short_sizes_.size() ||
      ends[0].bits > ends[1].bits || ends[1].bits > short_bits_.size() - kPositionPadding) {
    fail_short(id);
  }
  const auto sizes = short_sizes_.subspan(ends[0].sizes, ends[1].sizes - ends[0].sizes);
  file_.check(sizes);
  ByteReader reader(sizes);
  const std::uint64_t limit = (ends[1].bits - ends[0].bits) * 8;
  std::uint64_t first = 0, size = 0;
  for (std::uint64_t i = block * kListsOfBlock; i <= id; ++i) {
    first += size;
    size = reader.varint();
    if (size > limit - first) fail_short(id);
  }
  if (!reader.ok()) fail_short(id);
  const Extent extent{short_bits_.data(), ends[0].bits * 8 + first,
                      ends[0].bits * 8 + first + size};
  const std::uint64_t begin = extent.first_bit / 8;
  file_.check(short_bits_.subspan(begin, (extent.end_bit + 7) / 8 - begin));
  return extent;
}

std::vector<std::uint32_t> Positions::decode_spans(Tag tag,
                                                   std::span<const std::uint32_t> lengths) const {
  const auto words = file_.section<std::uint32_t>(tag);
  file_.check(words);
  const codecs::ListCodec& codec = codecs::list_codec_named(kSpanCodec);
  const auto count = static_cast<std::uint32_t>(documents_);
  try {
    codec.validate(words, count);
  } catch (const FormatError& error) {
    file_.fail("section '" + to_string(tag) + "': " + error.what());
  }
  std::vector<std::uint32_t> spans(count);
  codec.decode({words.data(), count}, spans.data());
  for (std::size_t d = 0; d < spans.size(); ++d) {
    const std::uint64_t span = std::uint64_t{spans[d]} + lengths[d];
    if (span > codecs::kMaxSpan) {
      file_.fail("document " + std::to_string(d) + " has a span of " + std::to_string(span));
    }
    spans[d] = static_cast<std::uint32_t>(span);
  }
  return spans;
}

std::span<const std::uint32_t> Positions::spans(std::uint32_t text,
                                                std::span<const std::uint32_t> lengths) const {
  const Tag tag = positions_sections::spans_of_text(text);
  if (!file_.has(tag)) return lengths;
  Spans& kept = spans_[text == kMainText ? 0 : 1 + text];
  kept.once([&] { kept.spans = decode_spans(tag, lengths); });
  return kept.spans;
}

}  // namespace gannet::index
