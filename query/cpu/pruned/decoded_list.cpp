#include "query/cpu/pruned/decoded_list.hpp"

#include <algorithm>
#include <bit>

#include "codecs/docids.hpp"

namespace gannet::query {
namespace {

/// Of contributions, which are >= 0: floats that are have the order of their bits, and compilers
/// vectorise comparisons of integers.
float largest_of(const float* contributions, std::uint32_t n) {
  std::int32_t largest = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::bit_cast<std::int32_t>(contributions[i]));
  }
  return std::bit_cast<float>(largest);
}

}  // namespace

void DecodedList::read(const index::Segment& segment, const index::PostingList& list,
                       DocidRange range, const Contribution* contribution, bool keep_frequencies) {
  docids_.clear();
  contributions_.clear();
  keep_frequencies_ = keep_frequencies;
  frequencies_.clear();
  codes_.clear();
  largest_ = 0;
  tiles_decoded_ = 0;
  rewind();
  alignas(64) std::uint32_t docids[codecs::kTile];
  alignas(64) std::uint32_t frequencies[codecs::kTile] = {};
  if (list.is_short()) {
    list.decode_docids(docids);
    if (contribution != nullptr) list.decode_frequencies(frequencies);
    read_tile(segment, docids, frequencies, list.count, range, contribution);
    return;
  }
  const auto from = std::ranges::lower_bound(list.skips, range.begin);
  for (auto tile = static_cast<std::uint32_t>(from - list.skips.begin()); tile < list.tiles();
       ++tile) {
    const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : list.skips[tile - 1];
    if (before + 1 >= range.end) break;
    list.docid_codec->decode_docid_tile(list.docids(), tile, before, docids);
    const std::uint32_t size = codecs::tile_size(list.count, tile);
    if (contribution != nullptr) {
      list.freq_codec->decode_tile(list.freqs(), tile, frequencies);
      for (std::uint32_t i = 0; i < size; ++i) ++frequencies[i];  // stored as one less
    }
    read_tile(segment, docids, frequencies, size, range, contribution);
  }
}

void DecodedList::read_tile(const index::Segment& segment, const std::uint32_t* docids,
                            const std::uint32_t* frequencies, std::uint32_t n, DocidRange range,
                            const Contribution* contribution) {
  ++tiles_decoded_;
  const std::uint32_t* first = docids;
  const std::uint32_t* end = docids + n;
  if (*first < range.begin) first = std::lower_bound(first, end, range.begin);
  if (docids[n - 1] >= range.end) end = std::lower_bound(first, end, range.end);
  docids_.insert(docids_.end(), first, end);
  if (contribution == nullptr || first == end) return;
  const auto size = static_cast<std::uint32_t>(end - first);
  const std::uint32_t* const lengths = segment.text_lengths(contribution->text()).data();
  ScoreRun run;
  for (std::uint32_t i = 0; i < size; ++i) {
    run.frequencies[i] = frequencies[first - docids + i];
    run.lengths[i] = lengths[first[i]];
  }
  contribution->score(run, size);
  contributions_.insert(contributions_.end(), run.scores, run.scores + size);
  if (keep_frequencies_) {
    frequencies_.insert(frequencies_.end(), run.frequencies, run.frequencies + size);
  }
  largest_ = std::max(largest_, largest_of(run.scores, size));
}

void DecodedList::quantise(float scale) {
  codes_.resize(contributions_.size());
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    codes_[i] = static_cast<std::uint16_t>(contributions_[i] * scale + 1.0f);
  }
}

void DecodedList::enter(std::uint32_t range) {
  if (range == range_) return;
  range_ = range;
  const index::Docid first = range * kRange;
  constexpr std::size_t kStride = 16;
  while (at_ + kStride < docids_.size() && docids_[at_ + kStride - 1] < first) at_ += kStride;
  while (at_ < docids_.size() && docids_[at_] < first) ++at_;
  start_ = static_cast<std::uint32_t>(at_);
  map_ = 0;
  code_ = 0;
  for (; at_ < docids_.size() && docids_[at_] - first < kRange; ++at_) {
    map_ |= std::uint64_t{1} << (docids_[at_] - first);
    if (!codes_.empty()) code_ = std::max<std::uint32_t>(code_, codes_[at_]);
  }
}

}  // namespace gannet::query
