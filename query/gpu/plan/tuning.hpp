// The numbers that the CUDA back end is tuned by, with what was measured. Measured on an
// H200 with the reference collection (25 M documents, batches of 1,000 queries, OR, k = 10) unless
// it says otherwise; bench/history/2026-11-23-pruned-search-gpu.md has the conditions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::query::cuda::tuning {

// --- the scoring kernel -------------------------------------------------------------------------

inline constexpr std::uint32_t kWarpsPerBlock = 2;
/// What registers (96 a thread) and shared memory (12.5 KB a warp) allow; asking for more makes the
/// kernel spill. Capped at 80 or 72 registers for more warps: 63 to 66 us a query against 56, since
/// all share one L1.
inline constexpr std::uint32_t kBlocksPerSm = 10;
/// Documents in a window, with scores or marks alone. 1,024: 82 us a query against 71.
inline constexpr std::uint32_t kPlainWindow = 2048;
/// Documents in a window with scores and marks, since both take shared memory.
inline constexpr std::uint32_t kMarkedWindow = 1024;
/// Lists of a query whose current tile stays decoded in shared memory, 1 KB each.
inline constexpr std::uint32_t kMaxSlots = 4;
/// Windows between two evaluations of bounds that rule nothing out, at most: an evaluation costs a
/// third of scoring a window. Evaluating them always: 56 us a query against 52.5.
inline constexpr std::uint32_t kMaxBoundCheckInterval = 15;

// --- cutting queries into items -----------------------------------------------------------------

/// Queries of up to this many terms share a launch; the cursors of longer ones would take warps
/// from them. One launch instead of three: 46.9 us a query against 52.5.
inline constexpr std::uint32_t kUsualTerms = 32;
/// Postings of an item, at least: 0.39 ms for a single query.
inline constexpr double kMinItem = 1024;
/// Items for each warp that runs at a time. Collections are clustered, so items that should cost
/// the same do not: with 6 most of the time went into tails.
inline constexpr double kItemsPerWarp = 40;
/// Warps of the scoring kernels that an SM holds, roughly.
inline constexpr std::uint32_t kWarpsPerSm = kWarpsPerBlock * kBlocksPerSm;

// --- candidates and selection -------------------------------------------------------------------

/// Finalists of a query, all items together, at most.
inline constexpr std::uint32_t kMaxFinalists = 1u << 20;
/// Spare candidates of a warp: more make cutting down to k rarer, fewer raise the threshold
/// earlier. Not swept.
inline constexpr std::uint64_t kSpareCandidates = 256;
inline constexpr std::uint32_t kSelectThreads = 512;
/// Results of up to this many bytes are written to host memory by the kernel, not copied. Not
/// swept.
inline constexpr std::size_t kDirectResults = 64 << 10;
/// Up to this many hits are sorted inside the selection kernel, 4 a thread.
inline constexpr std::uint32_t kBlockSorted = 2048;

// --- batches ------------------------------------------------------------------------------------

/// Queries of one sub-batch: enough to fill the device, few enough that packing the next one
/// overlaps.
inline constexpr std::size_t kSubBatch = 1024;
/// Bytes of device memory for batches in flight where the caller sets none: at most this, and at
/// most a quarter of what is free.
inline constexpr std::uint64_t kDefaultPool = std::uint64_t{16} << 30;
/// Bytes of docids that are fetched at a time, at most: as much pinned memory is allocated.
inline constexpr std::uint64_t kMaxDocidBytes = std::uint64_t{256} << 20;

}  // namespace gannet::query::cuda::tuning
