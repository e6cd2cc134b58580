// The index in device memory: encoded lists, skip and bound data, document lengths.
#pragma once

#include "codecs/device/memory.hpp"
#include "index/index.hpp"
#include "query/device/batch.hpp"
#include "query/device/device_lists.hpp"

namespace gannet::query::cuda {

/// Owns the device copy of one segment. Immutable.
class DeviceIndex {
 public:
  /// Copies the segment to the current device (synchronous). Throws DeviceMemoryError, naming what
  /// is needed and what is free, if it does not fit with `reserve` bytes to spare.
  DeviceIndex(const index::Segment& segment, std::uint64_t reserve);

  const IndexView& view() const { return view_; }
  /// Where the lists are, by term.
  std::span<const DeviceList> lists() const { return lists_; }
  std::uint64_t bytes() const;

 private:
  codecs::cuda::DeviceArray<std::uint32_t> words_, skips_, max_freqs_, min_lengths_, lengths_;
  std::vector<DeviceList> lists_;
  IndexView view_{};
};

}  // namespace gannet::query::cuda
