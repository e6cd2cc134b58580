// Reading the positions of a list, tile by tile.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/positions/position_code.hpp"
#include "index/positions/positions.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Decodes the positions of any posting of a tile whose docids and frequencies are decoded. Where a
/// posting's code begins follows from the frequencies before it in the tile: the cursor adds up
/// their sizes once. Not thread-safe; any number of cursors may read one segment, which must stay
/// open. Functions throw DamageError, which names file and term.
class PositionCursor {
 public:
  /// Of list `id` of `segment`, which is `list`. The segment must have positions.
  PositionCursor(const Segment& segment, TermId id, const PostingList& list);

  /// Goes to a tile: of a short list number 0, which has all its postings. `docids` and `freqs` (1
  /// and above) are those of its postings, and must stay until the next call. O(1).
  void open_tile(std::uint32_t tile, std::span<const std::uint32_t> docids,
                 std::span<const std::uint32_t> freqs);

  /// Throws unless the code of posting `i` is in the tile: then it has at most as many positions as
  /// its code has bits, or 2. To be called before room is made for the positions of a frequency
  /// that nobody has checked. O(i) once a tile.
  void check(std::uint32_t i) { first_bit(i + 1); }

  /// Writes the freqs[i] positions of posting `i` of the tile, strictly ascending and below the
  /// span of its document, to `out`. O(freqs[i]), and O(i) once a tile.
  void decode(std::uint32_t i, std::uint32_t* out);

  /// Of the ascending numbers `begins` keeps, at their front, those b for which b + shift is one of
  /// the positions of posting `i`; returns how many. Mostly takes less than decode(). Does not tell
  /// a damaged code, of which it keeps some of the numbers.
  std::size_t keep(std::uint32_t i, std::uint32_t shift, std::span<std::uint32_t> begins) {
    first_bit(i + 1);
    return codecs::keep_positions(extent_.bytes, bits_[i], freqs_[i], spans_[docids_[i]], shift,
                                  begins.data(), static_cast<std::uint32_t>(begins.size()));
  }

  /// The span of the text of document `docid`: one more than its last place.
  std::uint32_t span(std::uint32_t docid) const { return spans_[docid]; }

  /// Throws unless the code of the tile ends where its postings' codes do, and 0 follows.
  void check_end();

 private:
  std::uint64_t first_bit(std::uint32_t i);
  bool size_tile();
  [[noreturn]] void fail(std::uint32_t posting, const std::string& what) const;

  PositionCursor(const Segment& segment, TermId id, const PostingList& list,
                 const PlaceOfPositions& place);

  const Segment& segment_;
  const Positions& positions_;
  TermId id_;
  TermId list_;               ///< in the file of positions
  std::uint64_t first_tile_;  ///< there, of a list that is not short
  bool is_short_;
  std::span<const std::uint32_t> spans_;
  std::span<const std::uint32_t> docids_, freqs_;
  Positions::Extent extent_;
  std::uint32_t known_ = 0;                     ///< postings of the tile whose first bit is known
  std::uint64_t bits_[codecs::kTile + 1] = {};  ///< where they begin; the last one's end
};

/// Replaces `positions` by those of all postings of a list, one posting behind the other. `docids`
/// and `freqs`: of the whole list. Checks all there is to be checked. Throws DamageError. Whatever
/// the frequencies are, takes no memory for more positions than the codes have bits, and 2 for each
/// posting. Throws CancelledError as the thread's StopScope says.
void decode_list_positions(const Segment& segment, TermId id, const PostingList& list,
                           std::span<const std::uint32_t> docids,
                           std::span<const std::uint32_t> freqs,
                           std::vector<std::uint32_t>& positions);

}  // namespace gannet::index
