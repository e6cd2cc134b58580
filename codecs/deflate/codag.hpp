// Inflating as CODAG does: one symbol at a time, a warp a stream, over its input and output
// streams. Beside the parallel form, to be measured against it and to test it.
// Source: Park et al., "CODAG: Characterizing and Optimizing Decompression Algorithms for GPUs",
// sections IV-D to IV-F and V-E.
#pragma once

#include <type_traits>

#include "codecs/deflate/serial.hpp"

namespace gannet::codecs::deflate {

/// Where the input is buffered (CODAG, section IV-E).
enum class Buffer { kShared, kRegisters };

/// Shared memory of a warp, or any memory on the host. 4-byte aligned.
struct CodagSpace {
  Tables tables;
  HeadSpace head;
  std::uint32_t buffer[SharedWords<SerialLanes>::kBufferWords];
};

/// Inflates the stream that starts at words[0] to out[0 .. size). Returns whether it is one of
/// exactly `size` bytes; reads no other words than `count` and writes no other bytes, whatever the
/// words say.
template <DecodeBy by, Buffer buffer, class Lanes>
GANNET_HD bool codag_inflate(Lanes lanes, const std::uint32_t* words, std::uint32_t count,
                             std::uint8_t* out, std::uint32_t size, CodagSpace& space) {
  static_assert(by == DecodeBy::kAllLanes || buffer == Buffer::kShared);
  using Words =
      std::conditional_t<buffer == Buffer::kShared, SharedWords<Lanes, by>, RegisterWords<Lanes>>;
  using Input = BitInput<Words, BitOrder::kLsbFirst>;
  const auto input_at = [&](std::uint32_t byte) {
    const ByteRange range{words, byte, 4 * count};
    if constexpr (buffer == Buffer::kShared) {
      return Input(Words(lanes, range, space.buffer), byte);
    } else {
      return Input(Words(lanes, range), byte);
    }
  };
  Input input = input_at(0);
  Output<std::uint8_t, Lanes> output(lanes, out, size);
  SerialInflate<by, Lanes, Input, Output<std::uint8_t, Lanes>> inflate(lanes, 32 * count, size,
                                                                       space.tables, space.head);
  return inflate.run(input, output, input_at) && output.position() == size;
}

}  // namespace gannet::codecs::deflate
