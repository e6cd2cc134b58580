// Sums of bounds of all ranges: one thread block per query and chunk, one thread per two
// superblocks.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/gpu/device/kernels/filter_steps.cuh"
#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/device/kernels/pruned/segments.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kSumThreads = 256;
/// Superblocks of a thread: it reads each row once for both.
inline constexpr std::uint32_t kSumsAtOnce = kChunkSuperblocks / kSumThreads;
static_assert(kChunkSuperblocks % kSumThreads == 0);

/// What short lists add in a chunk: at most one bound per list and range, so that sums fit 16 bits
/// (kMaxSum).
struct ShortSums {
  /// For each superblock, eight words of two ranges each, as ChunkSums has them in registers.
  std::uint32_t sums[kChunkRanges / 2];
  /// For each range, one byte: ShortList::clause of those that have postings there.
  std::uint32_t clauses[kChunkRanges / 4];

  /// Where the first (half 0) or the last four words of a superblock stand, as a number of uint4:
  /// superblocks are rotated, so that threads that read one superblock each use different banks.
  __device__ static std::uint32_t quarter(std::uint32_t superblock, std::uint32_t half) {
    return superblock * 2 + (half ^ (superblock >> 2 & 1));
  }
  /// The word of a range of the chunk. It has the range in its upper half if bit 1 of `range` is
  /// set.
  __device__ static std::uint32_t word(std::uint32_t range) {
    const std::uint32_t in_superblock = (range >> 1 & 6) | (range & 1);
    const std::uint32_t superblock = range / kRangesPerSuperblock;
    return quarter(superblock, in_superblock / 4) * 4 + in_superblock % 4;
  }
};

class ChunkSums {
 public:
  __device__ ChunkSums(const PrunedView& view, ShortSums& shorts)
      : view_(view),
        segment_(view.segments[segment_of_chunk(view, blockIdx.y)]),
        part_(part_of(view, blockIdx.x, segment_of_chunk(view, blockIdx.y))),
        shorts_(shorts),
        chunk_(blockIdx.y - segment_.first_chunk),
        limit_(limit_of(view.queries[blockIdx.x].start, view.queries[blockIdx.x].scale)) {}

  __device__ void run() {
    switch (view_.queries[blockIdx.x].match) {
      case Match::kAny:
        return add_superblocks<Match::kAny>();
      case Match::kAll:
        return add_superblocks<Match::kAll>();
      case Match::kExpression:
        return add_superblocks<Match::kExpression>();
    }
  }

 private:
  /// The sums of one superblock.
  struct Sums {
    /// Eight words of two ranges each: word 2i has those of ranges 4i and 4i + 2, word 2i + 1 those
    /// of ranges 4i + 1 and 4i + 3.
    std::uint32_t words[8] = {};
    /// 0x80 in byte j of word i: all clauses so far have postings in range 4i + j.
    std::uint32_t there[4] = {0x80808080u, 0x80808080u, 0x80808080u, 0x80808080u};
    /// The same of the clause whose rows are being read.
    std::uint32_t clause[4] = {};
  };

  __device__ void clear() const {
    const auto to_zero = [](std::uint32_t* words, std::uint32_t count) {
      for (std::uint32_t i = threadIdx.x; i < count / 4; i += kSumThreads) {
        reinterpret_cast<uint4*>(words)[i] = make_uint4(0, 0, 0, 0);
      }
    };
    to_zero(shorts_.sums, kChunkRanges / 2);
    if (part_.marked_shorts != 0) to_zero(shorts_.clauses, kChunkRanges / 4);
  }

  __device__ void add_short_lists() const {
    __syncthreads();
    for (std::uint32_t i = 0; i < part_.shorts; ++i) {
      add_short_list(view_.shorts[part_.first_short + i]);
    }
    __syncthreads();
  }

  __device__ void add_short_list(const ShortList& list) const {
    const std::uint32_t* const tiles = view_.chunk_tiles + list.first_chunk + chunk_;
    const std::uint32_t begin = tiles[0];
    const std::uint32_t end = min(tiles[1] + 1, list.tiles);
    const auto* const ranges =
        reinterpret_cast<const uint4*>(view_.entry_ranges) + std::size_t{list.first_tile} * kLanes;
    const auto* const bounds =
        reinterpret_cast<const uint2*>(view_.entry_bounds) + std::size_t{list.first_tile} * kLanes;
    for (std::uint32_t i = begin * kLanes + threadIdx.x; i < end * kLanes; i += kSumThreads) {
      const uint4 r = ranges[i];
      const uint2 b = bounds[i];
      add_entry(r.x, b.x & 0xffff, list.clause);
      add_entry(r.y, b.x >> 16, list.clause);
      add_entry(r.z, b.y & 0xffff, list.clause);
      add_entry(r.w, b.y >> 16, list.clause);
    }
  }

