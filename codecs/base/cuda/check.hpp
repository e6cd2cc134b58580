// Checks of CUDA calls: errors become exceptions. For .cu files and for host files that include the
// CUDA runtime. All functions are thread-safe.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {

/// The file's name without folders, and the line: "scan.cu:120".
inline std::string place_name(const std::source_location& place) {
  std::string_view file = place.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file) + ":" + std::to_string(place.line());
}

/// Whether `status` means that device memory is missing: cudaErrorMemoryAllocation, or
/// cudaErrorUnknown while the current device has less than 64 MiB free. The driver needs memory to
/// load a kernel for its first launch, and reports an unknown error if there is too little.
inline bool lacks_memory(cudaError_t status) {
  constexpr std::size_t kDriverNeeds = std::size_t{64} << 20;
  if (status != cudaErrorUnknown) return status == cudaErrorMemoryAllocation;
  std::size_t free = 0;
  std::size_t total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess && free < kDriverNeeds;
}

/// Throws if `status` is not cudaSuccess: DeviceMemoryError if lacks_memory(), NoDeviceError if no
/// device is usable or the driver is too old, else CudaError. The message has `what`, the name of
/// the call, and `place`. On failure, the runtime's last error of the calling thread is cleared.
inline void check(cudaError_t status, const char* what,
                  std::source_location place = std::source_location::current()) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the last error: check_launch() would report it again
  const std::string message =
      std::string(what) + " at " + place_name(place) + ": " + cudaGetErrorString(status);
  if (lacks_memory(status)) {
    throw DeviceMemoryError(message + " (use the cpu back end, or a GPU with more free memory)");
  }
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    throw NoDeviceError(message + " (use the cpu back end, or check the driver with nvidia-smi)");
  }
  throw CudaError(message);
}

/// Throws UsageError unless `address` is a multiple of `alignment` (in bytes): a misaligned access
/// on the device would make the CUDA context unusable. `what` names the data, for the message.
inline void check_aligned(const void* address, std::size_t alignment, const char* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment == 0) return;
  throw UsageError(std::string(what) + " must be aligned to " + std::to_string(alignment) +
                   " bytes (as what cudaMalloc returns is)");
}

/// An attribute of the current device. Throws NoDeviceError or another CudaError.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// Throws like check() if the runtime has a last error in the calling thread. Call it after a
/// launch that launch_kernel() (launch.hpp) does not make. An error of an earlier call that nobody
/// cleared is reported too. Errors of the kernel's execution show only at later CUDA calls.
inline void check_launch(const char* kernel,
                         std::source_location place = std::source_location::current()) {
  check(cudaGetLastError(), kernel, place);
}

}  // namespace gannet::codecs::cuda
