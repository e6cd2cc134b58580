// Ranges of documents that share a bound, and how a bound is coded: the same on both processors.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"
#include "codecs/core/rounding.hpp"

namespace gannet::query {

/// Documents that share a bound: a word of bits.
inline constexpr std::uint32_t kRange = 64;
/// Documents that share a pointer to the tile where they begin.
inline constexpr std::uint32_t kSuperblock = 1024;
inline constexpr std::uint32_t kRangesPerSuperblock = kSuperblock / kRange;
/// Superblocks whose pointers have a base in common. Their documents have at most
/// kPointerGroup * kSuperblock / 128 tiles: 16 bits are enough for what is added to the base.
inline constexpr std::uint32_t kPointerGroup = 64;

/// The largest code of a bound: it stands for the list's largest contribution.
inline constexpr std::uint32_t kTopCode = 255;

/// What contributions are multiplied with to become codes.
GANNET_HD float codes_per_unit(float largest) {
  return codecs::rounded_mul(codecs::rounded_div(1.0f * kTopCode, largest), 1.0f + 1e-6f);
}

/// Rounded up: the margin is more than what the division, the two products and the product of
/// whoever uses the code can lose together. 0 if and only if the contribution is.
GANNET_HD std::uint8_t code_of(float contribution, float per_unit) {
  if (contribution == 0) return 0;
  const float exact = codecs::rounded_mul(contribution, per_unit);
  if (!(exact < 1.0f * kTopCode)) return kTopCode;
  const auto down = static_cast<std::uint32_t>(exact);
  return static_cast<std::uint8_t>(down + (static_cast<float>(down) < exact ? 1 : 0));
}

/// Contributions are counted in buckets, 32 for each power of two: floats that are >= 0 are ordered
/// as their bits are, and a bucket is the upper bits.
inline constexpr std::uint32_t kSizeBuckets = 1u << 13;
inline constexpr std::uint32_t kSizeShift = 31 - 13;

/// Ranks whose contributions are known of each list (list_bounds.hpp).
inline constexpr std::uint32_t kKnownRanks[] = {10, 100, 1000, 10000};
inline constexpr std::uint32_t kKnownRankCount = 4;

}  // namespace gannet::query
