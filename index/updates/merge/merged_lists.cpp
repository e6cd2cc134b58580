#include "index/updates/merge/merged_lists.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/reading/segment_reader.hpp"

namespace gannet::index {
namespace {

/// Where a part of a list is: what PendingList::coded holds.
struct ListPart {
  std::uint32_t segment;
  TermId id;
};

constexpr auto kBehind = [](const auto& a, const auto& b) {
  return std::tie(a.term, a.segment) > std::tie(b.term, b.segment);
};

/// How often a term occurs, by the list table: the list itself is checked by whoever decodes it, on
/// a thread of many.
std::uint64_t occurrences(const Segment& segment, TermId id) {
  const auto* const reader = dynamic_cast<const SegmentReader*>(&segment);
  if (reader != nullptr) {
    const ListRow row = reader->list_table().row(id);
    if (!row.is_short()) return row.count + row.repetitions;
  }
  return segment.collection_frequency(id);
}

/// Appends the positions of the postings of documents that come along. `docids`, `freqs`: of the
/// whole list.
void append_positions(const MergedSegment& from, TermId id, const PostingList& list,
                      std::span<const Docid> docids, std::span<const std::uint32_t> freqs,
                      std::vector<std::uint32_t>& positions) {
  PositionCursor cursor(from.segment(), id, list);
  for (std::size_t first = 0; first < docids.size(); first += codecs::kTile) {
    const std::size_t size = std::min<std::size_t>(codecs::kTile, docids.size() - first);
    const auto tile_docids = docids.subspan(first, size);
    const auto tile_freqs = freqs.subspan(first, size);
    cursor.open_tile(static_cast<std::uint32_t>(first / codecs::kTile), tile_docids, tile_freqs);
    throw_if_stopped();
    cursor.check_end();  // before room is made: what has more positions has more bits
    for (std::uint32_t i = 0; i < size; ++i) {
      if (!from.is_live(tile_docids[i])) continue;
      const std::size_t at = positions.size();
      positions.resize(at + tile_freqs[i]);
      cursor.decode(i, positions.data() + at);
    }
  }
}

/// Appends the postings of documents that come along, with the numbers that these get.
void append_list(const MergedSegment& from, TermId id, MergedLists::Places places,
                 ListPostings& postings) {
  const PostingList list = from.segment().list(id);
  auto& [docids, freqs, positions] = postings;
  const std::size_t first = docids.size();
  docids.resize(first + list.count);
  freqs.resize(first + list.count);
  list.decode_docids(docids.data() + first);
  list.decode_frequencies(freqs.data() + first);
  if (from.segment().positions() != nullptr && places == MergedLists::Places::kKept) {
    append_positions(from, id, list, std::span(docids).subspan(first),
                     std::span(freqs).subspan(first), positions);
  }
  std::size_t kept = first;
  for (std::size_t i = first; i < docids.size(); ++i) {
    if (!from.is_live(docids[i])) continue;
    docids[kept] = from.merged_docid(docids[i]);
    freqs[kept++] = freqs[i];
  }
  docids.resize(kept);
  freqs.resize(kept);
}

}  // namespace

MergedLists::MergedLists(std::span<const MergedSegment> segments, Places places)
    : segments_(segments), places_(places) {
  for (std::size_t s = 0; s < segments_.size(); ++s) push(s, 0);
}

void MergedLists::push(std::size_t segment, std::uint64_t id) {
  const Segment& from = segments_[segment].segment();
  if (id >= from.statistics().terms) return;
  const auto term = static_cast<TermId>(id);
  cursors_.push_back({segment, term, from.term(term)});
  std::ranges::push_heap(cursors_, kBehind);
}

MergedLists::Cursor MergedLists::pop() {
  std::ranges::pop_heap(cursors_, kBehind);
  Cursor cursor = std::move(cursors_.back());
  cursors_.pop_back();
  return cursor;
}

bool MergedLists::next(PendingList& list) {
  if (cursors_.empty()) return false;
  list.term = cursors_.front().term;
  list.max_values = 0;
  list.coded.clear();
  while (!cursors_.empty() && cursors_.front().term == list.term) {
    const Cursor cursor = pop();
    const ListPart part{static_cast<std::uint32_t>(cursor.segment), cursor.id};
    const std::size_t at = list.coded.size();
    list.coded.resize(at + sizeof part);
    std::memcpy(list.coded.data() + at, &part, sizeof part);
    const Segment& from = segments_[cursor.segment].segment();
    list.max_values += from.document_frequency(cursor.id);
    if (places_ == Places::kKept && from.positions() != nullptr) {
      list.max_values += occurrences(from, cursor.id);
    }
    push(cursor.segment, std::uint64_t{cursor.id} + 1);
  }
  ++list.number;
  return true;
}

void MergedLists::postings(const PendingList& list, ListPostings& postings) const {
  postings.clear();
  for (std::size_t at = 0; at < list.coded.size(); at += sizeof(ListPart)) {
    ListPart part;
    std::memcpy(&part, list.coded.data() + at, sizeof part);
    append_list(segments_[part.segment], part.id, places_, postings);
  }
}

}  // namespace gannet::index
