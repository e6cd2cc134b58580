#include "index/order/apply/ordered_lists.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

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
};

struct MovedWithPositions {
  Docid place;
  std::uint32_t freq;
  std::size_t first_position;
};

/// Replaces `postings` by the postings in their new order.
template <class Posting>
void order(std::vector<Posting>& moved, ListPostings& postings) {
  std::ranges::sort(moved, {}, &Posting::place);
  postings.clear();
  postings.docids.reserve(moved.size());
  postings.freqs.reserve(moved.size());
  for (const Posting& posting : moved) {
    postings.docids.push_back(posting.place);
    postings.freqs.push_back(posting.freq);
  }
}

void order_postings(const ListPostings& before, std::span<const Docid> places,
                    ListPostings& postings) {
  std::vector<Moved> moved;
  moved.reserve(before.docids.size());
  for (std::size_t i = 0; i < before.docids.size(); ++i) {
    const Docid place = places[before.docids[i]];
    if (place != kNoPlace) moved.push_back({place, before.freqs[i]});
  }
  order(moved, postings);
}

void order_with_positions(const ListPostings& before, std::span<const Docid> places,
                          ListPostings& postings) {
  std::vector<MovedWithPositions> moved;
  moved.reserve(before.docids.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < before.docids.size(); at += before.freqs[i++]) {
    const Docid place = places[before.docids[i]];
    if (place != kNoPlace) moved.push_back({place, before.freqs[i], at});
  }
  order(moved, postings);
  postings.positions.reserve(before.positions.size());
  for (const MovedWithPositions& posting : moved) {
    const std::uint32_t* const first = before.positions.data() + posting.first_position;
    postings.positions.insert(postings.positions.end(), first, first + posting.freq);
  }
}

}  // namespace

OrderedLists::OrderedLists(const Index& index, std::span<const Docid> places)
    : segments_(all_segments(index)), lists_(segments_), places_(places) {}

void OrderedLists::postings(const PendingList& list, ListPostings& postings) const {
  ListPostings before;
  lists_.postings(list, before);
  // Twice as much is sorted with positions.
  before.positions.empty() ? order_postings(before, places_, postings)
                           : order_with_positions(before, places_, postings);
}

}  // namespace gannet::index
