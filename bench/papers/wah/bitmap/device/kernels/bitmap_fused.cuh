// The kernel of bitmap_fused.hpp.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/papers/wah/bitmap/bitmap_rank.hpp"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "codecs/core/lanes.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah::cuda {

/// Set in a query's entry if its vector is the last of a clause.
inline constexpr std::uint32_t kLastOfClause = 1u << 31;
/// An entry for a clause without vectors.
inline constexpr std::uint32_t kNoVector = kLastOfClause - 1;

/// Entries that travel as the kernel's parameter; longer queries are read from device memory.
inline constexpr std::uint32_t kInlineEntries = 448;

/// The index, as the kernel sees it.
template <class Word>
struct FusedIndex {
  const Word* atoms;
  const std::uint64_t* first;
  const RankEntry* ranks;
  std::uint64_t entries;  ///< of a vector
  std::uint64_t groups;
  Word tail;  ///< the last group's rows that exist
};

/// Queries of one launch: query q (the grid's y) is entries [first[q], first[q + 1]), a vector's
/// number each.
struct FusedBatch {
  const std::uint32_t* entries;  ///< null: `one` holds the only query
  const std::uint32_t* first;
  std::uint32_t size;     ///< entries of the only query
  std::uint32_t clauses;  ///< most clauses of a query, at least 1
  std::uint32_t vectors;  ///< most entries of a query
  std::uint32_t one[kInlineEntries];
};

/// A query's counter and its result: the rows in the low bits; above them, in the counter, the
/// blocks that have added theirs, and in the result the ticket of the launch.
inline constexpr std::uint32_t kCountBits = 40;

/// Where results go.
template <class Word>
struct FusedOutput {
  Word* groups;                       ///< null: only counts are wanted
  unsigned long long* counters;       ///< a query each, 0 between launches
  volatile unsigned long long* host;  ///< page-locked: a result a query
  unsigned long long ticket;          ///< below 2^24
};

/// One vector of the query, in shared memory.
template <class Word>
struct FusedVector {
  const Word* atoms;
  const RankEntry* ranks;
};

/// Entries of a tile: a tile is 128 groups, 32 bytes of a vector's entries.
inline constexpr std::uint32_t kTileEntries = kRankPadding;
inline constexpr std::uint32_t kTileGroups = kTileEntries * kRankGroups;
/// Vectors whose entries a warp loads together, a lane an entry.
inline constexpr std::uint32_t kTogether = codecs::kLanes / kTileEntries;

/// ORs a lane's word into shared memory that other warps may write to as well.
__device__ __forceinline__ void shared_or(std::uint32_t* to, std::uint32_t word) {
  if (word != 0) atomicOr(to, word);
}
__device__ __forceinline__ void shared_or(std::uint64_t* to, std::uint64_t word) {
  auto* halves = reinterpret_cast<std::uint32_t*>(to);
  shared_or(halves, static_cast<std::uint32_t>(word));
  shared_or(halves + 1, static_cast<std::uint32_t>(word >> 32));
}

/// A block's shared memory, for a query of up to `vectors` entries and `clauses` clauses.
template <class Word>
struct FusedShared {
  FusedVector<Word>* vector;  ///< with room to read 8 too far
  std::uint32_t* clause;      ///< of each vector
  Word* any[2];               ///< clause * 128 + group; of this tile and of the next

  __device__ FusedShared(unsigned char* memory, const FusedBatch& batch)
      : vector(reinterpret_cast<FusedVector<Word>*>(memory)) {
    any[0] = reinterpret_cast<Word*>(vector + batch.vectors + kTogether);
    any[1] = any[0] + batch.clauses * kTileGroups;
    clause = reinterpret_cast<std::uint32_t*>(any[1] + batch.clauses * kTileGroups);
  }
  static std::size_t bytes(std::uint32_t vectors, std::uint32_t clauses) {
    return (vectors + kTogether) * (sizeof(FusedVector<Word>) + 4) +
           std::size_t{2} * clauses * kTileGroups * sizeof(Word);
  }
};

/// Writes the query's vectors to shared memory; returns how many clauses it has. Every thread of
/// the block calls it.
template <class Word>
__device__ std::uint32_t load_query(const FusedIndex<Word>& index, const FusedBatch& batch,
                                    FusedShared<Word> shared, std::uint32_t& vectors) {
  __shared__ std::uint32_t clause_count;
  const std::uint32_t* entries = batch.one;
  vectors = batch.size;
  if (batch.entries != nullptr) {
    entries = batch.entries + batch.first[blockIdx.y];
    vectors = batch.first[blockIdx.y + 1] - batch.first[blockIdx.y];
  }
  for (std::uint32_t i = threadIdx.x; i < 2 * batch.clauses * kTileGroups; i += blockDim.x) {
    shared.any[0][i] = 0;
  }
  if (threadIdx.x < codecs::kLanes) {
    std::uint32_t clause = 0;
    for (std::uint32_t start = 0; start < vectors; start += codecs::kLanes) {
      const std::uint32_t i = start + threadIdx.x;
      const std::uint32_t entry = i < vectors ? entries[i] : 0;
      const std::uint32_t ends =
          __ballot_sync(codecs::WarpLanes::kAll, (entry & kLastOfClause) != 0);
      if (i < vectors) {
        const std::uint32_t v = entry & ~kLastOfClause;
        shared.clause[i] = clause + __popc(ends & ((1u << threadIdx.x) - 1));
        shared.vector[i] = {nullptr, nullptr};
        if (v != kNoVector) {
          shared.vector[i] = {index.atoms + index.first[v], index.ranks + v * index.entries};
        }
      }
      clause += __popc(ends);
    }
    if (threadIdx.x == 0) clause_count = clause;
  }
  __syncthreads();
  return clause_count;
}

