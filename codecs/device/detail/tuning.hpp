// What was tuned by measurement: a policy for each family of kernels, as a value, with its
// evidence. All were measured on an NVIDIA H200; bench/EXPERIMENTS.md says what was tried, and
// bench/history/2026-11-21-codecs-of-the-papers.md has the tables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gannet::codecs::cuda {

/// Shared memory that a block may have on every device without asking for more.
inline constexpr std::size_t kUsualShared = 48 << 10;

/// The same, less what a kernel's own arrays take: for dynamic shared memory.
inline constexpr std::size_t kUsualDynamicShared = 47 << 10;

/// Decoding tiles and writing them out (write_out.cuh).
struct WritePolicy {
  /// Warps of a block.
  std::uint32_t warps = 8;
  /// Above this many words per tile (12 bits per value), fewer warps: blocks end sooner, and the
  /// writes of all warps stay closer together. At 28 bits: .476 ms with 8 warps, .466 with 2.
  std::uint32_t many_words = 48;
  std::uint32_t many_words_warps = 2;
  /// Warps of a block where unpacking outlasts loading.
  std::uint32_t compute_bound_warps = 4;
  /// Blocks of `warps` that a multiprocessor is to hold, from which a thread's registers follow.
  /// Prefix sums wait a lot and want many warps; what is compute-bound wants registers.
  std::uint32_t blocks = 5;
  std::uint32_t prefix_sum_blocks = 6;
  std::uint32_t compute_bound_blocks = 4;
};
inline constexpr WritePolicy kWritePolicy{};

/// Decoding batches of lists and long lists (list_kernels.cuh), one warp per group of eight tiles.
/// Share of the memory's limit to docids, 2^27 values, worst of lists of 2^11, ~2^14, 2^16, 2^22:
///                              gpu-bp128 -bp256 -vbyte128 -vbyte1024 -dfor
///   four tiles, 6 blocks            .842   .952      .928       .796  .878
///   5 blocks                        .946   .938      .891       .788  .893
///   and past registers              .937   .927      .880       .922  .867
///   eight tiles, 5, past registers  .914   .919      .920       .922  .914
/// With 6 blocks a thread has 40 registers and spills 8 to 24 bytes, which costs up to a tenth;
/// copies past registers want fewer of them.
struct ListPolicy {
  std::uint32_t blocks = 5;
};
inline constexpr ListPolicy kListPolicy{};

/// Decoding one short list, one warp per tile (list_kernels.cuh). A list of 2^16 takes 1.98 us in a
/// graph (2.26 with groups of four tiles), one of 2^19 2.57 (3.01), one of 2^20 4.6 (3.7; with two
/// warps per block).
struct ShortPolicy {
  std::uint32_t warps = 4;
  std::uint32_t most_tiles = 4096;  ///< 2^19 values
};
inline constexpr ShortPolicy kShortPolicy{};

/// Decoding chunks and writing them out, one warp per chunk (decode/columns.cu).
struct ChunkPolicy {
  std::uint32_t warps = 4;
};
inline constexpr ChunkPolicy kChunkPolicy{};

/// Decoding chunks of strips, rle-v1 and rle-v2 (strips_kernel.cuh). Not tuned.
struct StripPolicy {
  std::uint32_t warps = 4;
  /// Up to this many chunks one launch, without staging, serves all of them; above, a second one
  /// serves those that are small enough to be staged.
  std::uint32_t few_chunks = 1024;
};
inline constexpr StripPolicy kStripPolicy{};

/// Inflating, one warp per chunk (inflate_kernel.cuh). Not tuned.
struct InflatePolicy {
  std::uint32_t warps = 4;
};
inline constexpr InflatePolicy kInflatePolicy{};

