// Lists that many documents have, as bitmaps: made when a search first needs them, kept for the
// next.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/index.hpp"
#include "query/bounds/kept_by_term.hpp"
#include "query/bounds/least_counts.hpp"
#include "query/filter/document_bitmap.hpp"

namespace gannet::query {

/// Bitmaps of lists of one segment.
using SegmentBitmaps = KeptByTerm<DocumentBitmap>;

/// What a search has of the bitmaps of a segment: none, unless ListBitmaps gave it.
struct KeptLists {
  const SegmentBitmaps* bitmaps = nullptr;
  /// Lists of the segment alone, with that many postings or more, have one when a search begins.
  std::uint32_t least = ~std::uint32_t{0};
  std::uint64_t terms = 0;

  bool has(index::TermId id, std::uint32_t count) const { return count >= least && id < terms; }
  /// The words of a bitmap; null if there is none.
  const std::uint64_t* find(index::TermId id) const {
    const DocumentBitmap* const found = bitmaps == nullptr ? nullptr : bitmaps->find(id);
    return found == nullptr ? nullptr : found->words.data();
  }
};

/// A term of a segment whose bitmap is wanted.
struct WantedBitmap {
  std::size_t segment;
  index::TermId term;
  auto operator<=>(const WantedBitmap&) const = default;
};

/// The bitmaps of an index's lists, for searches that want matches without scores. Nothing is made
/// or counted before the first of them. Any number of threads may use it.
class ListBitmaps {
 public:
  /// Lists that less than one document in so many has get no bitmap: reading them costs no more.
  static constexpr std::uint64_t kSparsest = 512;

  /// `bits`: what all bitmaps together may take, in bits per posting of a segment; it decides from
  /// which length on lists have one. 0: none has.
  ListBitmaps(std::shared_ptr<const index::Index> index, double bits);

  bool enabled() const { return bits_ > 0; }
  /// The bitmaps of a segment, as far as they are there. The first call counts the segment's lists.
  /// Throws CancelledError.
  KeptLists of(std::size_t segment, const std::stop_token& stop);
  /// Makes what is missing, in parallel on the calling thread's TBB arena: 1 to 2 ns a posting.
  /// Throws FormatError for a damaged list, CancelledError.
  void make(std::vector<WantedBitmap> wanted, const std::stop_token& stop);
  /// What the bitmaps that are kept take.
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void make_one(const WantedBitmap& wanted, const std::stop_token& stop);

  std::shared_ptr<const index::Index> index_;
  double bits_;
  LeastCounts least_;  ///< locks for itself
  Once made_;
  std::vector<std::unique_ptr<SegmentBitmaps>> segments_;
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace gannet::query
