// The numbers that the ranked search by windows is tuned by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "query/gpu/plan/matching/tuning.hpp"

namespace gannet::query::cuda::tuning {

inline constexpr std::uint32_t kRankThreads = 512;
/// What 64 registers a thread allow. Not swept.
inline constexpr std::uint32_t kRankBlocksPerSm = 2;

/// 80 KB of shared memory each, at most. Not swept.
inline constexpr std::array<WindowClass, 2> kRankClasses{{{8, 256}, {40, 128}}};
/// With words, whose sums take as much memory twice more. 78 KB, at most.
inline constexpr std::array<WindowClass, 2> kRankWordClasses{{{8, 96}, {40, 64}}};
/// Shared memory of a thread block besides, at most. Windows are cut down where a device has less
/// than all that.
inline constexpr std::uint32_t kRankFixedBytes = 8 << 10;
/// Words of a window, at least: an even number, since warps collect 128 documents together.
inline constexpr std::uint32_t kMinRankWords = 12;
static_assert(kRankClasses.back().rows == kMaxMatchRows &&
              kRankWordClasses.back().rows == kMaxMatchRows);

/// Lists whose tiles are handed out together.
inline constexpr std::uint32_t kRankLists = 256;
/// Windows between two evaluations of bounds that rule nothing out, at most. As
/// kMaxBoundCheckInterval of the exhaustive search.
inline constexpr std::uint32_t kMaxRankBoundInterval = 15;

/// Candidates of a thread block beyond the k best and those of a window: fewer raise the threshold
/// earlier. Not swept.
inline constexpr std::uint64_t kRankSpare = 256;
/// Items for each thread block that runs at a time.
inline constexpr std::uint64_t kRankItemsPerBlock = 8;
/// Windows of an item, at least: each begins with a search in all lists.
inline constexpr std::uint32_t kMinRankWindows = 4;
/// Finalists of a batch, at most, unless each query has one item.
inline constexpr std::uint64_t kMaxRankFinalists = std::uint64_t{1} << 24;
/// Postings of a batch, if it has more than one slice: a tenth of a second.
inline constexpr std::uint64_t kMaxRankPostings = std::uint64_t{1} << 32;
/// Plans that are packed together, at most.
inline constexpr std::size_t kRankBatch = 1024;

}  // namespace gannet::query::cuda::tuning
