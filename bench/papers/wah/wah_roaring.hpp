// The comparison: the same bit vectors and queries with CRoaring, where the build has it
// (GANNET_HAS_ROARING, with its headers and library).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

#if defined(GANNET_HAS_ROARING)
#if __has_include(<roaring/roaring.h>)
#include <roaring/roaring.h>
#define GANNET_USES_ROARING 1
#endif
#endif

namespace gannet::bench {

/// How a clause's vectors are ORed: the library's two functions for many bitmaps, or one after the
/// other into a bitset, whose cardinality is counted at the end.
enum class RoaringUnion { kMany, kHeap, kLazy };
inline constexpr RoaringUnion kRoaringUnions[] = {RoaringUnion::kMany, RoaringUnion::kHeap,
                                                  RoaringUnion::kLazy};

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

  /// Rows that a query with at least one clause selects: counted, as ours are. What is combined
  /// last is counted without being made.
  std::uint64_t count(const wah::BitmapQuery& query, RoaringUnion by) const {
    const auto& clauses = query.clauses;
    if (clauses.size() == 1) return count_union(clauses[0], by);
    Made result = union_of(clauses[0], by);
    for (std::size_t c = 1; c + 1 < clauses.size(); ++c) {
      roaring_bitmap_and_inplace(result.get(), union_of(clauses[c], by).get());
    }
    return roaring_bitmap_and_cardinality(result.get(), union_of(clauses.back(), by).get());
  }

 private:
  struct Free {
    void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
  };
  using Made = std::unique_ptr<roaring_bitmap_t, Free>;

  Made union_of(std::span<const std::uint32_t> vectors, RoaringUnion by) const {
    std::vector<const roaring_bitmap_t*> chosen;
    for (const std::uint32_t v : vectors) chosen.push_back(bitmaps_[v]);
    if (by == RoaringUnion::kMany) {
      return Made(roaring_bitmap_or_many(chosen.size(), chosen.data()));
    }
    if (by == RoaringUnion::kHeap) {
      return Made(
          roaring_bitmap_or_many_heap(static_cast<std::uint32_t>(chosen.size()), chosen.data()));
    }
    if (chosen.empty()) return Made(roaring_bitmap_create());
    Made sum(roaring_bitmap_copy(chosen[0]));
    for (std::size_t i = 1; i < chosen.size(); ++i) {
      roaring_bitmap_lazy_or_inplace(sum.get(), chosen[i], true);
    }
    roaring_bitmap_repair_after_lazy(sum.get());
    return sum;
  }

  std::uint64_t count_union(std::span<const std::uint32_t> vectors, RoaringUnion by) const {
    if (vectors.empty()) return 0;
    const auto* last = bitmaps_[vectors.back()];
    if (vectors.size() == 1) return roaring_bitmap_get_cardinality(last);
    return roaring_bitmap_or_cardinality(union_of(vectors.first(vectors.size() - 1), by).get(),
                                         last);
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
  std::uint64_t count(const wah::BitmapQuery&, RoaringUnion) const { return 0; }
};

#endif

}  // namespace gannet::bench
