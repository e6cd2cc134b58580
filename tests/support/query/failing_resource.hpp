// Device memory that fails when a test says so, and memory that somebody else has.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/error.hpp"
#include "query/gpu/device/memory/device_budget.hpp"

namespace gannet::test {

/// The memory of device 0, as long as it lives, which fails at the allocations that fail_at()
/// names. Thread-safe.
class FailingResource : public codecs::cuda::MemoryResource {
 public:
  FailingResource() : before_(query::cuda::device_budget(0).take_from(*this)) {}
  ~FailingResource() override { query::cuda::device_budget(0).take_from(before_); }
  FailingResource(const FailingResource&) = delete;
  FailingResource& operator=(const FailingResource&) = delete;

  /// The n-th allocation from now on fails (1: the next one), and every `period`-th after it; 0:
  /// that one alone. n = 0: none fails.
  void fail_at(std::uint64_t n, std::uint64_t period = 0) {
    made_ = 0;
    period_ = period;
    first_ = n;
  }
  /// Allocations since fail_at(), and those of them that failed.
  std::uint64_t made() const { return made_; }
  std::uint64_t failed() const { return failed_; }

  void* allocate_async(std::size_t bytes, std::size_t alignment,
                       codecs::cuda::Stream stream) override {
    const std::uint64_t n = ++made_;
    const std::uint64_t first = first_;
    const bool again = period_ != 0 && n > first && (n - first) % period_ == 0;
    if (first != 0 && (n == first || again)) {
      ++failed_;
      throw DeviceMemoryError("the test lets this allocation fail");
    }
    return before_.allocate_async(bytes, alignment, stream);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
                        codecs::cuda::Stream stream) noexcept override {
    before_.deallocate_async(memory, bytes, alignment, stream);
  }

 private:
  codecs::cuda::MemoryResource& before_;
  std::atomic<std::uint64_t> made_{0}, failed_{0}, first_{0}, period_{0};
};

/// Takes all memory of the current device but for about so many bytes, past the budget, as another
/// process would.
class DeviceHog {
 public:
  explicit DeviceHog(std::uint64_t leave) {
    for (;;) {
      const std::uint64_t free = query::cuda::device_budget(0).available();
      if (free <= leave + kMin) return;
      if (!take(free - leave)) return;
    }
  }
  ~DeviceHog() {
    for (const auto& [memory, bytes] : taken_) {
      codecs::cuda::malloc_resource().deallocate_async(memory, bytes,
                                                       codecs::cuda::kMemoryAlignment, nullptr);
    }
  }
  DeviceHog(const DeviceHog&) = delete;
  DeviceHog& operator=(const DeviceHog&) = delete;

 private:
  static constexpr std::uint64_t kMin = std::uint64_t{4} << 20;

  /// As much of it as there is in one piece.
  bool take(std::uint64_t bytes) {
    for (; bytes >= kMin; bytes /= 2) {
      try {
        taken_.emplace_back(codecs::cuda::malloc_resource().allocate_async(
                                bytes, codecs::cuda::kMemoryAlignment, nullptr),
                            bytes);
        return true;
      } catch (const DeviceMemoryError&) {
      }
    }
    return false;
  }

  std::vector<std::pair<void*, std::uint64_t>> taken_;
};

}  // namespace gannet::test
