// The segments of an index and their copies on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/gpu/device/index/device_index.hpp"

namespace gannet::query::cuda {

struct DeviceSegment {
  std::shared_ptr<const index::Segment> segment;
  std::shared_ptr<const DeviceIndex> copy;
  index::Docid docid_base;
};

/// All segments of an index, with their copies, which other searchers may share. The copies take
/// `bytes` of device memory together, each its share; 0: all that is free, without `reserve`.
/// Synchronous. Throws DeviceMemoryError if this is too little for the data that must be in device
/// memory.
std::vector<DeviceSegment> device_segments(const index::Index& index, int device,
                                           std::uint64_t bytes, std::uint64_t reserve);

/// Bytes that copies of all segments take, without short lists.
std::uint64_t device_bytes_of(const index::Index& index);

/// While it lives, the lists of the segments do not move. Before that, its constructor brings the
/// most used lists to the device, if that pays.
class HeldLists {
 public:
  /// Throws CancelledError.
  HeldLists(std::span<const DeviceSegment> segments, const std::stop_token& stop);

 private:
  std::vector<std::shared_lock<std::shared_timed_mutex>> locks_;
};

/// Bytes of lists that kernels read over the bus since the last call of this function,
/// approximately. Of searches at the same time, one may count what another one read.
std::uint64_t take_host_bytes(std::span<const DeviceSegment> segments);

}  // namespace gannet::query::cuda
