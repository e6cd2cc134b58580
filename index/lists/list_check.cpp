#include "index/lists/list_check.hpp"

#include <algorithm>

#include "codecs/base/cancellation.hpp"
#include "codecs/docids.hpp"
#include "index/lists/bound_code.hpp"

namespace gannet::index {
namespace {

using codecs::kTile;

/// Tiles between two looks at the stop token.
constexpr std::uint32_t kCheckedTilesPerLook = 1024;

std::string at(std::size_t position, const char* what) {
  return "posting " + std::to_string(position) + ": " + what;
}

/// Decoded postings of a tile.
struct Tile {
  std::uint32_t docids[kTile];
  std::uint32_t freqs[kTile];  ///< less 1
};

/// What is wrong with the postings of a tile, whose first one is number `first` of the list, when
/// all docids before it are less than `least`.
std::optional<std::string> check_postings(const Tile& tile, std::uint32_t size, std::size_t first,
                                          std::uint64_t least, std::uint64_t documents) {
  for (std::uint32_t i = 0; i < size; ++i) {
    if (tile.docids[i] < least) return at(first + i, "the docid is not ascending");
    least = std::uint64_t{tile.docids[i]} + 1;
    if (least > documents) return at(first + i, "there is no such document");
    if (tile.freqs[i] == ~0u) return at(first + i, "the frequency is out of range");
  }
  return std::nullopt;
}

std::optional<std::string> check_tile(const PostingList& list, std::uint32_t number,
                                      std::span<const std::uint32_t> lengths, Bounds bounds) {
  const std::uint32_t size = codecs::tile_size(list.count, number);
  const std::uint32_t before = number == 0 ? codecs::kBeforeFirst : list.skips[number - 1];
  Tile tile;
  list.docid_codec->decode_docid_tile(list.docids(), number, before, tile.docids);
  list.freq_codec->decode_tile(list.freqs(), number, tile.freqs);
  const std::uint64_t least = number == 0 ? 0 : std::uint64_t{before} + 1;
  if (auto problem =
          check_postings(tile, size, std::size_t{number} * kTile, least, lengths.size())) {
    return problem;
  }
  std::uint32_t max_freq = 0;
  std::uint32_t min_length = ~0u;
  for (std::uint32_t i = 0; i < size; ++i) {
    max_freq = std::max(max_freq, tile.freqs[i] + 1);
    min_length = std::min(min_length, lengths[tile.docids[i]]);
  }
  const char* wrong =
      list.skips[number] != tile.docids[size - 1]           ? "skip"
      : list.max_freqs[number] != bound_not_below(max_freq) ? "largest frequency"
      : bounds == Bounds::kExact && list.min_lengths[number] != bound_not_above(min_length)
          ? "shortest document"
          : nullptr;
  if (wrong == nullptr) return std::nullopt;
  return "tile " + std::to_string(number) + ": the " + wrong + " is wrong";
}

}  // namespace

std::optional<std::string> check_skips(std::span<const std::uint32_t> skips, std::uint32_t count,
                                       std::uint64_t documents) {
  std::uint64_t least = 0;  // smallest docid that can follow
  for (std::uint32_t tile = 0; tile < skips.size(); ++tile) {
    const std::uint64_t last = skips[tile];
    if (last + 1 < least + codecs::tile_size(count, tile)) {
      return "the skip of tile " + std::to_string(tile) + " is too small";
    }
    least = last + 1;
  }
  if (least > documents) return "the last skip is no document of the index";
  return std::nullopt;
}

std::optional<std::string> check_packed(const ShortList& packed, std::uint32_t count,
                                        std::uint64_t documents) {
  Tile tile;
  packed.decode_docids(count, tile.docids);
  packed.decode_frequencies(count, tile.freqs);
  return check_postings(tile, count, 0, 0, documents);
}

std::optional<std::string> check_list(const PostingList& list,
                                      std::span<const std::uint32_t> lengths, Bounds bounds) {
  if (list.is_short()) return check_packed(list.packed, list.count, lengths.size());
  // Before anything is decoded: the decoders trust what these have passed.
  if (auto problem = check_skips(list.skips, list.count, lengths.size())) return problem;
  try {
    list.docid_codec->validate(list.docid_words, list.count);
  } catch (const FormatError& error) {
    return std::string("docids: ") + error.what();
  }
  try {
    list.freq_codec->validate(list.freq_words, list.count);
  } catch (const FormatError& error) {
    return std::string("frequencies: ") + error.what();
  }
  for (std::uint32_t tile = 0; tile < list.tiles(); ++tile) {
    if (tile % kCheckedTilesPerLook == 0) throw_if_stopped();
    if (auto problem = check_tile(list, tile, lengths, bounds)) return problem;
  }
  return std::nullopt;
}

}  // namespace gannet::index