/// Decoding chunks of cascaded (cascaded_kernel.cuh) and encoding them (encode/cascaded_encode.cu),
/// one warp per chunk. Not tuned: staging a chunk's words was measured, 2,519 to 4,244 GB/s on the
/// six data sets against 1,906 to 3,599 without, with four warps both times.
struct CascadedPolicy {
  std::uint32_t warps = 4;
  std::uint32_t encode_warps = 2;
};
inline constexpr CascadedPolicy kCascadedPolicy{};

/// Scanning tiles in a ring of groups (decode/scan.cu, group_ring.cuh).
struct ScanPolicy {
  std::uint32_t warps = 4;
  /// Groups that a warp goes through. Few: the device hands out blocks in their order, so that all
  /// warps read in one neighbourhood at any time. Warps that stayed until the end drifted apart,
  /// and memory became up to three times as slow (.163 to .127 ms at 16 bits).
  std::uint32_t groups_per_warp = 4;
  /// Groups that are consumed or on their way at a time.
  std::uint32_t stages = 2;
  /// Tiles of a group: many where they take few words, so that a copy is large enough. Groups that
  /// take a sixteenth more than the column's average are not staged; where tiles take few words,
  /// and so differ more, a word a tile and `narrow_slack` words per group are allowed on top
  /// (gpu-rfor at 5 bits: .279 ms, .300 without). Everywhere, they would cost gpu-rfor at 20 bits
  /// one block in five (.194 ms, .227).
  std::uint32_t narrow_slack = 16;
  std::uint32_t narrow_words = 36;  ///< a tile: 8 bits per value, and headers
  std::uint32_t narrow_tiles = 24;
  std::uint32_t middle_words = 60;  ///< 14 bits
  std::uint32_t middle_tiles = 16;
};
inline constexpr ScanPolicy kScanPolicy{};

/// Random access (decode/pick.cu).
struct PickPolicy {
  std::uint32_t warps = 4;
  /// Tiles with a selected value from which on the whole group of eight is staged rather than each
  /// one decoded from the column itself.
  int stage_from = 3;
};
inline constexpr PickPolicy kPickPolicy{};

/// Adding up values that are already decoded (decode/stream_column.cu).
struct ReducePolicy {
  std::uint32_t threads = 256;
  std::uint32_t values_per_thread = 16;
  /// Blocks a multiprocessor has at most: eight of 256 threads are all that it holds.
  std::uint32_t blocks_per_processor = 8;
};
inline constexpr ReducePolicy kReducePolicy{};

/// Encoding tiles, one warp per unit of four (encode/encode_gpu_*.cuh). Not tuned one by one;
/// gpu-for's one pass has half of its issue slots busy and waits for shared memory.
struct EncodePolicy {
  std::uint32_t warps;
  /// Blocks that a multiprocessor is to hold, from which a thread's registers follow.
  std::uint32_t blocks;
};
inline constexpr EncodePolicy kEncodeBp128Policy{8, 5};
inline constexpr EncodePolicy kEncodeBp256Policy{8, 6};
inline constexpr EncodePolicy kEncodeForPolicy{8, 5};
inline constexpr EncodePolicy kEncodeDforPolicy{8, 5};
inline constexpr EncodePolicy kEncodeRforPolicy{8, 4};

/// Moving a second stream of words behind the first (encode/encode.cu).
struct MovePolicy {
  std::uint32_t threads = 256;
  std::uint32_t blocks = 2048;  ///< as many as the longest move would keep busy
};
inline constexpr MovePolicy kMovePolicy{};

/// Batches of columns (decode/batch.cu). Not tuned yet: the checks read little, decoding is
/// write-out's.
struct BatchPolicy {
  std::uint32_t check_threads = 128;
  /// Blocks that check one column, where a batch has few: several for each multiprocessor.
  std::uint32_t check_blocks = 1024;
  /// Values that a warp is expected to decode of chunk codecs: those of a usual chunk.
  std::uint32_t chunk_values = 2048;
};
inline constexpr BatchPolicy kBatchPolicy{};

}  // namespace gannet::codecs::cuda
