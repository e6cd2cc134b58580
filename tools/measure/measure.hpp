// Timing of decoding, and of what the memory can do.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/measure/decode.hpp"

namespace gannet::tools {

/// Encoded lists and what decoding them must give.
struct Batch {
  codecs::EncodedLists lists;
  std::vector<std::uint32_t> expected;  ///< the lists one behind the other
  double distinct_bits = 0;             ///< bits per integer
};

/// Encodes `lists`, over and over until there are at least `values` values or 2^17 lists; every
/// list occurs.
Batch make_batch(const codecs::ListCodec& codec, codecs::Content content, const Lists& lists,
                 std::uint64_t values);

/// Decodes the batch on the calling thread or, list by list, on a team. Throws Error if the output
/// is wrong. `limit`: bytes read plus written a second that the memory can do.
Speed time_cpu(const Batch& batch, int repeats, ThreadTeam* team, double limit);

struct GpuSpeeds {
  Speed launch, graph;
};
/// Decodes the batch in one launch; by events around single launches, and in graph replays.
GpuSpeeds time_gpu(const Batch& batch, int repeats, const measure::MemoryCeilings& limits);

/// Measures the limits of the processors that are used: copies of large buffers.
Limits measure_limits(bool cpu, bool gpu, ThreadTeam& team, int repeats);

}  // namespace gannet::tools
