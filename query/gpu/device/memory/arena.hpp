// Page-locked host memory with a device array of equal size: a batch's tables are packed into it,
// one behind the other, and go to the device in a single copy.
#pragma once

#include <cstring>
#include <span>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

class Arena {
 public:
  /// Drops the contents and makes room for `bytes`. Reallocates, which waits for the device, only
  /// when a batch is larger than all before it. Throws DeviceMemoryError.
  void reset(std::size_t bytes) {
    used_ = 0;
    // The two may differ in size after an allocation that failed.
    if (bytes <= host_.size() && bytes <= device_.size()) return;
    device_ = {};
    if (bytes > host_.size()) {
      host_ = {};
      host_ = codecs::cuda::PinnedArray<unsigned char>(bytes + bytes / 2);
    }
    device_ = BudgetArray<unsigned char>(host_.size());
  }

  /// Bytes that `count` elements of T take, alignment included.
  template <class T>
  static constexpr std::size_t room(std::size_t count) {
    return (count * sizeof(T) + kAlign - 1) / kAlign * kAlign;
  }

  /// Elements in host memory, and where they will be on the device.
  template <class T>
  struct Place {
    T* host;
    T* device;
  };

  /// Appends `count` elements, to be filled before send().
  template <class T>
  Place<T> take(std::size_t count) {
    const Place<T> place{reinterpret_cast<T*>(host_.data() + used_),
                         reinterpret_cast<T*>(device_.data() + used_)};
    used_ += room<T>(count);
    return place;
  }

  /// Appends `values`; returns where they will be on the device.
  template <class T>
  T* put(std::span<const T> values) {
    const Place<T> place = take<T>(values.size());
    if (!values.empty()) std::memcpy(place.host, values.data(), values.size_bytes());
    return place.device;
  }

  /// Appends `count` zeroes.
  template <class T>
  T* put_zeroes(std::size_t count) {
    const Place<T> place = take<T>(count);
    if (count > 0) std::memset(place.host, 0, count * sizeof(T));
    return place.device;
  }

  /// Queues the copy of everything to the device. The contents must not change before it ended.
  void send(cudaStream_t stream) {
    codecs::cuda::check(
        cudaMemcpyAsync(device_.data(), host_.data(), used_, cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync to the device");
  }

 private:
  static constexpr std::size_t kAlign = 256;
  codecs::cuda::PinnedArray<unsigned char> host_;
  BudgetArray<unsigned char> device_;
  std::size_t used_ = 0;
};

/// Makes room for `size` elements in an array that only grows. Growing drops the contents, and
/// leaves the array empty if memory is short.
template <class Array>
auto* at_least(Array& array, std::size_t size) {
  if (size > array.size()) {
    array = {};
    array = Array(size + size / 4);
  }
  return array.data();
}

/// Queues a copy to page-locked host memory.
template <class T>
void fetch(T* to, const T* from, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  codecs::cuda::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
                      "cudaMemcpyAsync from the device");
}

}  // namespace gannet::query::cuda
