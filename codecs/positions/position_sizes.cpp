#include "codecs/positions/position_sizes.hpp"

#include "codecs/base/simd_level.hpp"
#include "codecs/positions/position_code.hpp"

#if GANNET_X86_SIMD
#include <immintrin.h>
#endif

namespace gannet::codecs {
namespace {

void sizes_portable(const std::uint32_t* counts, const std::uint32_t* spans, std::size_t n,
                    std::uint32_t* sizes) {
  for (std::size_t i = 0; i < n; ++i) {
    sizes[i] = static_cast<std::uint32_t>(position_bits(counts[i], spans[i]));
  }
}

#if GANNET_X86_SIMD
/// std::bit_width() of values below 2^31, by the exponents of floats: AVX2 has no count of leading
/// zeros. Clearing the bit behind the first one that is set keeps a float from being rounded up to
/// the next power of two. Of 0: 0, since 126 is subtracted with saturation.
GANNET_TARGET_AVX2 __m256i widths(__m256i values) {
  const __m256i top = _mm256_andnot_si256(_mm256_srli_epi32(values, 1), values);
  const __m256i floats = _mm256_castps_si256(_mm256_cvtepi32_ps(top));
  return _mm256_subs_epu16(_mm256_srli_epi32(floats, 23), _mm256_set1_epi32(126));
}

/// position_bits() of eight codes, in 32 bits, as position_code.hpp has it.
GANNET_TARGET_AVX2 __m256i sizes_of_eight(__m256i count, __m256i span) {
  const __m256i unit = _mm256_set1_epi32(1);
  const __m256i before = _mm256_sub_epi32(span, unit);
  const __m256i one = widths(before);
  const __m256i pairs = _mm256_srli_epi32(_mm256_mullo_epi32(span, before), 1);
  const __m256i two =
      widths(_mm256_max_epi32(_mm256_sub_epi32(pairs, unit), _mm256_setzero_si256()));
  const __m256i limit = _mm256_sub_epi32(span, count);  // U - 1
  const __m256i numbers = _mm256_add_epi32(limit, unit);
  const __m256i most = _mm256_subs_epu16(widths(numbers), widths(count));
  const __m256i over =
      _mm256_srli_epi32(_mm256_cmpgt_epi32(_mm256_sllv_epi32(count, most), numbers), 31);
  const __m256i low = _mm256_subs_epu16(most, over);
  const __m256i split = _mm256_add_epi32(_mm256_mullo_epi32(count, _mm256_add_epi32(low, unit)),
                                         _mm256_srlv_epi32(limit, low));
  const __m256i plain = _mm256_mullo_epi32(count, widths(_mm256_or_si256(limit, unit)));
  const __m256i few = _mm256_blendv_epi8(two, one, _mm256_cmpeq_epi32(count, unit));
  return _mm256_blendv_epi8(few, _mm256_min_epi32(plain, split),
                            _mm256_cmpgt_epi32(count, _mm256_set1_epi32(2)));
}

GANNET_TARGET_AVX2 void sizes_avx2(const std::uint32_t* counts, const std::uint32_t* spans,
                                   std::size_t n, std::uint32_t* sizes) {
  const std::size_t whole = n / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    const auto* const count = reinterpret_cast<const __m256i*>(counts + i);
    const auto* const span = reinterpret_cast<const __m256i*>(spans + i);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sizes + i),
                        sizes_of_eight(_mm256_loadu_si256(count), _mm256_loadu_si256(span)));
  }
  sizes_portable(counts + whole, spans + whole, n - whole, sizes + whole);
}
#endif

using Sizes = void(const std::uint32_t*, const std::uint32_t*, std::size_t, std::uint32_t*);

Sizes* best_sizes() {
#if GANNET_X86_SIMD
  if (best_simd_level() >= SimdLevel::kAvx2) return sizes_avx2;
#endif
  return sizes_portable;
}

}  // namespace

void position_sizes(const std::uint32_t* counts, const std::uint32_t* spans, std::size_t n,
                    std::uint32_t* sizes) {
  static Sizes* const best = best_sizes();
  best(counts, spans, n, sizes);
}

}  // namespace gannet::codecs
