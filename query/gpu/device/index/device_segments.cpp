#include "query/gpu/device/index/device_segments.hpp"

#include <algorithm>

#include "query/gpu/device/index/shared_device_index.hpp"
#include "query/gpu/device/memory/device_budget.hpp"

namespace gannet::query::cuda {
namespace {

/// Bytes that a segment's copy takes, without short lists.
std::uint64_t bytes_of(const index::Segment& segment) {
  return segment.words().size_bytes() + 3 * segment.skips().size_bytes() +
         4 * TextOffsets(segment).values();
}

/// Bytes of the device for copies: without `reserve` and, if the index does not fit, without the
/// share of bounds and columns. Other owners give back what they do not use at the moment.
std::uint64_t free_for(int device, std::uint64_t reserve, std::uint64_t wanted) {
  const std::uint64_t free =
      device_budget(device).make_available(wanted + reserve, MemoryUse::kLists);
  const std::uint64_t rest = free - std::min<std::uint64_t>(free, reserve);
  return wanted <= rest ? wanted : rest - rest / 4;
}

}  // namespace

std::uint64_t device_bytes_of(const index::Index& index) {
  std::uint64_t bytes = 1;
  for (const auto& segment : index.segments()) bytes += bytes_of(*segment);
  return bytes;
}

std::vector<DeviceSegment> device_segments(const index::Index& index, int device,
                                           std::uint64_t bytes, std::uint64_t reserve) {
  const std::uint64_t all = device_bytes_of(index);
  const std::uint64_t limit = bytes != 0 ? bytes : free_for(device, reserve, all);
  std::vector<DeviceSegment> segments;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const auto& segment = index.segments()[s];
    DeviceRoom room{.reserve = reserve};
    if (limit < all) {
      const double share = static_cast<double>(bytes_of(*segment)) / static_cast<double>(all);
      room.bytes = static_cast<std::uint64_t>(static_cast<double>(limit) * share);
    }
    segments.push_back({segment, shared_device_index(segment, device, room), index.docid_base(s)});
  }
  return segments;
}

HeldLists::HeldLists(std::span<const DeviceSegment> segments, const std::stop_token& stop) {
  for (const DeviceSegment& segment : segments) {
    SplitWords* const split = segment.copy->split();
    if (split == nullptr) continue;
    split->adapt();
    locks_.push_back(split->hold(stop));
  }
}

std::uint64_t take_host_bytes(std::span<const DeviceSegment> segments) {
  std::uint64_t bytes = 0;
  for (const DeviceSegment& segment : segments) {
    if (SplitWords* const split = segment.copy->split()) bytes += split->take_host_bytes();
  }
  return bytes;
}

}  // namespace gannet::query::cuda
