// Sources of device memory: stream-ordered allocation from a resource that the caller chooses.
// Includes no CUDA header. In a build without CUDA, both resources and the allocating constructor
// of DeviceBuffer throw NoDeviceError.
//
// The interface follows that of rmm::mr::device_memory_resource, so that a short adapter passes
// calls on to a pool of the program:
//
//   namespace cuda = gannet::codecs::cuda;
//   struct PoolResource : cuda::MemoryResource {
//     explicit PoolResource(rmm::mr::device_memory_resource& memory) : pool(memory) {}
//     rmm::mr::device_memory_resource& pool;
//     void* allocate_async(std::size_t bytes, std::size_t alignment,
//                          cuda::Stream stream) override {
//       return pool.allocate_async(bytes, alignment, stream);
//     }
//     void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
//                           cuda::Stream stream) noexcept override {
//       pool.deallocate_async(memory, bytes, alignment, stream);
//     }
//   };
#pragma once

#include <cstddef>
#include <utility>

#include "codecs/base/cuda/stream.hpp"

namespace gannet::codecs::cuda {

/// The alignment of every DeviceBuffer, in bytes: that of cudaMalloc.
inline constexpr std::size_t kMemoryAlignment = 256;

/// A source of device memory. Objects that allocate from one resource in several threads call it
/// concurrently; a resource that several threads use must be thread-safe.
class MemoryResource {
 public:
  virtual ~MemoryResource() = default;

  /// Allocates `bytes` (> 0) on the current device, to which `stream` belongs. Work that is queued
  /// on `stream` after the call may use the memory. The address is a multiple of `alignment`;
  /// Gannet passes kMemoryAlignment. Throws DeviceMemoryError, or an exception of the resource's
  /// own, if there is not enough memory.
  virtual void* allocate_async(std::size_t bytes, std::size_t alignment, Stream stream) = 0;

  /// Frees memory that allocate_async() returned, once the work queued on `stream` before the call
  /// has ended. `bytes` and `alignment` are those of the allocation; `stream` may differ. The
  /// device of the allocation is the current device.
  virtual void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
                                Stream stream) noexcept = 0;
};

/// The current memory pool of the stream's device (cudaMallocAsync). Thread-safe; lives until the
/// end of the program.
MemoryResource& default_resource();

/// cudaMalloc and cudaFree, which ignore the stream; cudaFree waits for the work on the device.
/// Thread-safe; lives until the end of the program.
MemoryResource& malloc_resource();

/// Uninitialised device memory, allocated and freed in the order of a stream. Belongs to the device
/// that was current at construction; the destructor may run with any current device, and in any
/// thread. The stream must exist until then, and work on other streams that uses the memory must
/// have ended. Movable, not copyable. Const functions may be called concurrently, others may not.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Allocates `bytes`; calls `resource` only if `bytes` > 0. `stream` belongs to the current
  /// device, and `resource` must outlive the buffer. Throws NoDeviceError if no GPU is usable, and
  /// what the resource throws.
  DeviceBuffer(std::size_t bytes, Stream stream, MemoryResource& resource = default_resource());
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  /// Swaps the buffers: `other` then owns the memory that this buffer had.
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }

  /// The address on the device; null if size() is 0.
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return bytes_; }
  Stream stream() const { return stream_; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(stream_, other.stream_);
    std::swap(resource_, other.resource_);
    std::swap(device_, other.device_);
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  Stream stream_ = nullptr;
  MemoryResource* resource_ = nullptr;
  int device_ = 0;
};

}  // namespace gannet::codecs::cuda
