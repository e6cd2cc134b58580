#include "query/cpu/matching/word_kernels.hpp"

#include <algorithm>

#include "query/filter/document_bitmap.hpp"

namespace gannet::query {
namespace {

void any(WordKernels::Rows rows, std::size_t words, std::uint64_t* result) {
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    for (const std::uint64_t* const row : rows) word |= row[i];
    result[i] = word;
  }
}

void all(WordKernels::Rows rows, std::size_t words, std::uint64_t* result) {
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = ~std::uint64_t{0};
    for (const std::uint64_t* const row : rows) word &= row[i];
    result[i] = word;
  }
}

std::uint64_t count(const std::uint64_t* row, std::size_t words) {
  return count_bits({row, words});
}

}  // namespace

namespace detail {
const WordKernels kPortableWords{any, all, count};
}  // namespace detail

const WordKernels& word_kernels(codecs::SimdLevel level) {
#if GANNET_X86_SIMD
  // Rows come from the caches: wider vectors would wait for them.
  if (level >= codecs::SimdLevel::kAvx2) return detail::kAvx2Words;
#else
  static_cast<void>(level);
#endif
  return detail::kPortableWords;
}

}  // namespace gannet::query