/// Lane l's part of the entries of vectors [from, from + 8) for one tile: entry l % 4 of vector
/// l / 4. Vectors from `to` on count as zeros.
template <class Word>
__device__ __forceinline__ RankEntry load_entry(const FusedShared<Word>& shared, std::uint32_t from,
                                                std::uint32_t to, std::uint64_t tile) {
  const std::uint32_t lane = codecs::WarpLanes::id();
  const std::uint32_t i = from + lane / kTileEntries;
  if (i >= to) return {kRankZeros, 0};
  const RankEntry* ranks = shared.vector[i].ranks;
  if (ranks == nullptr) return {kRankZeros, 0};
  const uint2 loaded =
      __ldg(reinterpret_cast<const uint2*>(ranks + tile * kTileEntries + lane % kTileEntries));
  return {loaded.x, loaded.y};
}

/// ORs the groups that a lane has of vectors [from, from + 8) into their clauses, at any[clause *
/// 128]. Vectors from `to` on are zeros.
template <class Word>
__device__ __forceinline__ void add_to_clauses(const FusedShared<Word>& shared, Word* any,
                                               std::uint32_t from, std::uint32_t to,
                                               const Word (&atoms)[kTogether]) {
  using Atom = codecs::WahAtom<Word>;
  std::uint32_t clause = shared.clause[from];
  const std::uint32_t last = shared.clause[min(from + kTogether, to) - 1];
  Word word = 0;
  if (clause == last) {
#pragma unroll
    for (const Word atom : atoms) word |= Atom::group(atom);
    shared_or(any + clause * kTileGroups, word);
    return;
  }
#pragma unroll
  for (std::uint32_t v = 0; v < kTogether; ++v) {
    const std::uint32_t next = shared.clause[min(from + v, to - 1)];
    if (next != clause) {
      shared_or(any + clause * kTileGroups, word);
      clause = next;
      word = 0;
    }
    word |= Atom::group(atoms[v]);
  }
  shared_or(any + clause * kTileGroups, word);
}

/// Busy entries of 32 up to which they are taken one by one.
inline constexpr std::uint32_t kFew = 14;
/// How many of those are under way together.
inline constexpr std::uint32_t kFewTogether = 4;

/// A lane's atom of an entry that is not zeros. Fills stand in for atoms that need not be loaded:
/// the two highest bits are the same.
template <class Word>
__device__ __forceinline__ Word load_atom(RankEntry entry, const Word* atoms) {
  constexpr std::uint32_t kShift = codecs::WahAtom<Word>::kWordBits - 2;
  if (entry.atom >= kRankZeros) return static_cast<Word>(Word{entry.atom >> 30} << kShift);
  return __ldg(atoms + atom_of(entry, codecs::WarpLanes::id()));
}

/// Lane `owner`'s entry, for all lanes.
__device__ __forceinline__ RankEntry entry_of(RankEntry entry, std::uint32_t owner) {
  return {__shfl_sync(codecs::WarpLanes::kAll, entry.atom, owner),
          __shfl_sync(codecs::WarpLanes::kAll, entry.ends, owner)};
}

/// or_vectors() where few entries are busy: one by one.
template <class Word>
__device__ __forceinline__ void or_few(const FusedShared<Word>& shared, Word* any,
                                       std::uint32_t from, RankEntry entry, std::uint32_t busy) {
  while (busy != 0) {
    Word atoms[kFewTogether];
    std::uint32_t owners[kFewTogether];
#pragma unroll
    for (std::uint32_t k = 0; k < kFewTogether; ++k) {
      // When none is left the last one is taken again, which changes nothing.
      owners[k] = busy != 0 ? __ffs(busy) - 1 : owners[k > 0 ? k - 1 : 0];
      busy &= busy - 1;
      const RankEntry here = entry_of(entry, owners[k]);
      atoms[k] = load_atom(here, shared.vector[from + owners[k] / kTileEntries].atoms);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kFewTogether; ++k) {
      const std::uint32_t clause = shared.clause[from + owners[k] / kTileEntries];
      const std::uint32_t part = owners[k] % kTileEntries;
      shared_or(any + clause * kTileGroups + part * kRankGroups + codecs::WarpLanes::id(),
                codecs::WahAtom<Word>::group(atoms[k]));
    }
  }
}

