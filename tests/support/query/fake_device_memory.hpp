// The memory of a device that has as much as a test says, and fails when it says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/error.hpp"

namespace gannet::test {

/// Thread-safe. Memory is that of the host.
class FakeDeviceMemory : public codecs::cuda::MemoryResource {
 public:
  enum class Throws { kDeviceMemoryError, kBadAlloc, kCudaError };

  explicit FakeDeviceMemory(std::uint64_t bytes, Throws throws = Throws::kDeviceMemoryError)
      : free_(static_cast<std::int64_t>(bytes)), throws_(throws) {}

  std::uint64_t free() const {
    const std::int64_t free = free_;
    return free > 0 ? static_cast<std::uint64_t>(free) : 0;
  }
  /// What others of the device's users take more, or less.
  void take_by_others(std::int64_t bytes) { free_ -= bytes; }
  /// The n-th allocation from now on fails: 1 is the next one.
  void fail_at(std::uint64_t n) { fails_ = made_ + n; }

  void* allocate_async(std::size_t bytes, std::size_t, codecs::cuda::Stream) override {
    if (++made_ == fails_) refuse();
    const auto wanted = static_cast<std::int64_t>(bytes);
    if ((free_ -= wanted) < 0) {
      free_ += wanted;
      refuse();
    }
    return std::malloc(bytes);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t,
                        codecs::cuda::Stream) noexcept override {
    std::free(memory);
    free_ += static_cast<std::int64_t>(bytes);
  }

 private:
  [[noreturn]] void refuse() const {
    if (throws_ == Throws::kBadAlloc) throw std::bad_alloc();
    if (throws_ == Throws::kCudaError) throw CudaError("the test's device is broken");
    throw DeviceMemoryError("the test's device has no more");
  }

  std::atomic<std::int64_t> free_;
  std::atomic<std::uint64_t> made_{0}, fails_{0};
  const Throws throws_;
};

}  // namespace gannet::test
