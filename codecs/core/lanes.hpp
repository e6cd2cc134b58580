// Lanes: the 32 workers that decode a tile together, as a warp on the GPU or as a loop on the host.
//
// A decoder is written once, as a template over a `Lanes` type:
//   - A `Lanes::Var<T>` has one value for every lane. Its index is the number of the lane.
//   - `lanes.each(f)` runs f(lane) for every lane.
//   - Lanes exchange values by `exclusive_scan`, `sum`, `any_bits`, `ballot`, `broadcast` and
//     `gather`. Between a write of memory by one lane and a read by another there must be a
//     `sync`.
//
// With SerialLanes, a Var is an array of 32 values and each() is a loop. With WarpLanes, a Var is
// one register and each() runs f once, for the calling lane. So tests on the host run the decoder
// that the GPU runs. The two types have no state.
//
// `__CUDA_ARCH__` appears only in this file, in bits.hpp and in rounding.hpp.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::codecs {

/// Lanes of a warp.
inline constexpr std::uint32_t kLanes = 32;

/// Lanes for the host: every operation is a loop over 32 array elements. Thread-safe for different
/// Vars.
struct SerialLanes {
  template <class T>
  struct Var {
    T lane[kLanes];
    GANNET_HD T& operator[](std::uint32_t i) { return lane[i]; }
    GANNET_HD const T& operator[](std::uint32_t i) const { return lane[i]; }
  };

  template <class F>
  GANNET_HD void each(F f) const {
    for (std::uint32_t i = 0; i < kLanes; ++i) f(i);
  }

  /// Replaces the value of every lane by the sum of the values of all lower lanes, modulo 2^32.
  /// Returns the sum of all values.
  GANNET_HD std::uint32_t exclusive_scan(Var<std::uint32_t>& x) const {
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint32_t value = x[i];
      x[i] = total;
      total += value;
    }
    return total;
  }

  /// The sum of the values of all lanes, modulo 2^32.
  GANNET_HD std::uint32_t sum(const Var<std::uint32_t>& x) const {
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) total += x[i];
    return total;
  }

  /// The value of lane `lane` (0..31), for all lanes.
  GANNET_HD std::uint32_t broadcast(const Var<std::uint32_t>& x, std::uint32_t lane) const {
    return x[lane];
  }

  /// The scan of 64-bit values, modulo 2^64.
  GANNET_HD std::uint64_t exclusive_scan(Var<std::uint64_t>& x) const {
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint64_t value = x[i];
      x[i] = total;
      total += value;
    }
    return total;
  }

  /// The bitwise or of the values of all lanes.
  GANNET_HD std::uint32_t any_bits(const Var<std::uint32_t>& x) const {
    std::uint32_t any = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) any |= x[i];
    return any;
  }

  /// Bit i of the result is 1 if the value of lane i is not 0.
  GANNET_HD std::uint32_t ballot(const Var<std::uint32_t>& x) const {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) bits |= (x[i] != 0 ? 1u : 0u) << i;
    return bits;
  }

  /// Lane i of the result has the value of lane from[i] (0..31).
  template <class T>
  GANNET_HD Var<T> gather(const Var<T>& x, const Var<std::uint32_t>& from) const {
    Var<T> result;
    for (std::uint32_t i = 0; i < kLanes; ++i) result[i] = x[from[i]];
    return result;
  }

  /// Makes earlier writes of all lanes to memory visible to all lanes.
  GANNET_HD void sync() const {}
};

#if defined(__CUDACC__)

/// The lanes of one warp, for device code: the functions compile on the host but have no meaning
/// there. Functions without a comment are described in SerialLanes. All 32 lanes must take part in
/// every call, converged; all pass one value of `lane` to broadcast(). The first dimension of
/// thread blocks must be a multiple of 32.
struct WarpLanes {
  static constexpr unsigned kAll = 0xffffffffu;
  static constexpr std::uint32_t kSign = 0x80000000u;

  template <class T>
  struct Var {
    T value;
    GANNET_HD T& operator[](std::uint32_t) { return value; }
    GANNET_HD const T& operator[](std::uint32_t) const { return value; }
  };

