// Where device memory comes from: stream-ordered, and from whom the caller likes. Includes no CUDA
// header; in a build without CUDA every call throws NoDeviceError.
//
// The interface has the shape of RMM's: a pool of yours is used through an adapter of two lines.
//
//   struct PoolResource : gannet::codecs::cuda::MemoryResource {
//     rmm::mr::device_memory_resource& pool;
//     void* allocate_async(std::size_t bytes, std::size_t alignment, Stream stream) override {
//       return pool.allocate_async(bytes, alignment, stream);
//     }
//     void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
//                           Stream stream) noexcept override {
//       pool.deallocate_async(memory, bytes, alignment, stream);
//     }
//   };
#pragma once

#include <cstddef>
#include <utility>

#include "codecs/base/cuda/stream.hpp"

namespace gannet::codecs::cuda {

/// What every allocation here is aligned to, in bytes: as much as cudaMalloc gives.
inline constexpr std::size_t kMemoryAlignment = 256;

class MemoryResource {
 public:
  virtual ~MemoryResource() = default;

  /// `bytes` (> 0) of memory on the current device, for work on `stream` from now on. Throws
  /// DeviceMemoryError (or what the resource throws) if there is none.
  virtual void* allocate_async(std::size_t bytes, std::size_t alignment, Stream stream) = 0;

  /// Gives memory of this resource back when the work on `stream` so far has ended.
  virtual void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
                                Stream stream) noexcept = 0;
};

/// CUDA's own pool of the current device (cudaMallocAsync). Thread-safe; lives until the end of the
/// program.
MemoryResource& default_resource();

/// cudaMalloc and cudaFree, which wait for the device and know no streams. Thread-safe; lives until
/// the end of the program.
MemoryResource& malloc_resource();

/// `bytes` of device memory, uninitialised, ordered on a stream: made there, and given back there.
/// Belongs to the device that was current. Movable, not copyable.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// `resource` must outlive the buffer.
  DeviceBuffer(std::size_t bytes, Stream stream, MemoryResource& resource = default_resource());
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Null if there are no bytes.
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
