#include "query/host/pruned/decoded_list.hpp"

#include <algorithm>
#include <bit>

#include "codecs/docids.hpp"

namespace gannet::query {

void DecodedList::read(const index::Segment& segment, const index::PostingList& list,
                       DocidRange part, const Contribution* contribution) {
  clear(part);
  alignas(64) std::uint32_t docids[codecs::kTile];
  alignas(64) std::uint32_t frequencies[codecs::kTile] = {};
  if (list.is_short()) {
    list.decode_docids(docids);
    if (contribution != nullptr) list.decode_frequencies(frequencies);
    read_tile(segment, docids, frequencies, list.count, part, contribution);
    group_by_range();
    return;
  }
  const auto from = std::ranges::lower_bound(list.skips, part.begin);
  for (auto tile = static_cast<std::uint32_t>(from - list.skips.begin()); tile < list.tiles();
       ++tile) {
    const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : list.skips[tile - 1];
    if (before + 1 >= part.end) break;
    list.docid_codec->decode_docid_tile(list.docids(), tile, before, docids);
    const std::uint32_t size = codecs::tile_size(list.count, tile);
    if (contribution != nullptr) {
      list.freq_codec->decode_tile(list.freqs(), tile, frequencies);
      for (std::uint32_t i = 0; i < size; ++i) ++frequencies[i];  // stored as one less
    }
    read_tile(segment, docids, frequencies, size, part, contribution);
  }
  group_by_range();
}

void DecodedList::clear(DocidRange part) {
  docids_.clear();
  contributions_.clear();
  codes_.clear();
  largest_ = 0;
  tiles_decoded_ = 0;
  // Only words that were set are set back: there may be many more.
  for (const std::uint32_t range : ranges_) present_[(range - first_range_) / 64] = 0;
  ranges_.clear();
  range_ = kNoRange;
  first_range_ = part.begin / kRange;
  const std::size_t words = ((part.end + kRange - 1) / kRange - first_range_) / 64 + 1;
  if (present_.size() < words) {
    present_.resize(words);
    before_.resize(words);
  }
}

void DecodedList::read_tile(const index::Segment& segment, const std::uint32_t* docids,
                            const std::uint32_t* frequencies, std::uint32_t n, DocidRange part,
                            const Contribution* contribution) {
  ++tiles_decoded_;
  const std::uint32_t* const first = std::lower_bound(docids, docids + n, part.begin);
  const std::uint32_t* const end = std::lower_bound(first, docids + n, part.end);
  docids_.insert(docids_.end(), first, end);
  if (contribution == nullptr || first == end) return;
  const auto size = static_cast<std::uint32_t>(end - first);
  const std::uint32_t* const lengths = segment.document_lengths().data();
  ScoreRun run;
  for (std::uint32_t i = 0; i < size; ++i) {
    run.frequencies[i] = frequencies[first - docids + i];
    run.lengths[i] = lengths[first[i]];
  }
  contribution->score(run, size);
  contributions_.insert(contributions_.end(), run.scores, run.scores + size);
  largest_ = std::max(largest_, *std::max_element(run.scores, run.scores + size));
}

/// Fills in what is known of ranges, but for their codes.
void DecodedList::group_by_range() {
  const std::size_t n = docids_.size();
  ranges_.resize(n);
  starts_.resize(n + 1);
  maxima_.resize(contributions_.size());
  std::uint32_t found = 0;
  std::uint32_t range = kNoRange;
  float largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (docids_[i] / kRange != range) {
      range = docids_[i] / kRange;
      const std::uint32_t place = range - first_range_;
      std::uint64_t& word = present_[place / 64];
      if (word == 0) before_[place / 64] = found;
      word |= std::uint64_t{1} << place % 64;
      ranges_[found] = range;
      starts_[found] = static_cast<std::uint32_t>(i);
      ++found;
      largest = 0;
    }
    if (contributions_.empty()) continue;
    largest = std::max(largest, contributions_[i]);
    maxima_[found - 1] = largest;
  }
  ranges_.resize(found);
  starts_[found] = static_cast<std::uint32_t>(n);
}

void DecodedList::quantise(float scale) {
  codes_.resize(ranges_.size());
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    codes_[i] = static_cast<std::uint16_t>(maxima_[i] * scale + 1.0f);
  }
}

void DecodedList::enter(std::uint32_t range) {
  if (range == range_) return;
  range_ = range;
  map_ = 0;
  code_ = 0;
  const std::uint32_t place = range - first_range_;
  const std::uint64_t word = present_[place / 64];
  const std::uint64_t bit = std::uint64_t{1} << place % 64;
  if ((word & bit) == 0) return;
  const auto below = static_cast<std::uint32_t>(std::popcount(word & (bit - 1)));
  const std::uint32_t i = before_[place / 64] + below;
  start_ = starts_[i];
  for (std::uint32_t posting = start_; posting < starts_[i + 1]; ++posting) {
    map_ |= std::uint64_t{1} << docids_[posting] % kRange;
  }
  if (!codes_.empty()) code_ = codes_[i];
}

}  // namespace gannet::query
