// Plans that the CUDA back end runs on the CPU, and the reasons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gannet::query {

/// Why a plan does not run on the GPU.
enum class HostReason : std::uint8_t {
  kDeviceMemory,  ///< there was not enough GPU memory
};
inline constexpr std::size_t kHostReasons = 1;

/// The reason as an identifier: "device_memory".
std::string_view name_of(HostReason reason);
/// The reason as a phrase that follows "for": "want of GPU memory".
std::string_view text_of(HostReason reason);

/// Numbers of plans that ran on the CPU, by reason. Not thread-safe.
class HostPlans {
 public:
  void add(HostReason reason, std::uint64_t plans = 1) { plans_[index_of(reason)] += plans; }
  void add(const HostPlans& more) {
    for (std::size_t i = 0; i < kHostReasons; ++i) plans_[i] += more.plans_[i];
  }
  std::uint64_t operator[](HostReason reason) const { return plans_[index_of(reason)]; }
  std::uint64_t& at(HostReason reason) { return plans_[index_of(reason)]; }
  std::uint64_t total() const;
  /// "3 plans ran on the CPU (3 for want of GPU memory)"; empty if total() is 0.
  std::string text() const;

  friend bool operator==(const HostPlans&, const HostPlans&) = default;

 private:
  static constexpr std::size_t index_of(HostReason reason) {
    return static_cast<std::size_t>(reason);
  }
  std::array<std::uint64_t, kHostReasons> plans_{};
};

}  // namespace gannet::query