  /// The number of the calling lane.
  GANNET_HD static std::uint32_t id() {
#if defined(__CUDA_ARCH__)
    return threadIdx.x & (kLanes - 1);
#else
    return 0;
#endif
  }

  template <class F>
  GANNET_HD void each(F f) const {
    f(id());
  }

  GANNET_HD std::uint32_t exclusive_scan(Var<std::uint32_t>& x) const {
#if defined(__CUDA_ARCH__)
    std::uint32_t inclusive = x.value;
#pragma unroll
    for (unsigned step = 1; step < kLanes; step *= 2) {
      const std::uint32_t below = __shfl_up_sync(kAll, inclusive, step);
      if (id() >= step) inclusive += below;
    }
    x.value = inclusive - x.value;
    return __shfl_sync(kAll, inclusive, kLanes - 1);
#else
    return x.value;
#endif
  }

  GANNET_HD std::uint32_t sum(const Var<std::uint32_t>& x) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(kAll, x.value);
#elif defined(__CUDA_ARCH__)
    std::uint32_t total = x.value;
#pragma unroll
    for (unsigned step = kLanes / 2; step > 0; step /= 2) {
      total += __shfl_xor_sync(kAll, total, step);
    }
    return total;
#else
    return x.value;
#endif
  }

  /// The smallest value of all lanes. SerialLanes do not have this function.
  GANNET_HD static std::uint32_t least(std::uint32_t x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(kAll, x);
#elif defined(__CUDA_ARCH__)
#pragma unroll
    for (unsigned step = kLanes / 2; step > 0; step /= 2) {
      const std::uint32_t other = __shfl_xor_sync(kAll, x, step);
      x = other < x ? other : x;
    }
    return x;
#else
    return x;
#endif
  }

  /// The largest value of all lanes. SerialLanes do not have this function.
  GANNET_HD static std::uint32_t greatest(std::uint32_t x) { return ~least(~x); }

  /// The smallest and the largest signed value of all lanes: values are compared as unsigned ones
  /// after their highest bit is inverted. SerialLanes do not have these functions.
  GANNET_HD static std::int32_t least_signed(std::int32_t x) {
    return static_cast<std::int32_t>(least(static_cast<std::uint32_t>(x) ^ kSign) ^ kSign);
  }
  GANNET_HD static std::int32_t greatest_signed(std::int32_t x) { return ~least_signed(~x); }

  GANNET_HD std::uint32_t broadcast(const Var<std::uint32_t>& x, std::uint32_t lane) const {
#if defined(__CUDA_ARCH__)
    return __shfl_sync(kAll, x.value, static_cast<int>(lane));
#else
    (void)lane;
    return x.value;
#endif
  }

  GANNET_HD std::uint64_t exclusive_scan(Var<std::uint64_t>& x) const {
#if defined(__CUDA_ARCH__)
    std::uint64_t inclusive = x.value;
#pragma unroll
    for (unsigned step = 1; step < kLanes; step *= 2) {
      const std::uint64_t below = __shfl_up_sync(kAll, inclusive, step);
      if (id() >= step) inclusive += below;
    }
    x.value = inclusive - x.value;
    return __shfl_sync(kAll, inclusive, kLanes - 1);
#else
    return x.value;
#endif
  }

  GANNET_HD std::uint32_t any_bits(const Var<std::uint32_t>& x) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(kAll, x.value);
#elif defined(__CUDA_ARCH__)
    std::uint32_t any = x.value;
#pragma unroll
    for (unsigned step = kLanes / 2; step > 0; step /= 2) any |= __shfl_xor_sync(kAll, any, step);
    return any;
#else
    return x.value;
#endif
  }

  GANNET_HD std::uint32_t ballot(const Var<std::uint32_t>& x) const {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(kAll, x.value != 0);
#else
    return x.value;
#endif
  }

  template <class T>
  GANNET_HD Var<T> gather(const Var<T>& x, const Var<std::uint32_t>& from) const {
#if defined(__CUDA_ARCH__)
    return {__shfl_sync(kAll, x.value, static_cast<int>(from.value))};
#else
    (void)from;
    return x;
#endif
  }

  GANNET_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#endif
  }
};

#endif

}  // namespace gannet::codecs
