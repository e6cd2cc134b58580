#include "index/updates/merge/merged_lists.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

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

}  // namespace

MergedLists::MergedLists(std::span<const MergedSegment> segments) : segments_(segments) {
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

void MergedLists::postings(const PendingList& list, std::vector<Docid>& docids,
                           std::vector<std::uint32_t>& freqs) const {
  docids.clear();
  freqs.clear();
  for (std::size_t at = 0; at < list.coded.size(); at += sizeof(ListPart)) {
    ListPart part;
    std::memcpy(&part, list.coded.data() + at, sizeof part);
    const MergedSegment& from = segments_[part.segment];
    const PostingList postings = from.segment().list(part.id);
    const std::size_t first = docids.size();
    docids.resize(first + postings.count);
    freqs.resize(first + postings.count);
    postings.decode_docids(docids.data() + first);
    postings.decode_frequencies(freqs.data() + first);
    std::size_t kept = first;
    for (std::size_t i = first; i < docids.size(); ++i) {
      if (!from.is_live(docids[i])) continue;
      docids[kept] = from.merged_docid(docids[i]);
      freqs[kept++] = freqs[i];
    }
    docids.resize(kept);
    freqs.resize(kept);
  }
}

}  // namespace gannet::index
