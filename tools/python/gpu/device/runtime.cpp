#include "tools/python/gpu/runtime.hpp"

#include <cuda_runtime.h>

#include <string>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/device.hpp"

namespace gannet::python {

using codecs::cuda::check;

void require_device() {
  std::string why;
  if (!codecs::cuda::available(&why)) {
    throw NoDeviceError("no GPU can be used: " + why +
                        " (gannet.encode and gannet.decode work on the CPU)");
  }
}

int device_of_memory(const void* address) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
  if (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged) {
    return attributes.device;
  }
  throw UsageError("the array's address is not one of device memory");
}

void check_stream(Stream stream, int device) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
  int other = device;
  check(cudaStreamGetDevice(stream, &other), "the stream's device (cudaStreamGetDevice)");
  if (other == device) return;
  throw UsageError("the stream belongs to device " + std::to_string(other) +
                   ", what is worked on to device " + std::to_string(device) +
                   " (name a stream of device " + std::to_string(device) + ")");
}

void copy_async(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
}

void synchronize(Stream stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

Mark::Mark(Stream stream) {
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  const cudaError_t status = cudaEventRecord(event_, stream);
  if (status == cudaSuccess) return;
  cudaEventDestroy(event_);
  check(status, "cudaEventRecord");
}

Mark::~Mark() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void Mark::hold(Stream stream) const {
  if (event_ != nullptr) check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
}

void Mark::wait() const {
  if (event_ != nullptr) check(cudaEventSynchronize(event_), "cudaEventSynchronize");
}

}  // namespace gannet::python