  __device__ void add_entry(std::uint32_t range, std::uint32_t bound, std::uint32_t clause) const {
    const std::uint32_t at = range - chunk_ * kChunkRanges;
    if (bound == 0 || at >= kChunkRanges) return;
    atomicAdd(shorts_.sums + ShortSums::word(at), bound << (8 * (at & 2)));
    if (clause != 0) atomicOr(shorts_.clauses + at / 4, clause << (8 * (at % 4)));
  }

  template <Match kMatch>
  __device__ void add_superblocks() const {
    if (part_.shorts > 0) {
      clear();
      add_short_lists();
    }
    Sums sums[kSumsAtOnce];
    add_rows<kMatch>(sums);
#pragma unroll
    for (std::uint32_t i = 0; i < kSumsAtOnce; ++i) {
      const std::uint32_t superblock = threadIdx.x + i * kSumThreads;
      if (part_.shorts > 0) add_shorts(superblock, sums[i]);
      if constexpr (kMatch != Match::kAny) {
        if (part_.short_clauses != 0) look_for_shorts(superblock, sums[i]);
        rule_out(sums[i]);
      }
      const std::size_t number = number_of(superblock);
      if (number >= segment_.superblocks) continue;
      if (part_.filter.ranges != nullptr) drop_filtered(number, sums[i].words);
      if (part_.filter.steps != nullptr) drop_blocks(number, sums[i].words);
      finish(number, sums[i].words);
    }
  }

  __device__ std::size_t number_of(std::uint32_t superblock) const {
    return std::size_t{chunk_} * kChunkSuperblocks + superblock;
  }

  template <Match kMatch>
  __device__ void add_rows(Sums (&sums)[kSumsAtOnce]) const {
    const auto* const rows = reinterpret_cast<const uint4*>(view_.rows + part_.first_row);
    for (std::uint32_t r = 0; r < part_.rows; ++r) {
      const uint4 packed = __ldg(rows + r);
      const auto* const codes = reinterpret_cast<const uint4*>(codecs::concat(packed.x, packed.y));
      uint4 read[kSumsAtOnce];
#pragma unroll
      for (std::uint32_t i = 0; i < kSumsAtOnce; ++i) {
        const std::size_t number = number_of(threadIdx.x + i * kSumThreads);
        read[i] = number < segment_.superblocks ? __ldg(codes + number) : make_uint4(0, 0, 0, 0);
      }
#pragma unroll
      for (std::uint32_t i = 0; i < kSumsAtOnce; ++i) {
        add_row(read[i], packed.z, sums[i]);
        if constexpr (kMatch != Match::kAny) {
          if (packed.w != 0) add_to_clause<kMatch>(read[i], packed.w, i, sums[i]);
        }
      }
    }
  }

  /// A row of a clause. Those of a plain AND are clauses of their own.
  template <Match kMatch>
  __device__ void add_to_clause(const uint4& sixteen, std::uint32_t clause, std::uint32_t i,
                                Sums& sums) const {
    const std::uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
    uint4 shorts = make_uint4(0, 0, 0, 0);
    const std::uint32_t bit = clause >> WeightedRow::kShortBits;
    if (kMatch == Match::kExpression && bit != 0) {
      shorts = reinterpret_cast<const uint4*>(shorts_.clauses)[threadIdx.x + i * kSumThreads];
    }
    const std::uint32_t marks[4] = {shorts.x, shorts.y, shorts.z, shorts.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if constexpr (kMatch == Match::kAll) {
        sums.there[j] &= nonzero_bytes(words[j]);
        continue;
      }
      sums.clause[j] |= nonzero_bytes(words[j] | (marks[j] & bit * 0x01010101u));
      if ((clause & kEndsClause) == 0) continue;
      sums.there[j] &= sums.clause[j];
      sums.clause[j] = 0;
    }
  }

