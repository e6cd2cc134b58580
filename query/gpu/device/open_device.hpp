// What a back end takes of its device.
#pragma once

#include <cstdint>

#include "query/backend/backend.hpp"
#include "query/gpu/device/device_call.hpp"

namespace gannet::query::cuda {

/// The device with the segments of the index, and room for batches. Throws DeviceMemoryError if
/// there is too little memory, CudaError if there is no such device.
Device open_device(const index::Index& index, const CudaOptions& options);

/// Whether there is room for all of an index beside batches.
bool has_room(const index::Index& index, int device, const CudaOptions& options);

/// Bytes for columns on the device: those that are wanted, or a share of what is free.
std::uint64_t room_for_columns(int device, std::uint64_t wanted);

}  // namespace gannet::query::cuda
