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
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/device_lists.hpp"

namespace gannet::query::cuda {

/// What a segment may take of a device.
struct DeviceRoom {
  std::uint64_t bytes = ~std::uint64_t{0};  ///< for its copy
  std::uint64_t reserve = 0;                ///< that must stay free besides
};

/// Owns the device copy of one segment. What rules out work (skips, bounds of tiles, lengths) is in
/// device memory; so are the lists, if they fit, else only those that are used the most
/// (split_words.hpp). Thread-safe.
class DeviceIndex {
 public:
  /// Copies the segment to the current device (synchronous). Throws DeviceMemoryError, naming what
  /// is needed and what there is, if there is no room for what must be there.
  DeviceIndex(const index::Segment& segment, const DeviceRoom& room);

  const IndexView& view() const { return view_; }
  /// Where the lists are, by term. While somebody holds the words, they stay there.
  std::span<const DeviceList> lists() const { return lists_; }
  /// What it takes of the device.
  std::uint64_t bytes() const;
  /// The lists that the device has no room for; or null.
  SplitWords* split() const { return split_.get(); }

 private:
  BudgetArray<std::uint32_t> words_, skips_, max_freqs_, min_lengths_, lengths_;
  std::vector<DeviceList> lists_;
  std::unique_ptr<SplitWords> split_;
  IndexView view_{};
};

}  // namespace gannet::query::cuda
