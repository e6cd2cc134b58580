// Measuring the device: decode throughput and the memory's ceilings. Includes no CUDA header; in a
// build without CUDA every call throws NoDeviceError.
#pragma once

#include <array>
#include <cstdint>

#include "codecs/device/device.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs::cuda {

/// How fast the device decodes.
struct DecodeTiming {
  double launch_seconds = 0;  ///< median of single launches, between device events
  double graph_seconds = 0;   ///< median, per decode, of replays of a CUDA graph of several decodes
  bool verified = false;      ///< the output of the same run equals `expected`
};

/// Decodes `lists` into poisoned buffers, checks the output against `expected` (host memory, the
/// lists one behind the other, lists.values() words), and times it: warm-up, then `repeats` (>= 1)
/// of each kind. Data that would stay in the L2 cache is rotated over copies (up to 64) that
/// together do not fit it.
DecodeTiming time_decode(const EncodedLists& lists, const std::uint32_t* expected,
                         int repeats = 25);

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

}  // namespace gannet::codecs::cuda
