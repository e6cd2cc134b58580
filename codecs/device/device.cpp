#include "codecs/device/device.hpp"

#include "codecs/device/check.hpp"

namespace gannet::codecs::cuda {

bool available(std::string* why) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return true;
  cudaGetLastError();
  if (why != nullptr) {
    *why = status == cudaSuccess ? "there is no CUDA device" : cudaGetErrorString(status);
  }
  return false;
}

std::string device_name() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.name;
}

}  // namespace gannet::codecs::cuda