  __device__ static void add_row(const uint4& sixteen, std::uint32_t weight, Sums& sums) {
    const std::uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sums.words[2 * j] += (words[j] & 0x00ff00ffu) * weight;
      sums.words[2 * j + 1] += __byte_perm(words[j], 0, 0x4341) * weight;
    }
  }

  __device__ void add_shorts(std::uint32_t superblock, Sums& sums) const {
#pragma unroll
    for (std::uint32_t half = 0; half < 2; ++half) {
      const uint4 four =
          reinterpret_cast<const uint4*>(shorts_.sums)[ShortSums::quarter(superblock, half)];
      sums.words[4 * half] += four.x;
      sums.words[4 * half + 1] += four.y;
      sums.words[4 * half + 2] += four.z;
      sums.words[4 * half + 3] += four.w;
    }
  }

  /// The clauses that have short lists alone.
  __device__ void look_for_shorts(std::uint32_t superblock, Sums& sums) const {
    const uint4 four = reinterpret_cast<const uint4*>(shorts_.clauses)[superblock];
    const std::uint32_t marks[4] = {four.x, four.y, four.z, four.w};
    const std::uint32_t all = part_.short_clauses * 0x01010101u;
#pragma unroll
    for (int j = 0; j < 4; ++j) sums.there[j] &= ~nonzero_bytes((marks[j] & all) ^ all);
  }

  /// Sets the sums of ranges to 0 in which a clause has no posting.
  __device__ static void rule_out(Sums& sums) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sums.words[2 * j] &= ((sums.there[j] >> 7) & 0x00010001u) * 0xffffu;
      sums.words[2 * j + 1] &= ((sums.there[j] >> 15) & 0x00010001u) * 0xffffu;
    }
  }

  /// Sets the sums of ranges to 0 in which no document passes the filter.
  __device__ void drop_filtered(std::size_t number, std::uint32_t (&sums)[8]) const {
    const std::uint32_t ranges = __ldg(part_.filter.ranges + number);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::uint32_t four = ranges >> (4 * j);
      sums[2 * j] &= (four & 1) * 0xffffu | (four >> 2 & 1) * 0xffff0000u;
      sums[2 * j + 1] &= (four >> 1 & 1) * 0xffffu | (four >> 3 & 1) * 0xffff0000u;
    }
  }

  /// Sets all sums to 0 if the column block of the superblock decides that no document passes.
  __device__ void drop_blocks(std::size_t number, std::uint32_t (&sums)[8]) const {
    static_assert(index::kFieldBlock % kSuperblock == 0);
    const std::size_t first = number * kSuperblock;
    const FilterView& filter = part_.filter;
    const bool may_pass = first < segment_.index.documents &&
                          block_may_pass(filter.steps, filter.step_count,
                                         static_cast<std::uint32_t>(first / index::kFieldBlock));
#pragma unroll
    for (int j = 0; j < 8; ++j) sums[j] = may_pass ? sums[j] : 0;
  }

  __device__ void finish(std::size_t number, const std::uint32_t (&sums)[8]) const {
    std::uint32_t largest = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      largest = __vmaxu2(largest, __vmaxu2(sums[2 * j], sums[2 * j + 1]));
    }
    largest = larger_half(largest);
    const std::size_t at =
        std::size_t{blockIdx.x} * view_.superblocks + segment_.first_superblock + number;
    view_.maxima[at] = static_cast<std::uint16_t>(largest);
    if (largest >= limit_) write(sums, view_.sums + 2 * at);
  }

  /// As PrunedView::sums has them.
  __device__ static void write(const std::uint32_t (&s)[8], uint4* to) {
    to[0] = make_uint4(__byte_perm(s[0], s[4], kLow), __byte_perm(s[1], s[5], kLow),
                       __byte_perm(s[0], s[4], kHigh), __byte_perm(s[1], s[5], kHigh));
    to[1] = make_uint4(__byte_perm(s[2], s[6], kLow), __byte_perm(s[3], s[7], kLow),
                       __byte_perm(s[2], s[6], kHigh), __byte_perm(s[3], s[7], kHigh));
  }

  /// The lower halves of two words, and the upper ones, for __byte_perm.
  static constexpr std::uint32_t kLow = 0x5410;
  static constexpr std::uint32_t kHigh = 0x7632;

  const PrunedView& view_;
  const SegmentView& segment_;
  const PrunedPart& part_;
  ShortSums& shorts_;
  const std::uint32_t chunk_;  ///< of the segment
  const std::uint32_t limit_;
};

static __global__ void __launch_bounds__(kSumThreads, 5)
    sums_kernel(const __grid_constant__ PrunedView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  codecs::cuda::follow_previous_kernel();
  ChunkSums(view, *reinterpret_cast<ShortSums*>(shared)).run();
}

}  // namespace gannet::query::cuda
