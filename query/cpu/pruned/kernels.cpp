#include "query/cpu/pruned/kernels.hpp"

#include <algorithm>
#include <bit>

namespace gannet::query {
namespace {

void add_codes(const std::uint8_t* codes, std::uint16_t weight, std::uint32_t n,
               std::uint16_t* sums) {
  for (std::uint32_t i = 0; i < n; ++i) {
    sums[i] = static_cast<std::uint16_t>(sums[i] + (std::uint32_t{codes[i]} * weight >> 8));
  }
}

void drop_absent(const std::uint8_t* codes, std::uint32_t n, std::uint16_t* sums) {
  for (std::uint32_t i = 0; i < n; ++i) sums[i] = codes[i] == 0 ? 0 : sums[i];
}

std::uint32_t collect(const std::uint16_t* sums, std::uint32_t n, std::uint16_t least,
                      std::uint32_t first, std::uint32_t* out) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (sums[i] >= least) out[found++] = first + i;
  }
  return found;
}

std::uint64_t range_map(const std::uint32_t* docids, std::uint32_t first, std::uint32_t& position) {
  std::uint32_t i = position;
  while (i < 127 && docids[i] < first) ++i;
  position = i;
  std::uint64_t map = 0;
  for (; i < 128 && docids[i] - first < 64; ++i) map |= std::uint64_t{1} << (docids[i] - first);
  return map;
}

std::uint64_t raise(const std::uint16_t* before, std::uint16_t* sums, std::uint64_t map,
                    std::uint16_t bound, std::uint16_t least) {
  if (sums != before) std::copy_n(before, 64, sums);
  for (std::uint64_t rest = map; rest != 0; rest &= rest - 1) {
    std::uint16_t& sum = sums[std::countr_zero(rest)];
    sum = static_cast<std::uint16_t>(std::min(std::uint32_t{sum} + bound, 0xffffu));
  }
  std::uint64_t reached = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    reached |= static_cast<std::uint64_t>(sums[i] >= least) << i;
  }
  return reached;
}

std::uint32_t ranks(std::uint64_t chosen, std::uint64_t among, std::uint8_t* out) {
  std::uint32_t n = 0;
  for (; chosen != 0; chosen &= chosen - 1) {
    const std::uint64_t below = (chosen & (0 - chosen)) - 1;
    out[n++] = static_cast<std::uint8_t>(std::popcount(among & below));
  }
  return n;
}

}  // namespace

namespace detail {
const PrunedKernels kPortableKernels{add_codes, drop_absent, collect, range_map, raise, ranks};
}  // namespace detail

const PrunedKernels& pruned_kernels(codecs::SimdLevel level) {
#if GANNET_X86_SIMD
  switch (level) {
    case codecs::SimdLevel::kAvx512:
      return detail::kAvx512Kernels;
    case codecs::SimdLevel::kAvx2:
      return detail::kAvx2Kernels;
    case codecs::SimdLevel::kPortable:
      break;
  }
#else
  static_cast<void>(level);
#endif
  return detail::kPortableKernels;
}

}  // namespace gannet::query
