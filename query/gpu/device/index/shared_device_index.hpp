// One copy of a segment per device, shared by all searchers.
#pragma once

#include <cstdint>
#include <memory>

#include "index/index.hpp"
#include "query/gpu/device/index/device_index.hpp"

namespace gannet::query::cuda {

/// The copy of `segment` in the memory of `device`: the copy that a back end of the process has
/// already, or a new one within `room`, which lives as long as there is a reference to it.
/// Thread-safe; copies of several segments, or on several devices, may be made at the same time.
/// Throws what DeviceIndex throws.
std::shared_ptr<const DeviceIndex> shared_device_index(
    const std::shared_ptr<const index::Segment>& segment, int device, const DeviceRoom& room);

}  // namespace gannet::query::cuda
