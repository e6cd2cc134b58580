// The bitmap of a filter in device memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "codecs/device/memory.hpp"
#include "query/device/columns/views.hpp"
#include "query/device/filters/filter_ranges.hpp"

namespace gannet::query::cuda {

/// The documents of a segment that pass a filter. Immutable.
class DeviceFilter {
 public:
  /// `words`: bitmap_room() of the documents; `ranges`: FilterView::ranges.
  DeviceFilter(codecs::cuda::DeviceArray<std::uint64_t> words,
               codecs::cuda::DeviceArray<std::uint16_t> ranges, std::uint64_t passing,
               std::uint64_t estimated)
      : words_(std::move(words)),
        ranges_(std::move(ranges)),
        passing_(passing),
        estimated_(estimated) {}

  /// Copies a bitmap to the current device.
  DeviceFilter(const DocumentBitmap& bitmap, std::uint64_t passing, std::uint64_t estimated)
      : DeviceFilter(codecs::cuda::upload(std::span(bitmap.words),
                                          bitmap_room(bitmap.documents) - bitmap.words.size()),
                     codecs::cuda::upload(std::span<const std::uint16_t>(filter_ranges(bitmap))),
                     passing, estimated) {}

  bool none() const { return passing_ == 0; }
  std::uint64_t passing() const { return passing_; }
  std::uint64_t estimated() const { return estimated_; }
  FilterView view() const { return {words_.data(), ranges_.data()}; }
  /// Of device memory.
  std::uint64_t bytes() const { return words_.bytes() + ranges_.bytes(); }

 private:
  codecs::cuda::DeviceArray<std::uint64_t> words_;
  codecs::cuda::DeviceArray<std::uint16_t> ranges_;
  std::uint64_t passing_, estimated_;
};

}  // namespace gannet::query::cuda
