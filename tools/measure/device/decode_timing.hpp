// Measuring how fast the device decodes lists. Includes no CUDA header; in a build without CUDA
// every call throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/encoded_lists.hpp"

namespace gannet::measure {

/// Bytes of the current device's memory that nobody uses. Throws NoDeviceError.
std::size_t free_device_memory();

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
DecodeTiming time_decode(const codecs::EncodedLists& lists, const std::uint32_t* expected,
                         int repeats = 25);

/// Seconds that one list of `tiles` tiles in `words` words takes at least, if a launch has to load
/// where a tile's words are before it can load them: graph replays, timed as graph_seconds is, of a
/// kernel with one warp per tile that loads a word of a table, then the words that it stands for,
/// and stores 128 values. It reads and writes what a decoder does, and computes nothing.
double time_two_loads(std::uint32_t tiles, std::uint64_t words, int repeats = 25);

}  // namespace gannet::measure
