#include "query/cpu/pruned/kernels.hpp"

#if GANNET_X86_SIMD
#include <immintrin.h>

#if !defined(__clang__)
// Of g++'s own header: GCC bug 105593.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace gannet::query {
namespace {

GANNET_TARGET_AVX512 void add_codes(const std::uint8_t* codes, std::uint16_t weight,
                                    std::uint32_t n, std::uint16_t* sums) {
  const __m512i weights = _mm512_set1_epi16(static_cast<short>(weight));
  for (std::uint32_t i = 0; i < n; i += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
    // The upper half of (code * 256) * weight is code * weight / 256.
    const __m512i wide = _mm512_slli_epi16(_mm512_cvtepu8_epi16(bytes), 8);
    const __m512i sum = _mm512_loadu_si512(sums + i);
    _mm512_storeu_si512(sums + i, _mm512_add_epi16(sum, _mm512_mulhi_epu16(wide, weights)));
  }
}

GANNET_TARGET_AVX512 void drop_absent(const std::uint8_t* codes, std::uint32_t n,
                                      std::uint16_t* sums) {
  for (std::uint32_t i = 0; i < n; i += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
    const __mmask32 there = _mm256_test_epi8_mask(bytes, bytes);
    const __m512i sum = _mm512_loadu_si512(sums + i);
    _mm512_storeu_si512(sums + i, _mm512_maskz_mov_epi16(there, sum));
  }
}

GANNET_TARGET_AVX512 std::uint32_t collect(const std::uint16_t* sums, std::uint32_t n,
                                           std::uint16_t least, std::uint32_t first,
                                           std::uint32_t* out) {
  const __m512i limit = _mm512_set1_epi16(static_cast<short>(least));
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < n; i += 64) {
    const std::uint64_t low = _mm512_cmpge_epu16_mask(_mm512_loadu_si512(sums + i), limit);
    const std::uint64_t high = _mm512_cmpge_epu16_mask(_mm512_loadu_si512(sums + i + 32), limit);
    for (std::uint64_t rest = low | high << 32; rest != 0; rest &= rest - 1) {
      out[found++] = first + i + static_cast<std::uint32_t>(_tzcnt_u64(rest));
    }
  }
  return found;
}

GANNET_TARGET_AVX512 std::uint64_t range_map(const std::uint32_t* docids, std::uint32_t first,
                                             std::uint32_t& position) {
  std::uint32_t group = position / 16;
  while (group < 7 && docids[group * 16 + 15] < first) ++group;
  const __m512i firsts = _mm512_set1_epi32(static_cast<int>(first));
  const __m512i one = _mm512_set1_epi64(1);
  __m512i map = _mm512_setzero_si512();
  __m512i values = _mm512_loadu_si512(docids + group * 16);
  const auto below = _mm_popcnt_u32(_mm512_cmplt_epu32_mask(values, firsts));
  position = group * 16 + (below < 16 ? static_cast<std::uint32_t>(below) : 15);
  for (;;) {
    // Shifts by 64 and more give 0: docids outside the range leave no bit.
    const __m512i bits = _mm512_sub_epi32(values, firsts);
    const __m512i low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(bits));
    const __m512i high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(bits, 1));
    map = _mm512_or_si512(map, _mm512_sllv_epi64(one, low));
    map = _mm512_or_si512(map, _mm512_sllv_epi64(one, high));
    if (group == 7 || docids[group * 16 + 15] - first >= 63) break;
    values = _mm512_loadu_si512(docids + ++group * 16);
  }
  return static_cast<std::uint64_t>(_mm512_reduce_or_epi64(map));
}

GANNET_TARGET_AVX512 std::uint64_t raise(const std::uint16_t* before, std::uint16_t* sums,
                                         std::uint64_t map, std::uint16_t bound,
                                         std::uint16_t least) {
  const __m512i bounds = _mm512_set1_epi16(static_cast<short>(bound));
  const __m512i limit = _mm512_set1_epi16(static_cast<short>(least));
  __m512i low = _mm512_loadu_si512(before);
  __m512i high = _mm512_loadu_si512(before + 32);
  low = _mm512_mask_adds_epu16(low, static_cast<__mmask32>(map), low, bounds);
  high = _mm512_mask_adds_epu16(high, static_cast<__mmask32>(map >> 32), high, bounds);
  _mm512_storeu_si512(sums, low);
  _mm512_storeu_si512(sums + 32, high);
  const std::uint64_t reached = _mm512_cmpge_epu16_mask(low, limit);
  return reached | std::uint64_t{_mm512_cmpge_epu16_mask(high, limit)} << 32;
}

}  // namespace

namespace detail {
const PrunedKernels kAvx512Kernels{add_codes, drop_absent, collect, range_map, raise, ranks_avx2};
}  // namespace detail

}  // namespace gannet::query
#endif
