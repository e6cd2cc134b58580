// CUDA calls that throw. For .cu files and host files that include the CUDA runtime.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {

/// "scan.cu:120": the last part of the file's name, and the line.
inline std::string place_name(const std::source_location& place) {
  std::string_view file = place.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file) + ":" + std::to_string(place.line());
}

/// Whether `status` says that memory is missing. The driver needs some itself, to load a kernel for
/// its first launch, and reports an unknown error where there is none.
inline bool lacks_memory(cudaError_t status) {
  constexpr std::size_t kDriverNeeds = std::size_t{64} << 20;
  if (status != cudaErrorUnknown) return status == cudaErrorMemoryAllocation;
  std::size_t free = 0;
  std::size_t total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess && free < kDriverNeeds;
}

/// Throws the error that `status` stands for, unless it is success. `what` names the call for the
/// message, which says where it stands too.
inline void check(cudaError_t status, const char* what,
                  std::source_location place = std::source_location::current()) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a sticky "last error" would be blamed on the next launch
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

/// Throws UsageError unless `address` is a multiple of `alignment`: a misaligned access on the
/// device would end the whole context. `what` is what is there.
inline void check_aligned(const void* address, std::size_t alignment, const char* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment == 0) return;
  throw UsageError(std::string(what) + " must be aligned to " + std::to_string(alignment) +
                   " bytes (as what cudaMalloc returns is)");
}

/// An attribute of the current device.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// To be called after every launch that launch_kernel() (launch.hpp) does not make.
inline void check_launch(const char* kernel,
                         std::source_location place = std::source_location::current()) {
  check(cudaGetLastError(), kernel, place);
}

}  // namespace gannet::codecs::cuda
