// CUDA calls that throw. For .cu files and host files that include the CUDA runtime.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "codecs/error.hpp"

namespace gannet::codecs::cuda {

/// Throws the error that `status` stands for, unless it is success. `what` names the call for the
/// message.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a sticky "last error" would be blamed on the next launch
  const std::string message = std::string(what) + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation) {
    throw DeviceMemoryError(message + " (use the cpu back end, or a GPU with more free memory)");
  }
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    throw NoDeviceError(message + " (use the cpu back end, or check the driver with nvidia-smi)");
  }
  throw CudaError(message);
}

/// An attribute of the current device.
inline int device_attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// To be called after every launch.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace gannet::codecs::cuda
