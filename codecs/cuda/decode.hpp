// Device-wide decoding: one list, or a batch of many lists in one launch.
//
// Includes no CUDA header: it compiles with plain g++, and in a build without CUDA every call throws
// NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gannet/codecs/lists.hpp"

struct CUstream_st;

namespace gannet::codecs::cuda {

/// A cudaStream_t.
using Stream = CUstream_st*;

/// Whether a GPU can be used; if not, `why` says what is missing.
bool available(std::string* why = nullptr);

/// "NVIDIA H200", and so on. Throws NoDeviceError.
std::string device_name();

/// Encoded lists in device memory, with the table that assigns them to warps. Immutable once made; may be
/// decoded from several streams at a time.
class DeviceLists {
 public:
  /// Copies `lists` to the current device (synchronous). Throws DeviceMemoryError if they do not fit.
  explicit DeviceLists(const EncodedLists& lists);
  ~DeviceLists();
  DeviceLists(DeviceLists&&) noexcept;
  DeviceLists& operator=(DeviceLists&&) noexcept;

  std::uint64_t values() const;
  /// Bytes that decoding reads: encoded words, and skip data where it is needed.
  std::uint64_t bytes() const;

  /// Decodes all lists, one behind the other, to `out` (device memory, values() words, 16-byte aligned), in one
  /// launch on `stream`; does not allocate or wait. May be captured in a CUDA graph.
  void decode_async(std::uint32_t* out, Stream stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// How fast the device decodes.
struct DecodeTiming {
  double launch_seconds = 0;  ///< median of single launches, between device events
  double graph_seconds = 0;   ///< median, per decode, of replays of a CUDA graph of several decodes
  bool verified = false;      ///< the output of the same run equals `expected`
};

/// Decodes `lists` into poisoned buffers, checks the output against `expected` (host memory, values() words), and
/// times it: warm-up, then `repeats` of each kind. Rotates buffers if they would all fit the L2 cache.
DecodeTiming time_decode(const EncodedLists& lists, const std::uint32_t* expected, int repeats = 25);

/// What the device's memory can do, measured now: bytes read plus bytes written a second.
struct MemoryCeilings {
  double copy_bytes_per_second = 0;   ///< as much read as written
  double read_bytes_per_second = 0;
  double write_bytes_per_second = 0;
  /// Bytes a second for a kernel that reads `read` bytes for every `write` bytes: between the three above.
  double mixed(double read, double write) const;
};
MemoryCeilings measure_ceilings();

}  // namespace gannet::codecs::cuda
