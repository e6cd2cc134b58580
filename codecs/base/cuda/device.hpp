// The usable GPUs, and the calling thread's current device. Includes no CUDA header. Builds without
// CUDA have all functions: available() returns false, device_count() returns 0, and the others
// throw NoDeviceError. All functions are thread-safe. CUDA calls that fail for other reasons throw
// CudaError.
#pragma once

#include <string>

namespace gannet::codecs::cuda {

/// Whether a GPU can be used. If not, writes the reason to *why unless `why` is null.
bool available(std::string* why = nullptr);

/// The name of the current device, such as "NVIDIA H200". Throws NoDeviceError.
std::string device_name();

/// Number of usable GPUs.
int device_count();

/// The number of the calling thread's current device. Throws NoDeviceError.
int current_device();

/// The number of the device whose memory `memory` points to. For all other addresses (host memory,
/// page-locked or not, managed memory, null): the current device. Throws NoDeviceError.
int device_of(const void* memory);

/// Throws UsageError if `memory` is memory of another device than `device`: a kernel that read it
/// would make the CUDA context unusable. `device` must be the current device. `what` names the data
/// and `who` the object that belongs to `device`, for the message. Throws NoDeviceError.
void check_device_of(const void* memory, int device, const char* what, const char* who);

/// Makes a device the calling thread's current device for the lifetime of the guard. The thread
/// that made a guard destroys it, in reverse order of construction.
///
/// Functions that launch or allocate for an object hold a guard for the device on which the object
/// was made. So objects may be used in any thread, whatever the thread's current device is.
class DeviceGuard {
 public:
  /// Throws UsageError if there is no device with this number, NoDeviceError if no GPU is usable.
  explicit DeviceGuard(int device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int before_ = -1;  ///< device to restore; -1: the current device was not changed
};

}  // namespace gannet::codecs::cuda