/// ORs vectors [from, from + 8) of a tile into the block's clauses; `entry` is from load_entry().
/// Where an entry is zeros nothing is done for it.
template <class Word>
__device__ __forceinline__ void or_vectors(const FusedShared<Word>& shared, Word* any,
                                           std::uint32_t from, std::uint32_t to, RankEntry entry) {
  const std::uint32_t busy = __ballot_sync(codecs::WarpLanes::kAll, entry.atom != kRankZeros);
  if (__popc(busy) <= kFew) {
    or_few(shared, any, from, entry, busy);
    return;
  }
#pragma unroll
  for (std::uint32_t part = 0; part < kTileEntries; ++part) {
    if ((busy & (0x11111111u << part)) == 0) continue;
    Word atoms[kTogether];
#pragma unroll
    for (std::uint32_t v = 0; v < kTogether; ++v) {
      atoms[v] = load_atom(entry_of(entry, v * kTileEntries + part), shared.vector[from + v].atoms);
    }
    add_to_clauses(shared, any + part * kRankGroups + codecs::WarpLanes::id(), from, to, atoms);
  }
}

/// ANDs the clauses of 32 groups of a tile, clears them for the tile after the next, and stores the
/// result.
template <class Word>
__device__ __forceinline__ std::uint32_t and_clauses(const FusedIndex<Word>& index, Word* any,
                                                     std::uint32_t clauses, std::uint64_t first,
                                                     Word* out) {
  const std::uint64_t group = first + codecs::WarpLanes::id();
  Word word = all_rows(group, index.groups, index.tail);
  Word* place = any + codecs::WarpLanes::id();
  for (std::uint32_t c = 0; c < clauses; ++c, place += kTileGroups) {
    word &= *place;
    *place = 0;
  }
  if (group >= index.groups) return 0;
  if (out != nullptr) out[group] = word;
  return ones_of(word);
}

/// Adds a block's count; a query's last block hands the result to the host. One atomic operation
/// carries both the count and who is last, and one 8-byte store both the result and that it is
/// there, so that nothing must be ordered by a fence.
template <class Word>
__device__ __forceinline__ void deliver(std::uint32_t ones, const FusedOutput<Word>& output) {
  __shared__ std::uint32_t sums[kBlock / codecs::kLanes];
  const std::uint32_t sum = codecs::WarpLanes{}.sum({ones});
  if (codecs::WarpLanes::id() == 0) sums[threadIdx.x / codecs::kLanes] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long total = 1ull << kCountBits;
  for (std::uint32_t w = 0; w < blockDim.x / codecs::kLanes; ++w) total += sums[w];
  unsigned long long* counter = output.counters + blockIdx.y;
  total += atomicAdd(counter, total);
  if (total >> kCountBits < gridDim.x) return;
  *counter = 0;
  const unsigned long long rows = total & ((1ull << kCountBits) - 1);
  output.host[blockIdx.y] = output.ticket << kCountBits | rows;
}

/// Blocks take the tiles of query blockIdx.y in turn. A warp's entries for what comes next are
/// under way while it works on what it has.
template <class Word>
__global__ void __launch_bounds__(kBlock)
    fused_kernel(FusedIndex<Word> index, const __grid_constant__ FusedBatch batch,
                 FusedOutput<Word> output) {
  extern __shared__ __align__(16) unsigned char memory[];
  FusedShared<Word> shared(memory, batch);
  std::uint32_t vectors;
  const std::uint32_t clauses = load_query(index, batch, shared, vectors);
  const std::uint32_t warp = threadIdx.x / codecs::kLanes;
  const std::uint32_t warps = blockDim.x / codecs::kLanes;
  const std::uint32_t from = vectors * warp / warps;
  const std::uint32_t to = vectors * (warp + 1) / warps;
  const std::uint64_t tiles = index.entries / kTileEntries;
  RankEntry entry = load_entry(shared, from, to, blockIdx.x);
  std::uint32_t ones = 0;
  std::uint32_t iteration = 0;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++iteration) {
    Word* any = shared.any[iteration % 2];
    for (std::uint32_t start = from; start < to; start += kTogether) {
      const bool more = start + kTogether < to;
      const std::uint64_t next = more ? tile : tile + gridDim.x;
      RankEntry ahead{kRankZeros, 0};
      if (next < tiles) ahead = load_entry(shared, more ? start + kTogether : from, to, next);
      or_vectors(shared, any, start, to, entry);
      entry = ahead;
    }
    __syncthreads();
    for (std::uint32_t part = (warp + iteration) % warps; part < kTileEntries; part += warps) {
      ones += and_clauses(index, any + part * kRankGroups, clauses,
                          tile * kTileGroups + part * kRankGroups, output.groups);
    }
  }
  deliver(ones, output);
}

}  // namespace gannet::wah::cuda
