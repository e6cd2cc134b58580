#include "index/positions/position_cursor.hpp"

#include <algorithm>
#include <numeric>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "codecs/positions/position_sizes.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

/// Codes that are sized one by one: sizing a tile takes about as long.
constexpr std::uint32_t kFewPostings = 12;
/// Of one document: as many as are decoded between two looks at the stop token.
constexpr std::uint32_t kManyPositions = std::uint32_t{1} << 16;

const Positions& positions_of(const PlaceOfPositions& place) {
  if (place.positions != nullptr) return *place.positions;
  throw UsageError("the index has no positions");
}

}  // namespace

PositionCursor::PositionCursor(const Segment& segment, TermId id, const PostingList& list)
    : PositionCursor(segment, id, list, segment.place_of_positions(id, list)) {}

PositionCursor::PositionCursor(const Segment& segment, TermId id, const PostingList& list,
                               const PlaceOfPositions& place)
    : segment_(segment),
      positions_(positions_of(place)),
      id_(id),
      list_(place.list),
      first_tile_(place.first_tile),
      is_short_(list.is_short()),
      spans_(segment.text_spans(segment.text_of(id))) {}

void PositionCursor::open_tile(std::uint32_t tile, std::span<const std::uint32_t> docids,
                               std::span<const std::uint32_t> freqs) {
  docids_ = docids;
  freqs_ = freqs;
  extent_ = is_short_ ? positions_.short_list(list_) : positions_.tile(first_tile_ + tile);
  bits_[0] = extent_.first_bit;
  known_ = 0;
}

/// Sizes all codes of the tile at once. False, with nothing known, if something is wrong, which
/// going through them one by one tells, or a span is too great for it.
bool PositionCursor::size_tile() {
  const std::size_t n = docids_.size();
  std::uint32_t spans[codecs::kTile] = {};
  bool fits = true;
  for (std::size_t i = 0; i < n; ++i) {
    spans[i] = spans_[docids_[i]];
    fits = fits && spans[i] <= codecs::kMaxSizedSpan && freqs_[i] - 1 < spans[i];
  }
  if (!fits) return false;
  std::uint32_t sizes[codecs::kTile];
  codecs::position_sizes(freqs_.data(), spans, n, sizes);
  for (std::size_t i = 0; i < n; ++i) bits_[i + 1] = bits_[i] + sizes[i];
  if (bits_[n] > extent_.end_bit) return false;
  known_ = static_cast<std::uint32_t>(n);
  return true;
}

std::uint64_t PositionCursor::first_bit(std::uint32_t i) {
  if (known_ == 0 && i >= kFewPostings && size_tile()) return bits_[i];
  for (; known_ < i; ++known_) {
    const std::uint32_t span = spans_[docids_[known_]];
    const std::uint32_t freq = freqs_[known_];
    if (freq == 0 || freq > span) fail(known_, "more occurrences than places");
    const std::uint64_t size = codecs::position_bits(freq, span);
    if (size > extent_.end_bit - bits_[known_]) fail(known_, "its code does not end in the tile");
    bits_[known_ + 1] = bits_[known_] + size;
  }
  return bits_[i];
}

void PositionCursor::decode(std::uint32_t i, std::uint32_t* out) {
  first_bit(i + 1);
  const bool sound = codecs::decode_positions(
      extent_.bytes, bits_[i], freqs_[i], spans_[docids_[i]],
      [out](std::uint32_t rank, std::uint32_t position) { out[rank] = position; });
  if (!sound) fail(i, "its positions do not ascend below the span of the document");
}

void PositionCursor::check_end() {
  const std::uint64_t end = first_bit(static_cast<std::uint32_t>(docids_.size()));
  const std::uint64_t last = is_short_ ? end : (end + 7) / 8 * 8;
  const auto posting = static_cast<std::uint32_t>(docids_.size()) - 1;
  if (last != extent_.end_bit) fail(posting, "the code of positions goes on behind it");
  const auto behind = static_cast<std::uint32_t>(last - end);
  if (codecs::position_code::read(extent_.bytes, end, behind) == 0) return;
  fail(posting, "the bits behind its code are not 0");
}

void PositionCursor::fail(std::uint32_t posting, const std::string& what) const {
  positions_.file().fail("the positions of '" + printable(segment_.term(id_)) + "' in document " +
                         std::to_string(docids_[posting]) + ": " + what);
}

void decode_list_positions(const Segment& segment, TermId id, const PostingList& list,
                           std::span<const std::uint32_t> docids,
                           std::span<const std::uint32_t> freqs,
                           std::vector<std::uint32_t>& positions) {
  PositionCursor cursor(segment, id, list);
  positions.clear();
  for (std::size_t first = 0; first < docids.size(); first += codecs::kTile) {
    const std::size_t size = std::min<std::size_t>(codecs::kTile, docids.size() - first);
    const auto tile_freqs = freqs.subspan(first, size);
    cursor.open_tile(static_cast<std::uint32_t>(first / codecs::kTile), docids.subspan(first, size),
                     tile_freqs);
    throw_if_stopped();
    cursor.check_end();  // before room is made: what has more positions has more bits
    std::size_t at = positions.size();
    positions.resize(at + std::accumulate(tile_freqs.begin(), tile_freqs.end(), std::uint64_t{0}));
    for (std::uint32_t i = 0; i < size; at += tile_freqs[i++]) {
      if (tile_freqs[i] >= kManyPositions) throw_if_stopped();
      cursor.decode(i, positions.data() + at);
    }
  }
}

}  // namespace gannet::index
