#include "index/updates/merge/merged_lists.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "index/positions/position_cursor.hpp"

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

void read_list(const Segment& segment, TermId id, MergedLists::Places places,
               ListPostings& postings) {
  const PostingList list = segment.list(id);
  postings.docids.resize(list.count);
  postings.freqs.resize(list.count);
  postings.positions.clear();
  list.decode_docids(postings.docids.data());
  list.decode_frequencies(postings.freqs.data());
  if (segment.positions() == nullptr || places == MergedLists::Places::kLeftOut) return;
  decode_list_positions(segment, id, list, postings.docids, postings.freqs, postings.positions);
}

/// Appends the postings of documents that come along, with the numbers that these get.
void append(const MergedSegment& from, const ListPostings& part, ListPostings& postings) {
  const bool with_positions = !part.positions.empty();
  const std::uint32_t* positions = part.positions.data();
  for (std::size_t i = 0; i < part.docids.size(); ++i) {
    const std::uint32_t freq = part.freqs[i];
    const std::uint32_t* const end = with_positions ? positions + freq : positions;
    if (from.is_live(part.docids[i])) {
      postings.docids.push_back(from.merged_docid(part.docids[i]));
      postings.freqs.push_back(freq);
      postings.positions.insert(postings.positions.end(), positions, end);
    }
    positions = end;
  }
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
  list.max_postings = 0;
  list.coded.clear();
  while (!cursors_.empty() && cursors_.front().term == list.term) {
    const Cursor cursor = pop();
    const ListPart part{static_cast<std::uint32_t>(cursor.segment), cursor.id};
    const std::size_t at = list.coded.size();
    list.coded.resize(at + sizeof part);
    std::memcpy(list.coded.data() + at, &part, sizeof part);
    list.max_postings += segments_[cursor.segment].segment().document_frequency(cursor.id);
    push(cursor.segment, std::uint64_t{cursor.id} + 1);
  }
  ++list.number;
  return true;
}

void MergedLists::postings(const PendingList& list, ListPostings& postings) const {
  postings.clear();
  ListPostings part;
  for (std::size_t at = 0; at < list.coded.size(); at += sizeof(ListPart)) {
    ListPart from;
    std::memcpy(&from, list.coded.data() + at, sizeof from);
    read_list(segments_[from.segment].segment(), from.id, places_, part);
    append(segments_[from.segment], part, postings);
  }
}

}  // namespace gannet::index
