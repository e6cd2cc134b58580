// One block of page-locked host memory with its device twin: a batch's tables are packed into it
// one behind the other and go to the device in a single copy.
#pragma once

#include <cstring>
#include <span>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

class Arena {
 public:
  /// Forgets the contents and makes sure of room for `bytes`. Reallocates (and so waits for the
  /// device) only when a batch is larger than any before it.
  void reset(std::size_t bytes) {
    used_ = 0;
    // There may be less of the one, if there was no room for the other.
    if (bytes <= host_.size() && bytes <= device_.size()) return;
    device_ = {};
    if (bytes > host_.size()) {
      host_ = {};
      host_ = codecs::cuda::PinnedArray<unsigned char>(bytes + bytes / 2);
    }
    device_ = BudgetArray<unsigned char>(host_.size());
  }

  /// Room that `count` elements of T take, alignment included.
  template <class T>
  static constexpr std::size_t room(std::size_t count) {
    return (count * sizeof(T) + kAlign - 1) / kAlign * kAlign;
  }

  /// Room in host memory, and where its contents will be on the device.
  template <class T>
  struct Place {
    T* host;
    T* device;
  };

  /// Appends room for `count` elements, which must be filled in before send().
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

  /// Copies everything to the device.
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

/// An array that only ever grows, and does not keep its contents when it does. It is empty if there
/// is no room.
template <class Array>
auto* at_least(Array& array, std::size_t size) {
  if (size > array.size()) {
    array = {};
    array = Array(size + size / 4);
  }
  return array.data();
}

/// Queues a copy to the host.
template <class T>
void fetch(T* to, const T* from, std::size_t count, cudaStream_t stream) {
  if (count == 0) return;
  codecs::cuda::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
                      "cudaMemcpyAsync from the device");
}

}  // namespace gannet::query::cuda
