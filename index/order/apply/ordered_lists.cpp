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

}  // namespace

OrderedLists::OrderedLists(const Index& index, std::span<const Docid> places)
    : segments_(all_segments(index)), lists_(segments_), places_(places) {}

void OrderedLists::postings(const PendingList& list, std::vector<Docid>& docids,
                            std::vector<std::uint32_t>& freqs) const {
  lists_.postings(list, docids, freqs);
  // The frequency goes along in the low half.
  std::vector<std::uint64_t> pairs;
  pairs.reserve(docids.size());
  for (std::size_t i = 0; i < docids.size(); ++i) {
    const Docid place = places_[docids[i]];
    if (place != kNoPlace) pairs.push_back(std::uint64_t{place} << 32 | freqs[i]);
  }
  std::ranges::sort(pairs);
  docids.resize(pairs.size());
  freqs.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    docids[i] = static_cast<Docid>(pairs[i] >> 32);
    freqs[i] = static_cast<std::uint32_t>(pairs[i]);
  }
}

}  // namespace gannet::index
