// A list without bounds: decoded and scored as a whole, which few postings are worth.
#pragma once

#include <cstdint>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/contribution.hpp"
#include "query/bounds/ranges.hpp"
#include "query/host/collector.hpp"

namespace gannet::query {

/// Postings of one list in a part of the documents, by ranges, and their contributions. Ranges may
/// be asked for in any order. Memory is reused from list to list. Not thread-safe.
class DecodedList {
 public:
  /// Decodes the postings of `list` in `part`, which begins with a range, and scores them if
  /// `contribution` is not null.
  void read(const index::Segment& segment, const index::PostingList& list, DocidRange part,
            const Contribution* contribution);

  /// The largest contribution.
  float largest() const { return largest_; }
  /// The largest contribution of each range becomes a whole number: `scale` times as large, rounded
  /// down, plus 1. Needs contributions.
  void quantise(float scale);

  /// Moves to a range of the part: what follows is of it.
  void enter(std::uint32_t range);
  /// Its documents, as bits.
  std::uint64_t map() const { return map_; }
  /// The largest of its contributions, quantised; 0: it has no posting.
  std::uint32_t code() const { return code_; }

  /// The contribution of the posting that has so many others of the range before it.
  float contribution(std::uint32_t rank) const { return contributions_[start_ + rank]; }

  /// Calls visit(range, code) for each range that has postings, in ascending order; code as code()
  /// has it.
  template <class Visit>
  void for_each_range(Visit visit) const {
    for (std::size_t i = 0; i < ranges_.size(); ++i) visit(ranges_[i], codes_[i]);
  }

  /// Tiles that read() decoded.
  std::uint64_t tiles_decoded() const { return tiles_decoded_; }

 private:
  static constexpr std::uint32_t kNoRange = 0xffffffffu;

  void clear(DocidRange part);
  void read_tile(const index::Segment& segment, const std::uint32_t* docids,
                 const std::uint32_t* frequencies, std::uint32_t n, DocidRange part,
                 const Contribution* contribution);
  void group_by_range();

  std::vector<index::Docid> docids_;
  std::vector<float> contributions_;
  float largest_ = 0;
  std::uint64_t tiles_decoded_ = 0;

  // Of the ranges that have postings:
  std::vector<std::uint32_t> ranges_;
  std::vector<std::uint32_t> starts_;  ///< the first posting of each, and the end
  std::vector<float> maxima_;
  std::vector<std::uint16_t> codes_;
  // Of all ranges of the part, 64 to a word: which have postings, and how many have before a word
  // that is not 0.
  std::vector<std::uint64_t> present_;
  std::vector<std::uint32_t> before_;
  std::uint32_t first_range_ = 0;

  // The range that was entered:
  std::uint32_t range_ = kNoRange;
  std::uint64_t map_ = 0;
  std::uint32_t code_ = 0;
  std::uint32_t start_ = 0;
};

}  // namespace gannet::query
