#include "query/cpu/pruned/kernels.hpp"

#if GANNET_X86_SIMD
#include <immintrin.h>

namespace gannet::query {
namespace {

GANNET_TARGET_AVX2 __m256i load(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

GANNET_TARGET_AVX2 void store(void* at, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(at), value);
}

/// 16 codes as numbers of 16 bits.
GANNET_TARGET_AVX2 __m256i load_codes(const std::uint8_t* codes) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
}

/// Bit i: lane i of 16 is not 0. Lanes are 0 or all ones.
GANNET_TARGET_AVX2 std::uint32_t mask_of(__m256i lanes) {
  const __m128i bytes =
      _mm_packs_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
}

GANNET_TARGET_AVX2 __m256i at_least(__m256i values, __m256i limit) {
  return _mm256_cmpeq_epi16(_mm256_max_epu16(values, limit), values);
}

GANNET_TARGET_AVX2 void add_codes(const std::uint8_t* codes, std::uint16_t weight, std::uint32_t n,
                                  std::uint16_t* sums) {
  const __m256i weights = _mm256_set1_epi16(static_cast<short>(weight));
  for (std::uint32_t i = 0; i < n; i += 16) {
    // The upper half of (code * 256) * weight is code * weight / 256.
    const __m256i wide = _mm256_slli_epi16(load_codes(codes + i), 8);
    store(sums + i, _mm256_add_epi16(load(sums + i), _mm256_mulhi_epu16(wide, weights)));
  }
}

GANNET_TARGET_AVX2 void drop_absent(const std::uint8_t* codes, std::uint32_t n,
                                    std::uint16_t* sums) {
  const __m256i zero = _mm256_setzero_si256();
  for (std::uint32_t i = 0; i < n; i += 16) {
    const __m256i absent = _mm256_cmpeq_epi16(load_codes(codes + i), zero);
    store(sums + i, _mm256_andnot_si256(absent, load(sums + i)));
  }
}

GANNET_TARGET_AVX2 std::uint32_t collect(const std::uint16_t* sums, std::uint32_t n,
                                         std::uint16_t least, std::uint32_t first,
                                         std::uint32_t* out) {
  const __m256i limit = _mm256_set1_epi16(static_cast<short>(least));
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < n; i += 16) {
    for (std::uint32_t rest = mask_of(at_least(load(sums + i), limit)); rest != 0;
         rest &= rest - 1) {
      out[found++] = first + i + static_cast<std::uint32_t>(_tzcnt_u32(rest));
    }
  }
  return found;
}

GANNET_TARGET_AVX2 std::uint64_t range_map(const std::uint32_t* docids, std::uint32_t first,
                                           std::uint32_t& position) {
  std::uint32_t group = position / 8;
  while (group < 15 && docids[group * 8 + 7] < first) ++group;
  position = group * 8;
  while (position < group * 8 + 7 && docids[position] < first) ++position;
  const __m256i firsts = _mm256_set1_epi32(static_cast<int>(first));
  const __m256i one = _mm256_set1_epi64x(1);
  __m256i map = _mm256_setzero_si256();
  for (;;) {
    // Shifts by 64 and more give 0: docids outside the range leave no bit.
    const __m256i bits = _mm256_sub_epi32(load(docids + group * 8), firsts);
    const __m256i low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(bits));
    const __m256i high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(bits, 1));
    map = _mm256_or_si256(map, _mm256_sllv_epi64(one, low));
    map = _mm256_or_si256(map, _mm256_sllv_epi64(one, high));
    if (group == 15 || docids[group * 8 + 7] - first >= 63) break;
    ++group;
  }
  const __m128i half = _mm_or_si128(_mm256_castsi256_si128(map), _mm256_extracti128_si256(map, 1));
  return static_cast<std::uint64_t>(_mm_extract_epi64(half, 0) | _mm_extract_epi64(half, 1));
}

GANNET_TARGET_AVX2 std::uint64_t raise(const std::uint16_t* before, std::uint16_t* sums,
                                       std::uint64_t map, std::uint16_t bound,
                                       std::uint16_t least) {
  const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                         8192, 16384, static_cast<short>(0x8000));
  const __m256i bounds = _mm256_set1_epi16(static_cast<short>(bound));
  const __m256i limit = _mm256_set1_epi16(static_cast<short>(least));
  std::uint64_t reached = 0;
  for (std::uint32_t i = 0; i < 64; i += 16) {
    const __m256i word = _mm256_set1_epi16(static_cast<short>(map >> i));
    const __m256i chosen = _mm256_cmpeq_epi16(_mm256_and_si256(word, bits), bits);
    const __m256i sum = _mm256_adds_epu16(load(before + i), _mm256_and_si256(bounds, chosen));
    store(sums + i, sum);
    reached |= std::uint64_t{mask_of(at_least(sum, limit))} << i;
  }
  return reached;
}

}  // namespace

namespace detail {
GANNET_TARGET_AVX2 std::uint32_t ranks_avx2(std::uint64_t chosen, std::uint64_t among,
                                            std::uint8_t* out) {
  std::uint32_t n = 0;
  for (; chosen != 0; chosen &= chosen - 1) {
    const std::uint64_t below = (chosen & (0 - chosen)) - 1;
    out[n++] = static_cast<std::uint8_t>(_mm_popcnt_u64(among & below));
  }
  return n;
}

const PrunedKernels kAvx2Kernels{add_codes, drop_absent, collect, range_map, raise, ranks_avx2};
}  // namespace detail

}  // namespace gannet::query
#endif
