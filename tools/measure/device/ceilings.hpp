// Measuring what the device's memory can do. Includes no CUDA header; in a build without CUDA every
// call throws NoDeviceError.
#pragma once

#include <array>

namespace gannet::measure {

/// What the device's memory can do, measured now: bytes read plus bytes written a second.
struct MemoryCeilings {
  double copy_bytes_per_second = 0;  ///< as much read as written
  double read_bytes_per_second = 0;
  double write_bytes_per_second = 0;
  /// What kernels reach that write 1, 2, 4, 8, 16, 32 times what they read, and do nothing else.
  std::array<double, 6> mixed_bytes_per_second{};
  /// Bytes a second for a kernel that reads `read` bytes for every `write` bytes: between the
  /// measured ratios, interpolated. (Writing with a few reads is slower than either alone.)
  double mixed(double read, double write) const;
};
MemoryCeilings measure_ceilings();

}  // namespace gannet::measure
