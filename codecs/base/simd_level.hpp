// The vector instructions of the host's processor, detected at run time: one build runs on every
// processor of its architecture.
#pragma once

#include <cstdint>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#define GANNET_X86_SIMD 1
/// Attributes of the functions of a level: only these functions are compiled for its instructions,
/// so callers check best_simd_level() first.
#define GANNET_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define GANNET_TARGET_AVX512 \
  __attribute__((            \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,lzcnt")))
#else
#define GANNET_X86_SIMD 0
#endif

namespace gannet::codecs {

/// Levels in ascending order: a processor that supports a level supports all lower ones.
enum class SimdLevel : std::uint8_t {
  kPortable,  ///< no special functions: plain loops, as the compiler translates them
  kAvx2,      ///< with BMI, BMI2, popcnt and lzcnt: Haswell, Zen and later
  kAvx512,    ///< F, BW, DQ, VL and VBMI2: Ice Lake, Zen 4 and later
};

/// The highest level that this processor supports. Thread-safe. The first call detects the level,
/// later calls return it.
SimdLevel best_simd_level();

/// "portable", "avx2" or "avx512". Thread-safe.
std::string_view name_of(SimdLevel level);

}  // namespace gannet::codecs
