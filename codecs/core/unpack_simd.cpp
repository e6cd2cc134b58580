// Unpacking with vector instructions: of a group of values, two permutations bring the words in
// which each value begins and ends to its lane, and shifts do the rest.
#include "codecs/core/unpack_kernels.hpp"

#if GANNET_X86_SIMD
#include <immintrin.h>

#include <array>
#include <cstring>

#if !defined(__clang__)
// Of g++'s own header: GCC bug 105593.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace gannet::codecs {
namespace {

/// For `Lanes` values of one width that begin with a word: where each begins.
template <std::uint32_t Lanes>
struct Places {
  alignas(64) std::uint32_t word[Lanes];   ///< the word in which it begins
  alignas(64) std::uint32_t next[Lanes];   ///< the word behind it, as far as there is one
  alignas(64) std::uint32_t shift[Lanes];  ///< its first bit there
};

template <std::uint32_t Lanes>
constexpr std::array<Places<Lanes>, 33> make_places() {
  std::array<Places<Lanes>, 33> all{};
  for (std::uint32_t width = 0; width <= 32; ++width) {
    for (std::uint32_t i = 0; i < Lanes; ++i) {
      const std::uint32_t word = i * width / 32;
      all[width].word[i] = word;
      all[width].next[i] = word + 1 < Lanes ? word + 1 : word;
      all[width].shift[i] = i * width % 32;
    }
  }
  return all;
}

constexpr auto kPlaces16 = make_places<16>();
constexpr auto kPlaces8 = make_places<8>();

GANNET_TARGET_AVX512 void unpack128_avx512(const std::uint32_t* packed, std::uint32_t width,
                                           std::uint32_t* out) {
  const Places<16>& places = kPlaces16[width];
  const __m512i word = _mm512_load_si512(places.word);
  const __m512i next = _mm512_load_si512(places.next);
  const __m512i shift = _mm512_load_si512(places.shift);
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(width == 32 ? ~0u : (1u << width) - 1));
  // 16 values take 2 * width bytes. Nothing behind them is read.
  const __mmask64 bytes = width == 32 ? ~0ull : (1ull << (2 * width)) - 1;
  const char* at = reinterpret_cast<const char*>(packed);
  for (std::uint32_t i = 0; i < 128; i += 16, at += 2 * width) {
    const __m512i group = _mm512_maskz_loadu_epi8(bytes, at);
    const __m512i low = _mm512_permutexvar_epi32(word, group);
    const __m512i high = _mm512_permutexvar_epi32(next, group);
    const __m512i values = _mm512_shrdv_epi32(low, high, shift);
    _mm512_storeu_si512(out + i, _mm512_and_si512(values, mask));
  }
}

GANNET_TARGET_AVX512 std::uint32_t sum128_avx512(std::uint32_t* values, std::uint32_t step,
                                                 std::uint32_t previous) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i steps = _mm512_set1_epi32(static_cast<int>(step));
  const __m512i last = _mm512_set1_epi32(15);
  __m512i carry = _mm512_set1_epi32(static_cast<int>(previous));
  for (std::uint32_t i = 0; i < 128; i += 16) {
    __m512i x = _mm512_add_epi32(_mm512_loadu_si512(values + i), steps);
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
    // The next group waits for one addition, not for the permutation of this one's sums.
    const __m512i sum = _mm512_add_epi32(x, carry);
    carry = _mm512_add_epi32(carry, _mm512_permutexvar_epi32(last, x));
    _mm512_storeu_si512(values + i, sum);
  }
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(carry)));
}

GANNET_TARGET_AVX2 __m256i load_places(const std::uint32_t* places) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(places));
}

GANNET_TARGET_AVX2 void unpack128_avx2(const std::uint32_t* packed, std::uint32_t width,
                                       std::uint32_t* out) {
  // 8 values take `width` bytes, of which 32 are loaded: from a copy, so that nothing behind them
  // is read.
  alignas(32) char bytes[128 * 4 + 32];
  std::memcpy(bytes, packed, std::size_t{16} * width);
  const Places<8>& places = kPlaces8[width];
  const __m256i word = load_places(places.word);
  const __m256i next = load_places(places.next);
  const __m256i right = load_places(places.shift);
  const __m256i left = _mm256_sub_epi32(_mm256_set1_epi32(32), right);
  const __m256i mask = _mm256_set1_epi32(static_cast<int>(width == 32 ? ~0u : (1u << width) - 1));
  const char* at = bytes;
  for (std::uint32_t i = 0; i < 128; i += 8, at += width) {
    const __m256i group = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    // Shifts by 32 give 0.
    const __m256i low = _mm256_srlv_epi32(_mm256_permutevar8x32_epi32(group, word), right);
    const __m256i high = _mm256_sllv_epi32(_mm256_permutevar8x32_epi32(group, next), left);
    const __m256i values = _mm256_and_si256(_mm256_or_si256(low, high), mask);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), values);
  }
}

GANNET_TARGET_AVX2 std::uint32_t sum128_avx2(std::uint32_t* values, std::uint32_t step,
                                             std::uint32_t previous) {
  const __m256i steps = _mm256_set1_epi32(static_cast<int>(step));
  const __m256i last = _mm256_set1_epi32(7);
  const __m256i middle = _mm256_set1_epi32(3);
  __m256i carry = _mm256_set1_epi32(static_cast<int>(previous));
  for (std::uint32_t i = 0; i < 128; i += 8) {
    auto* const at = reinterpret_cast<__m256i*>(values + i);
    __m256i x = _mm256_add_epi32(_mm256_loadu_si256(at), steps);
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    // Each half has its own sums so far.
    const __m256i lower = _mm256_permutevar8x32_epi32(x, middle);
    x = _mm256_add_epi32(x, _mm256_blend_epi32(_mm256_setzero_si256(), lower, 0xf0));
    const __m256i sum = _mm256_add_epi32(x, carry);
    carry = _mm256_add_epi32(carry, _mm256_permutevar8x32_epi32(x, last));
    _mm256_storeu_si256(at, sum);
  }
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(carry)));
}

}  // namespace

namespace detail {
const UnpackKernels kAvx2Unpack{unpack128_avx2, sum128_avx2};
const UnpackKernels kAvx512Unpack{unpack128_avx512, sum128_avx512};
}  // namespace detail

}  // namespace gannet::codecs
#endif
