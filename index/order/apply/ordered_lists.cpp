#include "index/order/apply/ordered_lists.hpp"

#include <algorithm>
#include <cstdint>

#include "index/order/located.hpp"

namespace gannet::index {
namespace {

std::vector<MergedSegment> all_segments(const Index& index) {
  std::vector<MergedSegment> segments;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    segments.emplace_back(*index.segments()[s], nullptr, index.docid_base(s));
  }
  return segments;
}

/// A posting with its new docid.
struct Moved {
  Docid place;
  std::uint32_t freq;
  std::size_t first_position;
};

}  // namespace

OrderedLists::OrderedLists(const Index& index, std::span<const Docid> places)
    : segments_(all_segments(index)), lists_(segments_), places_(places) {}

void OrderedLists::postings(const PendingList& list, ListPostings& postings) const {
  ListPostings before;
  lists_.postings(list, before);
  const bool with_positions = !before.positions.empty();
  std::vector<Moved> moved;
  moved.reserve(before.docids.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < before.docids.size(); ++i) {
    const Docid place = places_[before.docids[i]];
    if (place != kNoPlace) moved.push_back({place, before.freqs[i], at});
    if (with_positions) at += before.freqs[i];
  }
  std::ranges::sort(moved, {}, &Moved::place);
  postings.clear();
  postings.positions.reserve(before.positions.size());
  for (const Moved& posting : moved) {
    postings.docids.push_back(posting.place);
    postings.freqs.push_back(posting.freq);
    if (!with_positions) continue;
    const std::uint32_t* const first = before.positions.data() + posting.first_position;
    postings.positions.insert(postings.positions.end(), first, first + posting.freq);
  }
}

}  // namespace gannet::index
