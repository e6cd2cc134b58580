// The index in device memory: encoded lists, skip and bound data, document lengths.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "index/index.hpp"
#include "query/gpu/device/index/split_words.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/device_lists.hpp"

namespace gannet::query::cuda {

/// Device memory that a segment may take.
struct DeviceRoom {
  std::uint64_t bytes = ~std::uint64_t{0};  ///< for the copy
  std::uint64_t reserve = 0;                ///< bytes that must stay free
};

/// Owns the device copy of one segment. Data that rules out work (skips, bounds of tiles, lengths)
/// is always in device memory. Lists are too, if they fit; otherwise only the most used ones are
/// (split_words.hpp). Thread-safe.
class DeviceIndex {
 public:
  /// Copies the segment to the current device. Synchronous. Throws DeviceMemoryError, which names
  /// the bytes that are needed and free, if the data that must be there does not fit.
  DeviceIndex(const index::Segment& segment, const DeviceRoom& room);

  const IndexView& view() const { return view_; }
  /// Where the lists are, by term. They do not move while the words are held (SplitWords::hold()).
  std::span<const DeviceList> lists() const { return lists_; }
  /// Where the lists and the lengths are, for assign().
  SegmentPlaces places() const { return {lists_, &texts_}; }
  /// Where the lengths of texts are.
  const TextOffsets& texts() const { return texts_; }
  /// The lengths of a text on the device.
  const std::uint32_t* lengths_of(std::uint32_t text) const {
    return view_.lengths + texts_.of(text);
  }
  /// Bytes of device memory that it takes.
  std::uint64_t bytes() const;
  /// The words of lists that do not fit into device memory; null if all fit.
  SplitWords* split() const { return split_.get(); }

 private:
  BudgetArray<std::uint32_t> words_, skips_, max_freqs_, min_lengths_, lengths_;
  std::vector<DeviceList> lists_;
  TextOffsets texts_;
  std::unique_ptr<SplitWords> split_;
  IndexView view_{};
};

}  // namespace gannet::query::cuda
