// Consumers: what a fused kernel does with decoded values instead of writing them out.
//
//   struct MyConsumer {
//     static constexpr bool only_sums;       it needs the sum of the values and no value by itself:
//                                            codecs may then add up without unpacking
//     __device__ void add(Value value);      one value; lanes see values in any order
//     __device__ ScanResult result() const;  of this lane
//   };
// Consumers with only_sums have `ScanResult total` and `bool is_signed`.
#pragma once

#include <cstdint>
#include <type_traits>

#include "codecs/device/decode/reduce.cuh"
#include "codecs/device/detail/group_ring.cuh"

namespace gannet::codecs::cuda {

/// A value of an unsigned type, widened to 64 bits as its signed twin would be.
template <class Value>
__device__ __forceinline__ std::uint64_t widen(Value value, bool is_signed) {
  static_assert(std::is_unsigned_v<Value>);
  using Signed = std::make_signed_t<Value>;
  return is_signed
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed>(value)))
             : std::uint64_t{value};
}

/// Counts values and adds them up. `Value` is unsigned; `is_signed` says what the bits mean.
template <class Value>
struct SumConsumer {
  static constexpr bool only_sums = true;
  bool is_signed;
  ScanResult total{};

  explicit SumConsumer(bool values_are_signed) : is_signed(values_are_signed) {}

  __device__ void add(Value value) {
    ++total.count;
    total.sum += widen(value, is_signed);
  }
  __device__ ScanResult result() const { return total; }
};

/// Counts the values in a range, and adds those up.
template <class Value>
struct RangeConsumer {
  static constexpr bool only_sums = false;
  bool is_signed;
  bool empty;
  Value low;   // flipped such that they compare as unsigned numbers
  Value span;  // of the range
  ScanResult total{};

  /// Cuts the range to what Value holds.
  RangeConsumer(bool values_are_signed, ScanRange range) : is_signed(values_are_signed) {
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
    const std::uint64_t sign = is_signed ? kTop : 0;
    // The type's own range, as numbers that compare as unsigned ones.
    constexpr std::uint32_t kBits = 8 * sizeof(Value);
    const std::uint64_t least = is_signed ? kTop - (std::uint64_t{1} << (kBits - 1)) : 0;
    const std::uint64_t most = least + static_cast<Value>(~Value{0});
    const std::uint64_t from = std::max(range.low ^ sign, least);
    const std::uint64_t to = std::min(range.high ^ sign, most);
    empty = from > to;
    low = static_cast<Value>(from - least);
    span = static_cast<Value>(to - from);
  }

  __device__ void add(Value value) {
    constexpr Value kSign = static_cast<Value>(Value{1} << (8 * sizeof(Value) - 1));
    const auto flipped = static_cast<Value>(is_signed ? value ^ kSign : value);
    const bool inside = !empty && static_cast<Value>(flipped - low) <= span;
    total.count += inside ? 1 : 0;
    total.sum += inside ? widen(value, is_signed) : 0;
  }
  __device__ ScanResult result() const { return total; }
};

/// Hands the values of tiles to the consumer, one tile after the other.
template <class Codec, class Consumer>
__device__ __forceinline__ void consume_tiles(const Group& group, Payload payload,
                                              Consumer& consumer) {
  decode_tiles<Codec, Content::kValues>(group, payload,
                                        [&](std::uint32_t, const Quad& quad, std::uint32_t size) {
#pragma unroll
                                          for (std::uint32_t i = 0; i < 4; ++i) {
                                            if (4 * WarpLanes::id() + i < size)
                                              consumer.add(quad.value[i]);
                                          }
                                        });
}

/// Hands the values of a full group of `tiles` tiles that wide forms decode to the consumer.
template <class Codec, class Consumer>
__device__ __forceinline__ void consume_wide(StagedTiles staged, std::uint32_t first,
                                             std::uint32_t tiles, Consumer& consumer) {
  if constexpr (Consumer::only_sums && SummingTileCodec<Codec>) {
    WarpLanes::Var<std::uint64_t> sums{consumer.total.sum};
    Codec::sum_groups(WarpLanes{}, staged, tiles / kGroupTiles, consumer.is_signed, sums);
    consumer.total.sum = sums.value;
    consumer.total.count += tiles * kTile / kLanes;
  } else {
#pragma unroll 1
    for (std::uint32_t t = 0; t < tiles; t += kWideTiles) {
      WarpLanes::Var<WideQuads> quads;
      Codec::next_wide(WarpLanes{}, staged, first + t, quads);
      staged.boundaries += kWideTiles;
#pragma unroll
      for (const Quad& quad : quads.value.tile) {
#pragma unroll
        for (const std::uint32_t value : quad.value) consumer.add(value);
      }
    }
  }
}

/// Hands the values of the ring's group to the consumer. What is not staged is read from the list.
template <class Codec, class Consumer>
__device__ __forceinline__ void consume_group(const GroupRing<Codec>& ring, const RingPlan& plan,
                                              Consumer& consumer) {
  if constexpr (WideTileCodec<Codec>) {
    if (ring.full() && ring.staged()) {
      consume_wide<Codec>(ring.tiles(), ring.first_tile(), plan.tiles, consumer);
      return;
    }
  } else if (ring.staged()) {
    consume_tiles<Codec>(ring.group(), ring.tiles().payload, consumer);
    return;
  }
  consume_tiles<Codec>(ring.group(), Payload{plan.list.words, 0}, consumer);
}

}  // namespace gannet::codecs::cuda
