// The numbers that counts and docids on the GPU are tuned by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gannet::query::cuda::tuning {

inline constexpr std::uint32_t kMatchThreads = 256;
/// What 64 registers a thread allow. Not swept.
inline constexpr std::uint32_t kMatchBlocksPerSm = 4;

/// Queries of up to so many rows share a launch, with windows of so many words of 64 documents.
struct WindowClass {
  std::uint32_t rows;
  std::uint32_t words;
};
/// 8 to 20 KB of shared memory each, so that registers limit the blocks of a processor. Not swept.
inline constexpr std::array<WindowClass, 5> kMatchClasses{
    {{1, 1024}, {2, 1024}, {4, 512}, {8, 256}, {40, 64}}};
/// Rows of a query, at most.
inline constexpr std::uint32_t kMaxMatchRows = kMatchClasses.back().rows;
/// Windows are cut down to so many words while there are too few of them to fill the device.
inline constexpr std::uint32_t kMinMatchWords = 64;

/// Lists that fewer than one in so many documents have get no bitmap: marking their postings takes
/// about as long as reading as many words.
inline constexpr std::uint32_t kSparsestBitmap = 256;
/// A row guards lists of so many tiles if it has no more than this many documents for each of
/// them. With more, most tiles have one.
inline constexpr std::uint64_t kGuardPerTile = 4;

/// Plans that are packed together at most: enough to fill the device where an index is small.
inline constexpr std::size_t kMatchBatch = 4096;
/// Plans that one task packs.
inline constexpr std::size_t kMatchSlice = 64;
/// Items of a launch, at most: a grid has 2^31 - 1 blocks.
inline constexpr std::uint64_t kMaxMatchItems = std::uint64_t{1} << 30;
/// Items of a batch of docids, at most: each has a count that goes to the host.
inline constexpr std::uint64_t kMaxDocidItems = std::uint64_t{1} << 22;

}  // namespace gannet::query::cuda::tuning
