// What an encoding on the device is: a struct without state that says how units of four tiles
// become words. encode_gpu_*.cuh have them, encode_list.cuh lists them and asserts that each keeps
// the contract, encode.cu runs them. Includes no CUDA header.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "codecs/core/concepts.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::cuda {

inline constexpr std::uint32_t kUnitTiles = 4;
inline constexpr std::uint32_t kUnit = kUnitTiles * kTile;

/// Values [first, first + size) of the list: lane l's quad t are the values first + 128 t + 4 l ..
/// + 3. Places beyond the size hold 0.
struct Unit {
  Quad quad[kUnitTiles];
  std::uint32_t count;   ///< of the whole list
  std::uint32_t first;   ///< a multiple of 512
  std::uint32_t size;    ///< 1 .. 512, or 0 in an empty list
  std::uint32_t before;  ///< the value before the unit, or kBeforeFirst

  GANNET_HD std::uint32_t tiles() const { return tile_count(size); }
  GANNET_HD std::uint32_t first_tile() const { return first / kTile; }
};

/// Words that a unit, or all units before it, take in the list's streams (below 2^31 each).
struct Sizes {
  std::uint32_t stream[2];
};

/// Where the streams begin.
struct Streams {
  std::uint32_t* words;  ///< the list
  std::uint32_t* aside;  ///< the second stream, for the time being
};

/// Where a unit's words go.
struct OutputPosition {
  Streams streams;
  Sizes before;  ///< words of all units before this one
};

/// What the host asks of an encoding.
template <class E>
concept PlansEncoding = requires(std::uint64_t count) {
  /// What its lists are: the bytes are those of the codec's own encode().
  requires TileCodec<typename E::Codec>;
  /// Units that a thread block encodes, and thread blocks that a multiprocessor can run, as far as
  /// registers go.
  requires std::same_as<decltype(E::policy), const EncodePolicy>;
  /// Shared memory of a warp.
  requires std::same_as<decltype(E::kScratchWords), const std::uint32_t>;
  requires E::kScratchWords % 4 == 0;
  /// Most words that `count` values take.
  { E::max_words(count) } -> std::same_as<std::uint64_t>;
  /// Room for the second stream, if there is one: it begins where the first one ends, which is
  /// known last, so it is written aside and moved.
  { E::aside_words(count) } -> std::same_as<std::uint64_t>;
};

/// What the device calls, a whole warp at a time, in this order.
template <class E>
concept EncodesUnits = requires(Unit& unit, const Unit& same, const typename E::Plan& plan,
                                OutputPosition position, Sizes total, Streams streams,
                                std::uint32_t* scratch, const std::uint32_t* packed) {
  /// What encoding needs to know of a unit: registers.
  requires std::is_trivially_copyable_v<typename E::Plan>;
  /// May replace the values by what is packed.
  { E::plan(unit, scratch) } -> std::same_as<typename E::Plan>;
  /// Words that the unit adds to each stream.
  { E::sizes(plan) } -> std::same_as<Sizes>;
  /// Puts them together in the scratch memory.
  { E::pack(same, plan, scratch) } -> std::same_as<void>;
  /// Writes them, and what else belongs to the unit.
  { E::store(same, plan, position, packed) } -> std::same_as<void>;
  /// Writes what belongs to the whole list, once its last unit (of size 0 if the list is empty) is
  /// stored; returns the lengths of the streams.
  { E::finish(same, total, streams) } -> std::same_as<Sizes>;
};

template <class E>
concept DeviceEncoding = PlansEncoding<E> && EncodesUnits<E>;

/// For static_assert where an encoding is listed: errors say what is missing.
template <class E>
consteval bool is_device_encoding() {
  static_assert(PlansEncoding<E>,
                "an encoding has Codec, policy, kScratchWords, max_words and aside_words");
  static_assert(EncodesUnits<E>, "an encoding has Plan, plan, sizes, pack, store and finish");
  return DeviceEncoding<E>;
}

}  // namespace gannet::codecs::cuda
