#include "index/lists/list_check.hpp"

#include <algorithm>

namespace gannet::index {
namespace {

using codecs::kTile;

std::string at(std::size_t position, const char* what) {
  return "posting " + std::to_string(position) + ": " + what;
}

}  // namespace

std::optional<std::string> ListCheck::check(TermId id) {
  // Before anything is decoded: the decoders trust what this has passed.
  if (auto problem = segment_.postings().check_list(id)) return problem;
  const PostingList list = segment_.list(id);
  docids_.resize(list.count);
  freqs_.resize(list.count);
  segment_.docid_codec().decode_docids(list.docids(), docids_.data());
  segment_.freq_codec().decode(list.freqs(), freqs_.data());
  if (auto problem = check_docids(list)) return problem;
  if (auto problem = check_tiles(list)) return problem;
  std::uint64_t occurrences = 0;
  for (const std::uint32_t freq : freqs_) occurrences += std::uint64_t{freq} + 1;
  if (occurrences != segment_.collection_frequency(id)) {
    return "its frequencies add up to " + std::to_string(occurrences) + ", the lexicon says " +
           std::to_string(segment_.collection_frequency(id));
  }
  return std::nullopt;
}

std::optional<std::string> ListCheck::check_docids(const PostingList& list) const {
  for (std::size_t i = 0; i < list.count; ++i) {
    if (i > 0 && docids_[i] <= docids_[i - 1]) return at(i, "the docid is not ascending");
    if (docids_[i] >= segment_.statistics().documents) return at(i, "there is no such document");
    if (freqs_[i] == ~0u) return at(i, "the frequency is out of range");
  }
  return std::nullopt;
}

std::optional<std::string> ListCheck::check_tiles(const PostingList& list) const {
  const std::span<const std::uint32_t> lengths = segment_.document_lengths();
  for (std::uint32_t tile = 0; tile < list.tiles(); ++tile) {
    const std::size_t first = std::size_t{tile} * kTile;
    const std::size_t end = first + codecs::tile_size(list.count, tile);
    std::uint32_t max_freq = 0;
    std::uint32_t min_length = ~0u;
    for (std::size_t i = first; i < end; ++i) {
      max_freq = std::max(max_freq, freqs_[i] + 1);
      min_length = std::min(min_length, lengths[docids_[i]]);
    }
    const char* wrong = list.skips[tile] != docids_[end - 1]   ? "skip"
                        : list.max_freqs[tile] != max_freq     ? "largest frequency"
                        : list.min_lengths[tile] != min_length ? "shortest document"
                                                               : nullptr;
    if (wrong != nullptr) return "tile " + std::to_string(tile) + ": the " + wrong + " is wrong";
  }
  return std::nullopt;
}

}  // namespace gannet::index
