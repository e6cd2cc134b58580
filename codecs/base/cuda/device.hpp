// What GPUs there are, and which of them is the calling thread's current one. Includes no CUDA
// header; works in builds without CUDA too.
#pragma once

#include <string>

namespace gannet::codecs::cuda {

/// Whether a GPU can be used; if not, `why` says what is missing.
bool available(std::string* why = nullptr);

/// "NVIDIA H200", and so on: the current device's. Throws NoDeviceError.
std::string device_name();

/// How many GPUs can be used; 0 if none.
int device_count();

/// The calling thread's current device. Throws NoDeviceError.
int current_device();

/// The device that `memory` belongs to. Memory that CUDA knows no device of (a host pointer, null)
/// belongs to the current one. Throws NoDeviceError.
int device_of(const void* memory);

/// Throws UsageError if `memory` belongs to another device than `device`, which must be the current
/// one: a kernel that read it would end the whole context. `what` is what is there, `who` what
/// belongs to `device`. Throws NoDeviceError.
void check_device_of(const void* memory, int device, const char* what, const char* who);

/// Makes a device the calling thread's current one, and the one before current again at the end of
/// its life. Every function here that launches or allocates for an object holds one for the device
/// that the object was made on, so objects may be used from any thread, whatever its device.
class DeviceGuard {
 public:
  /// Throws UsageError if there is no such device, NoDeviceError if there is none at all.
  explicit DeviceGuard(int device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_ = -1;  ///< -1: nothing was changed
};

}  // namespace gannet::codecs::cuda
