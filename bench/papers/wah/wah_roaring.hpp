// The comparison: the same bit vectors and queries with CRoaring, where the build has it
// (GANNET_HAS_ROARING, with its headers and library).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/bitmap/bitmap_index.hpp"

#if defined(GANNET_HAS_ROARING)
#if __has_include(<roaring/roaring.h>)
#include <roaring/roaring.h>
#define GANNET_USES_ROARING 1
#endif
#endif

namespace gannet::bench {

#if defined(GANNET_USES_ROARING)

inline std::string roaring_version() {
  return "CRoaring " + std::to_string(static_cast<int>(ROARING_VERSION_MAJOR)) + "." +
         std::to_string(static_cast<int>(ROARING_VERSION_MINOR)) + "." +
         std::to_string(static_cast<int>(ROARING_VERSION_REVISION));
}

/// A set of bitmaps, one a vector. Queries are thread-safe.
class RoaringVectors {
 public:
  RoaringVectors() = default;
  ~RoaringVectors() {
    for (auto* bitmap : bitmaps_) roaring_bitmap_free(bitmap);
  }
  RoaringVectors(RoaringVectors&& other) noexcept { bitmaps_.swap(other.bitmaps_); }
  RoaringVectors& operator=(RoaringVectors&& other) noexcept {
    bitmaps_.swap(other.bitmaps_);
    return *this;
  }

  /// Appends the vectors of an attribute, run-compressed where that is smaller.
  void add(std::span<const std::uint32_t> bin_of_row, std::uint32_t bins) {
    std::vector<std::vector<std::uint32_t>> rows(bins);
    for (std::uint32_t row = 0; row < bin_of_row.size(); ++row) {
      rows[bin_of_row[row]].push_back(row);
    }
    for (auto& list : rows) {
      bitmaps_.push_back(roaring_bitmap_of_ptr(list.size(), list.data()));
      roaring_bitmap_run_optimize(bitmaps_.back());
      roaring_bitmap_shrink_to_fit(bitmaps_.back());
      list = {};
    }
  }

  /// Appends another set's vectors, which it gives up.
  void take(RoaringVectors& other) {
    bitmaps_.insert(bitmaps_.end(), other.bitmaps_.begin(), other.bitmaps_.end());
    other.bitmaps_.clear();
  }

  std::uint64_t bytes() const {
    std::uint64_t total = 0;
    for (const auto* bitmap : bitmaps_) total += roaring_bitmap_portable_size_in_bytes(bitmap);
    return total;
  }

  /// Rows that a query with at least one clause selects.
  std::uint64_t count(const index::BitmapQuery& query) const {
    roaring_bitmap_t* result = nullptr;
    for (std::size_t c = 0; c < query.clauses.size(); ++c) {
      roaring_bitmap_t* clause = any_of(query.clauses[c]);
      if (c == 0) {
        result = clause;
        continue;
      }
      const bool last = c + 1 == query.clauses.size();
      const std::uint64_t both = last ? roaring_bitmap_and_cardinality(result, clause) : 0;
      if (!last) roaring_bitmap_and_inplace(result, clause);
      roaring_bitmap_free(clause);
      if (!last) continue;
      roaring_bitmap_free(result);
      return both;
    }
    const std::uint64_t count = roaring_bitmap_get_cardinality(result);
    roaring_bitmap_free(result);
    return count;
  }

 private:
  roaring_bitmap_t* any_of(std::span<const std::uint32_t> vectors) const {
    std::vector<const roaring_bitmap_t*> chosen;
    for (const std::uint32_t v : vectors) chosen.push_back(bitmaps_[v]);
    return roaring_bitmap_or_many(chosen.size(), chosen.data());
  }

  std::vector<roaring_bitmap_t*> bitmaps_;
};

#else

inline std::string roaring_version() { return ""; }

/// Nothing: the build has no CRoaring.
class RoaringVectors {
 public:
  void add(std::span<const std::uint32_t>, std::uint32_t) {}
  void take(RoaringVectors&) {}
  std::uint64_t bytes() const { return 0; }
  std::uint64_t count(const index::BitmapQuery&) const { return 0; }
};

#endif

}  // namespace gannet::bench
