// Which documents an index has, and where.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "index/index.hpp"
#include "index/segment/live_documents.hpp"
#include "index/updates/merge/merged_segment.hpp"

namespace gannet::index {

/// The place of a document that gets none: it is deleted.
inline constexpr Docid kNoPlace = std::numeric_limits<Docid>::max();

/// A document of a segment.
struct LocatedDocument {
  std::size_t segment;
  Docid docid;  ///< in the segment
};

/// Finds the documents of an index. Immutable.
class DocumentLocator {
 public:
  explicit DocumentLocator(const Index& index) {
    for (std::size_t s = 0; s < index.segments().size(); ++s) bases_.push_back(index.docid_base(s));
  }
  /// Of a document of the index. With several segments, a binary search.
  LocatedDocument operator()(Docid docid) const {
    std::size_t first = 0;
    for (std::size_t count = bases_.size(); count > 1;) {
      const std::size_t half = count / 2;
      if (bases_[first + half] <= docid) first += half;
      count -= half;
    }
    return {first, docid - bases_[first]};
  }
  Docid base(std::size_t segment) const { return bases_[segment]; }

 private:
  std::vector<Docid> bases_;
};

/// Calls f(segment, docid in the segment, docid in the index) for all documents that are not
/// deleted, in order.
template <class F>
void for_live_documents(const Index& index, const F& f) {
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const LiveDocuments* const live = index.live(s);
    const auto documents = static_cast<Docid>(index.segments()[s]->statistics().documents);
    for (Docid d = 0; d < documents; ++d) {
      if (live == nullptr || live->has(d)) f(s, d, index.docid_base(s) + d);
    }
  }
}

/// Those documents, by their docids in the index.
inline std::vector<Docid> live_documents(const Index& index) {
  std::vector<Docid> documents;
  documents.reserve(index.statistics().documents);
  for_live_documents(index, [&](std::size_t, Docid, Docid docid) { documents.push_back(docid); });
  return documents;
}

/// Segments without their deleted documents, one behind the other.
inline std::vector<MergedSegment> live_segments(const Index& index) {
  std::vector<MergedSegment> segments;
  Docid base = 0;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    segments.emplace_back(*index.segments()[s], index.live(s), base);
    base += static_cast<Docid>(segments.back().documents());
  }
  return segments;
}

}  // namespace gannet::index
