// Stands in for the CUDA code of this folder in builds without a CUDA compiler.
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/error.hpp"

namespace gannet::codecs::cuda {
namespace {

// CMake says why: CUDA was left out, or there was no compiler for it.
constexpr const char* kNoCuda = "this build of gannet has no CUDA code: " GANNET_NO_CUDA;

[[noreturn]] void fail() { throw NoDeviceError(kNoCuda); }

}  // namespace

bool available(std::string* why) {
  if (why != nullptr) *why = kNoCuda;
  return false;
}

std::string device_name() { fail(); }
int device_count() { return 0; }
int current_device() { fail(); }
int device_of(const void*) { fail(); }
void check_device_of(const void*, int, const char*, const char*) { fail(); }
DeviceGuard::DeviceGuard(int) { fail(); }
DeviceGuard::~DeviceGuard() = default;

MemoryResource& default_resource() { fail(); }
MemoryResource& malloc_resource() { fail(); }
DeviceBuffer::DeviceBuffer(std::size_t, Stream, MemoryResource&) { fail(); }
DeviceBuffer::~DeviceBuffer() = default;

}  // namespace gannet::codecs::cuda
