// Owners of CUDA resources: device arrays, pinned host arrays, streams, events. Movable, not
// copyable.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <utility>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/memory_resource.hpp"

namespace gannet::codecs::cuda {

enum class Memory { kDevice, kPinned };

/// An array of T, uninitialised, in device memory or page-locked host memory. Allocating and
/// freeing wait for the device: arrays are made when an index is opened, never inside a query.
template <class T, Memory kind>
class Array {
 public:
  Array() = default;
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

/// Waits for copies and fills that were made without a stream. cudaMemcpy() returns when it has
/// read pageable memory, which may be before the device has what it read, and cudaMemset() at once;
/// our streams do not wait for either.
inline void finish_copies() {
  check(cudaStreamSynchronize(cudaStreamLegacy), "cudaStreamSynchronize");
}

/// Copies `values` to device memory, followed by `padding` elements that are zero. Synchronous.
template <class T>
void fill(T* to, std::span<const T> values, std::size_t padding) {
  check(cudaMemcpy(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
        "cudaMemcpy to the device");
  if (padding > 0) check(cudaMemset(to + values.size(), 0, padding * sizeof(T)), "cudaMemset");
  finish_copies();
}

/// A device copy of `values` with room for `padding` further elements, which are zero. Synchronous:
/// any stream may use it.
template <class T>
DeviceArray<T> upload(std::span<const T> values, std::size_t padding = 0) {
  DeviceArray<T> array(values.size() + padding);
  fill(array.data(), values, padding);
  return array;
}

/// An array of T, uninitialised, in device memory of a resource. What makes it waits until all
/// streams may use it; when it ends, the work on it must have ended too.
template <class T>
class ResourceArray {
 public:
  ResourceArray() = default;
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

class OwnedStream {
 public:
  OwnedStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~OwnedStream() { cudaStreamDestroy(stream_); }
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void wait() { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
  /// Seconds from `start` to this event; both must have happened.
  double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace gannet::codecs::cuda
