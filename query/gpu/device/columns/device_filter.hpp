// The bitmap of a filter in device memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/pruned/filter_ranges.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// The documents of a segment that pass a filter. Immutable.
class DeviceFilter {
 public:
  /// `words`: bitmap_room() words; `ranges`: FilterView::ranges.
  DeviceFilter(BudgetArray<std::uint64_t> words, BudgetArray<std::uint16_t> ranges,
               std::uint64_t passing, std::uint64_t estimated)
      : words_(std::move(words)),
        ranges_(std::move(ranges)),
        passing_(passing),
        estimated_(estimated) {}

  /// Copies a bitmap to the current device. Synchronous. Throws DeviceMemoryError.
  DeviceFilter(const DocumentBitmap& bitmap, std::uint64_t passing, std::uint64_t estimated)
      : DeviceFilter(
            upload(std::span(bitmap.words), MemoryUse::kFilters,
                   bitmap_room(bitmap.documents) - bitmap.words.size()),
            upload(std::span<const std::uint16_t>(filter_ranges(bitmap)), MemoryUse::kFilters),
            passing, estimated) {}

  bool none() const { return passing_ == 0; }
  std::uint64_t passing() const { return passing_; }
  std::uint64_t estimated() const { return estimated_; }
  FilterView view() const { return {words_.data(), ranges_.data()}; }
  /// Bytes of device memory.
  std::uint64_t bytes() const { return words_.bytes() + ranges_.bytes(); }
  /// Bytes of device memory that a filter over `documents` documents takes.
  static std::uint64_t bytes_for(std::uint32_t documents) {
    return bitmap_room(documents) * sizeof(std::uint64_t) +
           padded_superblocks(documents) * sizeof(std::uint16_t);
  }

 private:
  BudgetArray<std::uint64_t> words_;
  BudgetArray<std::uint16_t> ranges_;
  std::uint64_t passing_, estimated_;
};

}  // namespace gannet::query::cuda
