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

/// All segments of an index, with their copies, which other searchers may share. `bytes` of device
/// memory are for them, each gets its share; 0: what is free but for `reserve`. Throws
/// DeviceMemoryError if that is too little for what cannot be anywhere else.
std::vector<DeviceSegment> device_segments(const index::Index& index, int device,
                                           std::uint64_t bytes, std::uint64_t reserve);

/// What copies of all segments take, but for short lists, in bytes.
std::uint64_t device_bytes_of(const index::Index& index);

/// While it lives, the lists of the segments stay where they are. What was used the most before is
/// brought to the device first, where that pays.
class HeldLists {
 public:
  /// Throws CancelledError.
  HeldLists(std::span<const DeviceSegment> segments, const std::stop_token& stop);

 private:
  std::vector<std::shared_lock<std::shared_timed_mutex>> locks_;
};

/// Bytes of lists that kernels read over the bus since the last call of this, about. Of calls at
/// the same time, one may count what another one read.
std::uint64_t take_host_bytes(std::span<const DeviceSegment> segments);

}  // namespace gannet::query::cuda
