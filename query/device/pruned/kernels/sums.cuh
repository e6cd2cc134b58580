// Sums of bounds of all ranges: a thread block a query and chunk, a thread a superblock.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/device/pruned/kernels/limits.cuh"
#include "query/device/pruned/kernels/tiles.cuh"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kSumThreads = 256;
static_assert(kChunkSuperblocks % kSumThreads == 0);

/// What short lists add in a chunk. Of a range: the sum of the lists before the last one in the
/// upper half, kRuledOut if one of them that every match has is not there; the largest bound of the
/// last one in the lower half.
struct ShortSums {
  std::uint32_t ranges[kChunkRanges];
  std::uint32_t touched[kChunkSuperblocks];  ///< bit i: short list i of the query is there
};

/// A sum that cannot be one: every sum leaves room for it (pruned_scale.cpp).
inline constexpr std::uint32_t kRuledOut = 0xffff;

/// Where a range stands in ShortSums::ranges: superblocks are turned, so that threads that read
/// one superblock each meet in no bank.
__device__ inline std::uint32_t quarter_of(std::uint32_t superblock, std::uint32_t quarter) {
  return superblock * 4 + ((quarter + (superblock >> 1)) & 3);
}

class ChunkSums {
 public:
  __device__ ChunkSums(const PrunedView& view, ShortSums& shorts)
      : view_(view), query_(view.queries[blockIdx.x]), shorts_(shorts), chunk_(blockIdx.y) {}

  __device__ void run() {
    if (query_.shorts > 0) {
      add_short_lists();
      __syncthreads();
    }
#pragma unroll 1
    for (std::uint32_t i = threadIdx.x; i < kChunkSuperblocks; i += kSumThreads) {
      if (chunk_ * kChunkSuperblocks + i < view_.superblocks) add_superblock(i);
    }
  }

 private:
  __device__ void add_short_lists() {
    auto* const words = reinterpret_cast<uint4*>(&shorts_);
    for (std::uint32_t i = threadIdx.x; i < sizeof(ShortSums) / 16; i += kSumThreads) {
      words[i] = make_uint4(0, 0, 0, 0);
    }
    __syncthreads();
    for (std::uint32_t i = 0; i < query_.shorts; ++i) {
      if (i > 0) {
        fold(query_.required_shorts >> (i - 1) & 1, 1u << (i - 1));
        __syncthreads();
      }
      add_short_list(view_.shorts[query_.first_short + i], 1u << i);
      if (i + 1 < query_.shorts) __syncthreads();
    }
  }

