// Inflating as CODAG does: one symbol at a time, one warp per stream, over its input and output
// streams. To be compared with the library's form, which works on 32 segments at once.
// Source: Park et al., "CODAG: Characterizing and Optimizing Decompression Algorithms for GPUs",
// sections IV-D to IV-F and V-E.
#pragma once

#include <type_traits>

#include "bench/papers/codag/buffers.hpp"
#include "codecs/deflate/serial.hpp"

namespace gannet::codecs::papers {

/// Where the input is buffered (CODAG, section IV-E).
enum class Buffer { kShared, kRegisters };

/// Shared memory of a warp, or any memory on the host. 4-byte aligned.
struct CodagSpace {
  deflate::Tables tables;
  deflate::HeadSpace head;
  std::uint32_t buffer[SharedWords<SerialLanes>::kBufferWords];
};

/// The input of a stream whose symbols lane 0 decodes alone, while all lanes read what stands
/// between them: the heads of blocks, and stored bytes.
template <class Lanes>
class Lane0Input {
 public:
  GANNET_HD Lane0Input(Lanes lanes, ByteRange range, std::uint32_t* buffer)
      : lanes_(lanes), range_(range), buffer_(buffer), input_(input_at(0)) {}

  GANNET_HD std::uint32_t peek_bits(std::uint32_t n) {
    rejoin();
    return input_.peek_bits(n);
  }
  GANNET_HD void skip_bits(std::uint32_t n) {
    rejoin();
    input_.reserve();
    input_.skip_bits(n);
  }
  GANNET_HD std::uint32_t fetch_bits(std::uint32_t n) {
    rejoin();
    input_.reserve();
    return input_.fetch_bits(n);
  }
  GANNET_HD void align_to_byte() {
    rejoin();
    input_.reserve();
    input_.align_to_byte();
  }
  GANNET_HD std::uint32_t bit_position() const { return base_ + input_.bit_position(); }

  /// The next symbol of a block, which lane 0 decodes.
  GANNET_HD deflate::Symbol next_symbol(const deflate::Tables& tables) {
    input_.reserve();
    deflate::Symbol symbol = 0;
    lanes_.each([&](std::uint32_t lane) {
      if (lane == 0) symbol = deflate::next_symbol(input_, tables);
    });
    input_.follow(lanes_);
    apart_ = true;
    return from_lane0(lanes_, symbol);
  }

 private:
  using Words = SharedWords<Lanes, DecodeBy::kLane0>;
  using Input = SharedInput<Words, BitOrder::kLsbFirst>;

  GANNET_HD Input input_at(std::uint32_t byte) const {
    const ByteRange rest{range_.words, byte, range_.end};
    return Input(Words(lanes_, rest, buffer_), byte);
  }

  /// Gives all lanes the bits that lane 0 alone has.
  GANNET_HD void rejoin() {
    if (!apart_) return;
    apart_ = false;
    const std::uint32_t at = bit_position();
    base_ = at / 8 * 8;
    input_ = input_at(at / 8);
    input_.skip_bits(at % 8);
  }

  Lanes lanes_;
  ByteRange range_;
  std::uint32_t* buffer_;
  Input input_;
  std::uint32_t base_ = 0;  ///< the bit from which input_ counts
  bool apart_ = false;      ///< lane 0 is ahead of the others
};

/// SerialInflate's way to a symbol, for this input.
template <class Lanes>
GANNET_HD deflate::Symbol next_symbol(Lane0Input<Lanes>& input, const deflate::Tables& tables) {
  return input.next_symbol(tables);
}

/// Inflates the stream that starts at words[0] to out[0 .. size). Returns whether it is one of
/// exactly `size` bytes; reads no other words than `count` and writes no other bytes, whatever the
/// words say.
template <DecodeBy by, Buffer buffer, class Lanes>
GANNET_HD bool codag_inflate(Lanes lanes, const std::uint32_t* words, std::uint32_t count,
                             std::uint8_t* out, std::uint32_t size, CodagSpace& space) {
  static_assert(by == DecodeBy::kAllLanes || buffer == Buffer::kShared);
  const ByteRange range{words, 0, 4 * count};
  Output<std::uint8_t, Lanes> output(lanes, out, size);
  const auto run = [&](auto input) {
    deflate::SerialInflate<Lanes, decltype(input), decltype(output)> inflate(
        lanes, 32 * count, size, space.tables, space.head);
    return inflate.run(input, output) && output.position() == size;
  };
  if constexpr (by == DecodeBy::kLane0) {
    return run(Lane0Input<Lanes>(lanes, range, space.buffer));
  } else if constexpr (buffer == Buffer::kShared) {
    using Words = SharedWords<Lanes>;
    return run(BitInput<Words, BitOrder::kLsbFirst>(Words(lanes, range, space.buffer), 0));
  } else {
    using Words = RegisterWords<Lanes>;
    return run(BitInput<Words, BitOrder::kLsbFirst>(Words(lanes, range), 0));
  }
}

}  // namespace gannet::codecs::papers
