#include "codecs/base/cuda/device.hpp"

#include "codecs/base/cuda/check.hpp"

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
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, current_device()), "cudaGetDeviceProperties");
  return properties.name;
}

int device_count() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess) return devices;
  cudaGetLastError();
  return 0;
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

int device_of(const void* memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
  const bool is_of_device = attributes.type == cudaMemoryTypeDevice && attributes.device >= 0;
  return is_of_device ? attributes.device : current_device();
}

void check_device_of(const void* memory, int device, const char* what, const char* who) {
  const int other = device_of(memory);
  if (other == device) return;
  throw UsageError(std::string(what) + " is in memory of device " + std::to_string(other) + ", " +
                   who + " belongs to device " + std::to_string(device) +
                   " (make one while device " + std::to_string(other) + " is the current one)");
}

DeviceGuard::DeviceGuard(int device) {
  const int current = current_device();
  if (device == current) return;
  if (device < 0 || device >= device_count()) {
    throw UsageError("there is no device " + std::to_string(device) + " (there are " +
                     std::to_string(device_count()) + ", numbered from 0)");
  }
  check(cudaSetDevice(device), "cudaSetDevice");
  before_ = current;
}

DeviceGuard::~DeviceGuard() {
  if (before_ >= 0) cudaSetDevice(before_);
}

}  // namespace gannet::codecs::cuda
