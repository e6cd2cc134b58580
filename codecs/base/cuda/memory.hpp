// Owners of CUDA resources: device arrays, page-locked host arrays, streams, events. Arrays can be
// moved, streams and events cannot; nothing here can be copied. Each constructor uses the current
// device. Const functions of an object may be called concurrently, others may not. Failed CUDA
// calls throw CudaError (or a type derived from it, see check()).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <utility>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/memory_resource.hpp"

namespace gannet::codecs::cuda {

enum class Memory { kDevice, kPinned };

/// An array of T, uninitialised, in device memory or page-locked host memory. Elements are neither
/// constructed nor destroyed. Allocating and freeing may wait for all work on the device: make
/// arrays when an index is opened, not during a query. An array without elements owns no memory.
template <class T, Memory kind>
class Array {
 public:
  Array() = default;
  /// Allocates `size` elements. Throws DeviceMemoryError if there is not enough memory.
  explicit Array(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* data = nullptr;
    if constexpr (kind == Memory::kDevice) {
      check(cudaMalloc(&data, size * sizeof(T)), "cudaMalloc");
    } else {
      check(cudaMallocHost(&data, size * sizeof(T)), "cudaMallocHost");
    }
    data_ = static_cast<T*>(data);
  }
  ~Array() { release(); }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  /// Swaps the arrays: `other` then owns the memory that this array had.
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) requires(kind == Memory::kPinned) { return data_[i]; }

 private:
  void release() {
    if (data_ == nullptr) return;
    if constexpr (kind == Memory::kDevice) {
      cudaFree(data_);
    } else {
      cudaFreeHost(data_);
    }
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
using DeviceArray = Array<T, Memory::kDevice>;
template <class T>
using PinnedArray = Array<T, Memory::kPinned>;

/// Blocks until all work of the current device's legacy default stream has ended: copies and fills
/// that were made without a stream. cudaMemcpy() may return when it has read pageable memory,
/// before the data are on the device, and cudaMemset() returns at once. An OwnedStream does not
/// wait for the default stream.
inline void finish_copies() {
  check(cudaStreamSynchronize(cudaStreamLegacy), "cudaStreamSynchronize");
}

/// Copies `values` to `to` and sets the `padding` elements behind them to zero bytes. `to` is
/// device memory for values.size() + padding elements; T is trivially copyable. Uses the default
/// stream and blocks until the data are on the device: afterwards any stream may use them.
template <class T>
void fill(T* to, std::span<const T> values, std::size_t padding) {
  check(cudaMemcpy(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
        "cudaMemcpy to the device");
  if (padding > 0) check(cudaMemset(to + values.size(), 0, padding * sizeof(T)), "cudaMemset");
  finish_copies();
}

/// A new device array with the elements of `values`, then `padding` elements of zero bytes. Blocks
/// like fill().
template <class T>
DeviceArray<T> upload(std::span<const T> values, std::size_t padding = 0) {
  DeviceArray<T> array(values.size() + padding);
  fill(array.data(), values, padding);
  return array;
}

/// An array of T, uninitialised, in device memory of a MemoryResource, which must outlive the
/// array. The constructor blocks until all streams may use the memory. All work that uses the array
/// must have ended when the array is destroyed. A moved-from array may only be destroyed or
/// assigned to.
template <class T>
class ResourceArray {
 public:
  ResourceArray() = default;
  /// Allocates `size` elements. Throws DeviceMemoryError, or what the resource throws, if there is
  /// not enough memory.
  ResourceArray(std::size_t size, MemoryResource& resource)
      : buffer_(size * sizeof(T), cudaStreamLegacy, resource), size_(size) {
    finish_copies();
  }

  T* data() const { return buffer_.as<T>(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return buffer_.size(); }

 private:
  DeviceBuffer buffer_;
  std::size_t size_ = 0;
};

/// Blocks until work on a stream has ended that an exception has left, whether it failed or not;
/// clears the runtime's last error of the calling thread, which was thrown already.
inline void drain(cudaStream_t stream) noexcept {
  cudaStreamSynchronize(stream);
  cudaGetLastError();
}

/// A stream of the current device, which does not synchronise with the default stream. The
/// destructor does not wait for the work on the stream; that work still completes.
class OwnedStream {
 public:
  OwnedStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~OwnedStream() { cudaStreamDestroy(stream_); }
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  operator cudaStream_t() const { return stream_; }
  /// Blocks until the work on the stream has ended. Throws CudaError if that work failed.
  void wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// An event with a time stamp. The stream of record() belongs to the device of the event.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  /// Blocks until the work that preceded record() on its stream has ended.
  void wait() { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  /// Seconds from `start` to this event. Throws CudaError unless both events were recorded and the
  /// work before them has ended.
  double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gannet::codecs::cuda
