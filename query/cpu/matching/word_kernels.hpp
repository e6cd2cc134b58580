// Rows of words whose bits are documents, in a form for each level of vector instructions. All
// forms give the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/base/simd_level.hpp"

namespace gannet::query {

/// Rows have `words` words, which may be any number. The result may be one of the rows.
struct WordKernels {
  using Rows = std::span<const std::uint64_t* const>;

  /// result[i] becomes the OR of all rows' words i. There is at least one row.
  void (*any)(Rows rows, std::size_t words, std::uint64_t* result);
  /// result[i] becomes the AND of all rows' words i. There is at least one row.
  void (*all)(Rows rows, std::size_t words, std::uint64_t* result);
  /// The bits that are set.
  std::uint64_t (*count)(const std::uint64_t* row, std::size_t words);
};

/// The kernels of a level that this processor has.
const WordKernels& word_kernels(codecs::SimdLevel level);

namespace detail {
extern const WordKernels kPortableWords;
#if GANNET_X86_SIMD
extern const WordKernels kAvx2Words;
#endif
}  // namespace detail

}  // namespace gannet::query
