// One copy of a segment for each device, however many searchers use it.
#pragma once

#include <cstdint>
#include <memory>

#include "index/index.hpp"
#include "query/device/device_index.hpp"

namespace gannet::query::cuda {

/// The copy of `segment` in the memory of `device`: the one that some back end of the process has
/// already, or a new one, which lives as long as somebody holds it. Thread-safe; copies are made
/// one at a time. Throws DeviceMemoryError unless a new copy leaves `reserve` bytes free.
std::shared_ptr<const DeviceIndex> shared_device_index(
    const std::shared_ptr<const index::Segment>& segment, int device, std::uint64_t reserve);

}  // namespace gannet::query::cuda
