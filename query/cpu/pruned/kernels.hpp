// The inner loops of the pruned search, in a form for each level of vector instructions. All forms
// give the same.
#pragma once

#include <cstdint>

#include "codecs/base/simd_level.hpp"

namespace gannet::query {

/// Sums of bounds are whole numbers of 16 bits that never go beyond 65,535: sums of ranges by
/// construction, sums of documents because they stay there.
struct PrunedKernels {
  /// sums[i] += codes[i] * weight / 256, rounded down. n is a multiple of 64.
  void (*add_codes)(const std::uint8_t* codes, std::uint16_t weight, std::uint32_t n,
                    std::uint16_t* sums);

  /// sums[i] = 0 where codes[i] is 0. n is a multiple of 64.
  void (*drop_absent)(const std::uint8_t* codes, std::uint32_t n, std::uint16_t* sums);

  /// Writes first + i for those i < n, in ascending order, for which sums[i] >= least, and returns
  /// how many these are. n is a multiple of 64, least > 0.
  std::uint32_t (*collect)(const std::uint16_t* sums, std::uint32_t n, std::uint16_t least,
                           std::uint32_t first, std::uint32_t* out);

  /// The bits i for which docids, 128 ascending numbers, has first + i, i < 64. `position`: a place
  /// before which all docids are below `first`; becomes the last such place, or 127.
  std::uint64_t (*range_map)(const std::uint32_t* docids, std::uint32_t first,
                             std::uint32_t& position);

  /// 64 sums become those before, plus `bound` where `map` has a bit; returns those that are >=
  /// least. The two may be the same.
  std::uint64_t (*raise)(const std::uint16_t* before, std::uint16_t* sums, std::uint64_t map,
                         std::uint16_t bound, std::uint16_t least);

  /// Writes, for each bit of `chosen`, lowest first, how many bits of `among` are below it; returns
  /// how many these are.
  std::uint32_t (*ranks)(std::uint64_t chosen, std::uint64_t among, std::uint8_t* out);
};

/// The kernels of a level that this processor has.
const PrunedKernels& pruned_kernels(codecs::SimdLevel level);

namespace detail {
extern const PrunedKernels kPortableKernels;
#if GANNET_X86_SIMD
extern const PrunedKernels kAvx2Kernels;
extern const PrunedKernels kAvx512Kernels;
/// Of both: wider vectors count no bits faster.
std::uint32_t ranks_avx2(std::uint64_t chosen, std::uint64_t among, std::uint8_t* out);
#endif
}  // namespace detail

}  // namespace gannet::query
