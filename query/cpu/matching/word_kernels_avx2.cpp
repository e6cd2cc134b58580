#include "query/cpu/matching/word_kernels.hpp"

#if GANNET_X86_SIMD
#include <immintrin.h>

namespace gannet::query {
namespace {

GANNET_TARGET_AVX2 __m256i load(const std::uint64_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

GANNET_TARGET_AVX2 void store(std::uint64_t* at, __m256i value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), value);
}

struct Or {
  GANNET_TARGET_AVX2 static __m256i join(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
  static std::uint64_t join(std::uint64_t a, std::uint64_t b) { return a | b; }
};

struct And {
  GANNET_TARGET_AVX2 static __m256i join(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
  static std::uint64_t join(std::uint64_t a, std::uint64_t b) { return a & b; }
};

/// Sixteen words of all rows at a time: what is joined stays in registers.
template <class Operation>
GANNET_TARGET_AVX2 void join(WordKernels::Rows rows, std::size_t words, std::uint64_t* result) {
  std::size_t i = 0;
  for (; i + 16 <= words; i += 16) {
    const std::uint64_t* row = rows[0] + i;
    __m256i a = load(row), b = load(row + 4), c = load(row + 8), d = load(row + 12);
    for (std::size_t r = 1; r < rows.size(); ++r) {
      row = rows[r] + i;
      a = Operation::join(a, load(row));
      b = Operation::join(b, load(row + 4));
      c = Operation::join(c, load(row + 8));
      d = Operation::join(d, load(row + 12));
    }
    store(result + i, a);
    store(result + i + 4, b);
    store(result + i + 8, c);
    store(result + i + 12, d);
  }
  for (; i < words; ++i) {
    std::uint64_t word = rows[0][i];
    for (std::size_t r = 1; r < rows.size(); ++r) word = Operation::join(word, rows[r][i]);
    result[i] = word;
  }
}

/// The bits of each byte. After: Mula, Kurz, Lemire, "Faster Population Counts Using AVX2
/// Instructions", The Computer Journal 2018, figure 5: a table of 16 for each half of a byte.
GANNET_TARGET_AVX2 __m256i bits_of_bytes(__m256i value) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                         1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i half = _mm256_set1_epi8(15);
  const __m256i low = _mm256_and_si256(value, half);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(value, 4), half);
  return _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
}

GANNET_TARGET_AVX2 std::uint64_t count(const std::uint64_t* row, std::size_t words) {
  __m256i sums = _mm256_setzero_si256();
  std::size_t i = 0;
  while (i + 16 <= words) {
    // A byte holds seven times the most that four vectors add to it: 32.
    const std::size_t end = i + (words - i < 7 * 16 ? words - i : 7 * 16) / 16 * 16;
    __m256i bytes = _mm256_setzero_si256();
    for (; i < end; i += 16) {
      const __m256i ab =
          _mm256_add_epi8(bits_of_bytes(load(row + i)), bits_of_bytes(load(row + i + 4)));
      const __m256i cd =
          _mm256_add_epi8(bits_of_bytes(load(row + i + 8)), bits_of_bytes(load(row + i + 12)));
      bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(ab, cd));
    }
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
  }
  const __m128i pair =
      _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  auto total = static_cast<std::uint64_t>(_mm_extract_epi64(pair, 0) + _mm_extract_epi64(pair, 1));
  for (; i < words; ++i) total += static_cast<std::uint64_t>(_mm_popcnt_u64(row[i]));
  return total;
}

}  // namespace

namespace detail {
const WordKernels kAvx2Words{join<Or>, join<And>, count};
}  // namespace detail

}  // namespace gannet::query
#endif
