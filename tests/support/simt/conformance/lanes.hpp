// What the lanes of a warp do together. Lanes read lanes of their own choice; numbers beyond a warp
// are among them.
#pragma once

#include "codecs/core/lanes.hpp"
#include "tests/support/simt/conformance/cases.hpp"

namespace gannet::test::conformance {

inline constexpr std::uint32_t kEveryLane = 0xffffffffu;

/// A shuffle of 64-bit values in groups of `width`; `read` is the lane that is read, of the own
/// lane and the number in b, taken modulo 32.
#define GANNET_SHUFFLE_CASE(Name, intrinsic, width, read)                                 \
  GANNET_CASE(Name##width, intrinsic(kEveryLane, in.cd(), static_cast<int>(in.b), width), \
              [[maybe_unused]] const std::uint32_t lane = warp.lane;                      \
              [[maybe_unused]] const std::uint32_t by = in.b % 32;                        \
              [[maybe_unused]] const std::uint32_t kSize = width;                         \
              const std::uint32_t first = lane / kSize * kSize; return warp.inputs[read].cd();)
#define GANNET_SHUFFLE_CASES(Name, intrinsic, read) \
  GANNET_SHUFFLE_CASE(Name, intrinsic, 1, read)     \
  GANNET_SHUFFLE_CASE(Name, intrinsic, 4, read)     \
  GANNET_SHUFFLE_CASE(Name, intrinsic, 16, read)    \
  GANNET_SHUFFLE_CASE(Name, intrinsic, 32, read)
GANNET_SHUFFLE_CASES(Shfl, __shfl_sync, first + by % kSize)
GANNET_SHUFFLE_CASES(ShflUp, __shfl_up_sync, lane - first >= by ? lane - by : lane)
GANNET_SHUFFLE_CASES(ShflDown, __shfl_down_sync, lane + by < first + kSize ? lane + by : lane)
GANNET_SHUFFLE_CASES(ShflXor, __shfl_xor_sync, (lane ^ by) < first + kSize ? lane ^ by : lane)
#undef GANNET_SHUFFLE_CASES
#undef GANNET_SHUFFLE_CASE

/// The lanes for which f(input) holds.
template <class F>
std::uint64_t lanes_where(const Warp& warp, F f) {
  std::uint64_t lanes = 0;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (f(warp.inputs[lane])) lanes |= std::uint64_t{1} << lane;
  }
  return lanes;
}

GANNET_CASE(Ballot, __ballot_sync(kEveryLane, static_cast<int>(in.a & 0xf0)),
            return lanes_where(warp, [](const Input& x) { return x.a / 16 % 16 != 0; });)
GANNET_CASE(Any, static_cast<std::uint64_t>(__any_sync(kEveryLane, in.a % 64 == 7)),
            return lanes_where(warp, [](const Input& x) { return x.a % 64 == 7; }) != 0 ? 1 : 0;)
GANNET_CASE(All, static_cast<std::uint64_t>(__all_sync(kEveryLane, in.a % 64 != 7)),
            return lanes_where(warp, [](const Input& x) { return x.a % 64 == 7; }) != 0 ? 0 : 1;)
GANNET_CASE(MatchAny, __match_any_sync(kEveryLane, in.a % 5),
            return lanes_where(warp, [&](const Input& x) { return x.a % 5 == in.a % 5; });)
GANNET_CASE(MatchAnyLong, __match_any_sync(kEveryLane, in.cd() & 0x300000003),
            return lanes_where(warp, [&](const Input& x) {
              return x.c % 4 == in.c % 4 && x.d % 4 == in.d % 4;
            });)

struct MatchAll {
  static constexpr const char* name = "MatchAll";
  __device__ static std::uint64_t device(const Input& in) {
    int all = 7;
    const std::uint64_t same = __match_all_sync(kEveryLane, in.a >> 31, &all);
    return same << 1 | static_cast<std::uint64_t>(all);
  }
  static std::uint64_t host(const Warp& warp) {
    const std::uint64_t high = lanes_where(warp, [](const Input& x) { return x.a >> 31 != 0; });
    return high == 0 || high == kEveryLane ? std::uint64_t{kEveryLane} << 1 | 1 : 0;
  }
};

/// f over the words of all lanes.
template <class T, class F>
std::uint64_t folded(const Warp& warp, F f) {
  T result = static_cast<T>(warp.inputs[0].a);
  for (std::uint32_t lane = 1; lane < kLanes; ++lane) {
    result = f(result, static_cast<T>(warp.inputs[lane].a));
  }
  return static_cast<std::uint32_t>(result);
}

#define GANNET_REDUCTION_CASE(Name, T, intrinsic, combination)                               \
  GANNET_CASE(Name, static_cast<std::uint32_t>(intrinsic(kEveryLane, static_cast<T>(in.a))), \
              return folded<T>(warp, [](T x, T y) -> T { return combination; });)
GANNET_REDUCTION_CASE(ReduceAdd, unsigned, __reduce_add_sync, x + y)
GANNET_REDUCTION_CASE(ReduceMin, unsigned, __reduce_min_sync, x < y ? x : y)
GANNET_REDUCTION_CASE(ReduceMax, unsigned, __reduce_max_sync, x > y ? x : y)
GANNET_REDUCTION_CASE(ReduceMinSigned, int, __reduce_min_sync, x < y ? x : y)
GANNET_REDUCTION_CASE(ReduceMaxSigned, int, __reduce_max_sync, x > y ? x : y)
GANNET_REDUCTION_CASE(ReduceAnd, unsigned, __reduce_and_sync, x& y)
GANNET_REDUCTION_CASE(ReduceOr, unsigned, __reduce_or_sync, x | y)
GANNET_REDUCTION_CASE(ReduceXor, unsigned, __reduce_xor_sync, x ^ y)
#undef GANNET_REDUCTION_CASE

}  // namespace gannet::test::conformance