  __device__ void add_short_list(const ShortList& list, std::uint32_t bit) {
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
      add_entry(r.x, b.x & 0xffff, bit);
      add_entry(r.y, b.x >> 16, bit);
      add_entry(r.z, b.y & 0xffff, bit);
      add_entry(r.w, b.y >> 16, bit);
    }
  }

  __device__ void add_entry(std::uint32_t range, std::uint32_t bound, std::uint32_t bit) {
    const std::uint32_t at = range - chunk_ * kChunkRanges;
    if (bound == 0 || at >= kChunkRanges) return;
    const std::uint32_t superblock = at / kRangesPerSuperblock;
    if ((*static_cast<volatile std::uint32_t*>(shorts_.touched + superblock) & bit) == 0) {
      atomicOr(shorts_.touched + superblock, bit);
    }
    std::uint32_t* const slot = shorts_.ranges + quarter_of(superblock, at / 4 % 4) * 4 + at % 4;
    // The upper half does not change while bounds of a list are collected.
    const std::uint32_t before = *static_cast<volatile std::uint32_t*>(slot) & 0xffff0000u;
    atomicMax(slot, before | bound);
  }

  /// Adds the last list's bounds to the sums of those before it.
  __device__ void fold(std::uint32_t required, std::uint32_t bit) {
    for (std::uint32_t s = threadIdx.x; s < kChunkSuperblocks; s += kSumThreads) {
      if ((shorts_.touched[s] & bit) == 0) continue;  // a required list rules it out as a whole
      for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
        uint4& four = reinterpret_cast<uint4*>(shorts_.ranges)[quarter_of(s, quarter)];
        four = make_uint4(folded(four.x, required), folded(four.y, required),
                          folded(four.z, required), folded(four.w, required));
      }
    }
  }

  __device__ static std::uint32_t folded(std::uint32_t sums, std::uint32_t required) {
    const std::uint32_t bound = sums & 0xffff;
    const std::uint32_t before = sums >> 16;
    if (before == kRuledOut || (required != 0 && bound == 0)) return kRuledOut << 16;
    return (before + bound) << 16;
  }

  /// Eight words of two ranges each: word 2i has those of ranges 4i and 4i + 2, word 2i + 1 those
  /// of ranges 4i + 1 and 4i + 3.
  __device__ void add_superblock(std::uint32_t i) const {
    std::uint32_t sums[8] = {};
    std::uint32_t there[4] = {0x80808080u, 0x80808080u, 0x80808080u, 0x80808080u};
    const std::size_t number = std::size_t{chunk_} * kChunkSuperblocks + i;
    add_rows(number, sums, there);
    if (query_.shorts > 0) add_shorts(i, sums, there);
    finish(number, sums, there);
  }

  __device__ void finish(std::size_t number, std::uint32_t (&sums)[8],
                         const std::uint32_t (&there)[4]) const {
    const std::uint32_t limit = limit_of(query_.start, query_.scale);
    std::uint32_t largest = 0;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      sums[2 * j] &= ((there[j] >> 7) & 0x00010001u) * 0xffffu;
      sums[2 * j + 1] &= ((there[j] >> 15) & 0x00010001u) * 0xffffu;
      largest = __vmaxu2(largest, __vmaxu2(sums[2 * j], sums[2 * j + 1]));
    }
    largest = larger_half(largest);
    const std::size_t at = std::size_t{blockIdx.x} * view_.superblocks + number;
    view_.maxima[at] = static_cast<std::uint16_t>(largest);
    if (largest >= limit) write(sums, view_.sums + 2 * at);
  }

  __device__ void add_rows(std::size_t number, std::uint32_t (&sums)[8],
                           std::uint32_t (&there)[4]) const {
    const auto* const rows = reinterpret_cast<const uint4*>(view_.rows + query_.first_row);
    for (std::uint32_t r = 0; r < query_.rows; ++r) {
      const uint4 packed = __ldg(rows + r);
      const auto* const codes = reinterpret_cast<const uint4*>(codecs::concat(packed.x, packed.y));
      const std::uint32_t weight = packed.z;
      const uint4 sixteen = __ldg(codes + number);
      const std::uint32_t words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        sums[2 * j] += (words[j] & 0x00ff00ffu) * weight;
        sums[2 * j + 1] += __byte_perm(words[j], 0, 0x4341) * weight;
        if (packed.w != 0) there[j] &= nonzero_bytes(words[j]);
      }
    }
  }

  __device__ void add_shorts(std::uint32_t i, std::uint32_t (&sums)[8],
                             std::uint32_t (&there)[4]) const {
    const std::uint32_t touched = shorts_.touched[i];
    if ((touched & query_.required_shorts) != query_.required_shorts) {
#pragma unroll
      for (std::uint32_t& word : there) word = 0;
      return;
    }
    if (touched == 0) return;
    if (query_.required_shorts == 0) return add_optional_shorts(i, sums);
    const std::uint32_t last = query_.required_shorts >> (query_.shorts - 1) & 1;
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      uint4 four = reinterpret_cast<const uint4*>(shorts_.ranges)[quarter_of(i, j)];
      four = make_uint4(folded(four.x, last), folded(four.y, last), folded(four.z, last),
                        folded(four.w, last));
      there[j] &= allowed(four.x, 0x80u) | allowed(four.y, 0x8000u) | allowed(four.z, 0x800000u) |
                  allowed(four.w, 0x80000000u);
      sums[2 * j] += sum_of(four.x) | sum_of(four.z) << 16;
      sums[2 * j + 1] += sum_of(four.y) | sum_of(four.w) << 16;
    }
  }

  /// Where no range is ruled out, both halves are added.
  __device__ void add_optional_shorts(std::uint32_t i, std::uint32_t (&sums)[8]) const {
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      const uint4 four = reinterpret_cast<const uint4*>(shorts_.ranges)[quarter_of(i, j)];
      sums[2 * j] += __byte_perm(four.x, four.z, kLow) + __byte_perm(four.x, four.z, kHigh);
      sums[2 * j + 1] += __byte_perm(four.y, four.w, kLow) + __byte_perm(four.y, four.w, kHigh);
    }
  }

  __device__ static std::uint32_t allowed(std::uint32_t sums, std::uint32_t bit) {
    return sums >> 16 == kRuledOut ? 0 : bit;
  }
  __device__ static std::uint32_t sum_of(std::uint32_t sums) {
    return sums >> 16 == kRuledOut ? 0 : sums >> 16;
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
  const PrunedQuery& query_;
  ShortSums& shorts_;
  const std::uint32_t chunk_;
};

static __global__ void __launch_bounds__(kSumThreads, 6)
    sums_kernel(const __grid_constant__ PrunedView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  codecs::cuda::follow_previous_kernel();
  ChunkSums(view, *reinterpret_cast<ShortSums*>(shared)).run();
}

}  // namespace gannet::query::cuda
