// A list without bounds: decoded and scored as a whole, which few postings are worth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/contribution.hpp"
#include "query/bounds/list_bounds.hpp"
#include "query/cpu/collector.hpp"

namespace gannet::query {

/// Postings of one list in a range of documents, and their contributions. Memory is reused from
/// list to list. Ranges are asked for in ascending order, from the start again after rewind(). Not
/// thread-safe.
class DecodedList {
 public:
  /// Decodes the postings of `list` in `range`, and scores them if `contribution` is not null; then
  /// frequencies are kept if `keep_frequencies`.
  void read(const index::Segment& segment, const index::PostingList& list, DocidRange range,
            const Contribution* contribution, bool keep_frequencies = false);

  /// The largest contribution.
  float largest() const { return largest_; }
  /// Contributions become whole numbers: `scale` times as large, rounded down, plus 1.
  void quantise(float scale);

  void rewind() {
    at_ = 0;
    range_ = kNoRange;
  }
  /// Moves to a range: what follows is of it.
  void enter(std::uint32_t range);
  /// Its documents, as bits.
  std::uint64_t map() const { return map_; }
  /// The largest of its quantised contributions; 0: it has no posting.
  std::uint32_t code() const { return code_; }

  /// The contribution of the posting with `rank` others of the range before it.
  float contribution(std::uint32_t rank) const { return contributions_[start_ + rank]; }
  /// Its frequency, if frequencies were kept.
  std::uint32_t frequency(std::uint32_t rank) const { return frequencies_[start_ + rank]; }

  /// Calls visit(range, code) for each range that has postings, in ascending order; code as code()
  /// has it.
  template <class Visit>
  void for_each_range(Visit visit) const {
    for (std::size_t i = 0; i < docids_.size();) {
      const std::uint32_t range = docids_[i] / kRange;
      std::uint32_t code = codes_[i];
      while (++i < docids_.size() && docids_[i] / kRange == range) {
        code = std::max<std::uint32_t>(code, codes_[i]);
      }
      visit(range, code);
    }
  }

  /// Tiles that read() decoded.
  std::uint64_t tiles_decoded() const { return tiles_decoded_; }

 private:
  static constexpr std::uint32_t kNoRange = 0xffffffffu;

  void read_tile(const index::Segment& segment, const std::uint32_t* docids,
                 const std::uint32_t* frequencies, std::uint32_t n, DocidRange range,
                 const Contribution* contribution);

  std::vector<index::Docid> docids_;
  std::vector<float> contributions_;
  bool keep_frequencies_ = false;
  std::vector<std::uint32_t> frequencies_;
  std::vector<std::uint16_t> codes_;
  float largest_ = 0;
  std::uint64_t tiles_decoded_ = 0;
  std::size_t at_ = 0;  ///< the first posting behind the current range
  std::uint32_t range_ = kNoRange;
  std::uint64_t map_ = 0;
  std::uint32_t code_ = 0;
  std::uint32_t start_ = 0;
};

}  // namespace gannet::query
