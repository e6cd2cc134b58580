// Opens a device for a back end, and decides how its memory is used.
#pragma once

#include <cstdint>

#include "query/backend/backend.hpp"
#include "query/gpu/device/device_call.hpp"

namespace gannet::query::cuda {

/// Copies the segments of the index to the device, and sets aside memory for batches. Synchronous.
/// Throws DeviceMemoryError if there is too little memory, CudaError if there is no such device.
Device open_device(const index::Index& index, const CudaOptions& options);

/// Whether all of an index fits into device memory beside batches.
bool has_room(const index::Index& index, int device, const CudaOptions& options);

/// Bytes for columns on the device: those that were asked for, or a share of what is free.
std::uint64_t room_for_columns(int device, std::uint64_t wanted);

}  // namespace gannet::query::cuda
