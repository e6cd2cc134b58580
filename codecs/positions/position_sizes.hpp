// Sizes of the position codes of many postings at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::codecs {

/// Spans that position_sizes() takes, at most.
inline constexpr std::uint32_t kMaxSizedSpan = 65'535;

/// Sets sizes[i] to position_bits(counts[i], spans[i]) (position_code.hpp) for `n` postings: 1 <=
/// counts[i] <= spans[i] <= kMaxSizedSpan. Uses the vectors that the processor has. Thread-safe.
void position_sizes(const std::uint32_t* counts, const std::uint32_t* spans, std::size_t n,
                    std::uint32_t* sizes);

}  // namespace gannet::codecs
