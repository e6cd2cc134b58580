// Arrays in device memory that count against the device's budget.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/device_budget.hpp"

namespace gannet::query::cuda {

/// An array of T, uninitialised, in memory of the current device. Movable, not copyable. Allocating
/// and freeing wait for the device, so no query does it in the usual case.
template <class T>
class BudgetArray {
 public:
  BudgetArray() = default;
  /// Throws DeviceMemoryError.
  explicit BudgetArray(std::size_t size, MemoryUse use = MemoryUse::kBatches)
      : block_(size == 0 ? MemoryBudget::Block{} : current_budget().take(size * sizeof(T), use)),
        size_(size) {}
  BudgetArray(BudgetArray&& other) noexcept
      : block_(std::move(other.block_)), size_(std::exchange(other.size_, 0)) {}
  BudgetArray& operator=(BudgetArray&& other) noexcept {
    block_ = std::move(other.block_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~BudgetArray() = default;

  T* data() { return static_cast<T*>(block_.data()); }
  const T* data() const { return static_cast<const T*>(block_.data()); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  MemoryBudget::Block block_;
  std::size_t size_ = 0;
};

/// A device copy of `values` with room for `padding` further elements, which are zero. Synchronous:
/// any stream may use it.
template <class T>
BudgetArray<T> upload(std::span<const T> values, MemoryUse use, std::size_t padding = 0) {
  BudgetArray<T> array(values.size() + padding, use);
  codecs::cuda::fill(array.data(), values, padding);
  return array;
}

}  // namespace gannet::query::cuda
