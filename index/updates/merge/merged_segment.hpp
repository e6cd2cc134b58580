// A segment on its way into another one: which of its documents come along, and what numbers they
// get there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "index/segment/live_documents.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Takes 4 bytes for each 64 documents if some are deleted.
class MergedSegment {
 public:
  /// `live` may be null: all documents. `base`: the number of its first document in the new
  /// segment. Both must stay.
  MergedSegment(const Segment& segment, const LiveDocuments* live, Docid base)
      : segment_(&segment),
        live_(live),
        end_(static_cast<Docid>(segment.statistics().documents)),
        base_(base) {
    if (live == nullptr) return;
    before_.reserve(live->words().size());
    std::uint32_t documents = 0;
    for (const std::uint64_t word : live->words()) {
      before_.push_back(documents);
      documents += static_cast<std::uint32_t>(std::popcount(word));
    }
  }

  const Segment& segment() const { return *segment_; }
  /// Documents that come along.
  std::uint64_t documents() const { return live_before(end_) - skipped_; }
  /// All documents that come along have numbers [first, end) in the segment.
  Docid first() const { return first_; }
  Docid end() const { return end_; }
  /// Of the documents that come along, leaves out the first `skip`, and all behind the `count` that
  /// follow. Needs that there are as many.
  void keep(std::uint64_t skip, std::uint64_t count) {
    const std::uint64_t before = skipped_ + skip;
    end_ = position(before + count);
    first_ = std::min(position(before), end_);
    skipped_ = static_cast<Docid>(before);
  }
  bool is_live(Docid docid) const {
    return docid >= first_ && docid < end_ && (live_ == nullptr || live_->has(docid));
  }
  /// The number of a document that comes along in the new segment.
  Docid merged_docid(Docid docid) const { return base_ + (live_before(docid) - skipped_); }

 private:
  /// Documents before `docid` that are not deleted.
  Docid live_before(Docid docid) const {
    if (live_ == nullptr) return docid;
    if (docid / 64 == before_.size())
      return static_cast<Docid>(segment_documents() - live_->deleted());
    const std::uint64_t below = live_->words()[docid / 64] & ((std::uint64_t{1} << docid % 64) - 1);
    return before_[docid / 64] + static_cast<Docid>(std::popcount(below));
  }
  /// The first number before which so many documents are not deleted.
  Docid position(std::uint64_t count) const {
    Docid low = 0, high = static_cast<Docid>(segment_documents());
    while (low < high) {
      const Docid middle = low + (high - low) / 2;
      live_before(middle) < count ? low = middle + 1 : high = middle;
    }
    return low;
  }
  std::uint64_t segment_documents() const { return segment_->statistics().documents; }

  const Segment* segment_;
  const LiveDocuments* live_;
  std::vector<std::uint32_t> before_;  ///< live documents before each word
  Docid first_ = 0;
  Docid end_;
  Docid skipped_ = 0;  ///< documents before the first that are not deleted
  Docid base_;
};

}  // namespace gannet::index
