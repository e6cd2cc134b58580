// A list without bounds: decoded and scored as a whole, which few postings are worth.
#pragma once

#include <cstdint>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/contribution.hpp"
#include "query/bounds/list_bounds.hpp"
#include "query/cpu/collector.hpp"

namespace gannet::query {

/// Postings of one list in a range of documents, and their contributions. They are kept by ranges
/// of 64 documents, in arrays: looking at one decides nothing for each posting. Memory is reused
/// from list to list. Ranges are asked for in ascending order, from the start again after rewind().
/// Not thread-safe.
class DecodedList {
 public:
  /// Decodes the postings of `list` in `range`, and scores them if `contribution` is not null; then
  /// frequencies are kept if `keep_frequencies`.
  void read(const index::Segment& segment, const index::PostingList& list, DocidRange range,
            const Contribution* contribution, bool keep_frequencies = false);

  /// The largest contribution.
  float largest() const { return largest_; }
  /// Contributions become whole numbers: `scale` times as large, rounded down, plus 1. Needs that
  /// they were scored.
  void quantise(float scale);

  void rewind() {
    at_ = 1;
    range_ = kNoRange;
  }
  /// Moves to a range: what follows is of it.
  void enter(std::uint32_t range);
  /// Its documents, as bits.
  std::uint64_t map() const { return present() ? maps_[at_] : 0; }
  /// The largest of its quantised contributions; 0: it has no posting. Needs quantise().
  std::uint32_t code() const { return present() ? codes_[at_] : 0; }

  /// The contribution of the posting with `rank` others of the range before it.
  float contribution(std::uint32_t rank) const { return contributions_[ends_[at_ - 1] + rank]; }
  /// Its frequency, if frequencies were kept.
  std::uint32_t frequency(std::uint32_t rank) const { return frequencies_[ends_[at_ - 1] + rank]; }

  /// Calls visit(range, code) for each range that has postings, in ascending order; code as code()
  /// has it.
  template <class Visit>
  void for_each_range(Visit visit) const {
    for (std::uint32_t i = 1; i <= used_; ++i) visit(ranges_[i], std::uint32_t{codes_[i]});
  }

  /// Tiles that read() decoded.
  std::uint64_t tiles_decoded() const { return tiles_decoded_; }

 private:
  static constexpr std::uint32_t kNoRange = 0xffffffffu;
  /// Ranges that enter() looks at together; as many kNoRange are behind the last one.
  static constexpr std::uint32_t kStride = 16;

  struct Tile;

  void make_room(std::uint32_t postings, bool scored);
  void read_tile(const index::Segment& segment, Tile& tile, std::uint32_t n, DocidRange range,
                 const Contribution* contribution);
  void score(const index::Segment& segment, Tile& tile, std::uint32_t n,
             const Contribution& contribution);
  void add(const Tile& tile, std::uint32_t n);
  bool present() const { return ranges_[at_] == range_; }

  // By posting:
  std::vector<float> contributions_;
  bool keep_frequencies_ = false;
  std::vector<std::uint32_t> frequencies_;
  // By range that has postings, from 1 on; before the first one nothing ends.
  std::vector<std::uint32_t> ranges_;
  std::vector<std::uint64_t> maps_;
  std::vector<std::uint32_t> ends_;  ///< the first posting behind it
  std::vector<std::uint32_t> bits_;  ///< the largest contribution, as its bits
  std::vector<std::uint16_t> codes_;
  std::uint32_t used_ = 0;  ///< the last range; 0: there is none
  float largest_ = 0;
  std::uint64_t tiles_decoded_ = 0;
  std::uint32_t at_ = 1;  ///< the first range that is not below the current one
  std::uint32_t range_ = kNoRange;
};

}  // namespace gannet::query
