// One copy of a segment for each device, however many searchers use it.
#pragma once

#include <cstdint>
#include <memory>

#include "index/index.hpp"
#include "query/gpu/device/index/device_index.hpp"

namespace gannet::query::cuda {

/// The copy of `segment` in the memory of `device`: the one that some back end of the process has
/// already, or a new one, which takes what `room` says and lives as long as somebody holds it.
/// Thread-safe; copies of several segments, or on several devices, may be made at the same time.
/// Throws what DeviceIndex throws.
std::shared_ptr<const DeviceIndex> shared_device_index(
    const std::shared_ptr<const index::Segment>& segment, int device, const DeviceRoom& room);

}  // namespace gannet::query::cuda
