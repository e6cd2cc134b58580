// What a query matches in a window of documents: one thread block, step by step.
//
// The warps mark the lists of a step in rows of bits in shared memory, a tile each. Then each
// thread combines words of 64 documents: rows, and bitmaps in device memory, of which an AND reads
// only what the operands before leave. All sums are of whole numbers, so that results do not depend
// on the order in which blocks and warps run.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/codec_set.hpp"
#include "codecs/docids.hpp"
#include "query/gpu/device/kernels/host_reads.cuh"
#include "query/gpu/device/kernels/tile_search.cuh"
#include "query/gpu/plan/matching/tables.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query::cuda {

/// Lists whose tiles are found together: one per lane.
inline constexpr std::uint32_t kListsTogether = codecs::kLanes;

/// Shared memory of a block of so many threads, besides its rows.
template <std::uint32_t kThreads>
struct MatchMemory {
  std::uint32_t first_tile[kListsTogether];  ///< of each list, in the window
  std::uint32_t tiles[kListsTogether];
  std::uint32_t sums[kThreads / codecs::kLanes];
  std::uint32_t matches;  ///< of the window
  std::uint32_t decoded;  ///< tiles
};

/// Whether a row of the window of `size` documents from `begin` on has a document near those from
/// `first` to `last`: in words of 32. Called by a converged warp.
__device__ inline bool has_near(const std::uint32_t* row, std::uint32_t begin, std::uint32_t size,
                                std::uint32_t first, std::uint32_t last) {
  const std::uint32_t from = first > begin ? first - begin : 0;
  if (from >= size || last < begin) return false;
  const std::uint32_t end = min(last - begin, size - 1) / 32;
  std::uint32_t some = 0;
  for (std::uint32_t w = from / 32 + codecs::WarpLanes::id(); w <= end; w += codecs::kLanes) {
    some |= row[w];
  }
  return __any_sync(codecs::WarpLanes::kAll, some != 0) != 0;
}

/// A query in a window. `Codecs`: those that the index may have; `kTogether`: words that a thread
/// combines together, so that their loads overlap.
template <class Codecs, std::uint32_t kThreads = tuning::kMatchThreads, std::uint32_t kTogether = 4>
class MatchWindow {
 public:
  /// `rows`: view.rows rows of view.words words. `query`, `window`: their numbers.
  __device__ MatchWindow(const MatchView& view, MatchMemory<kThreads>& memory, std::uint32_t* rows,
                         std::uint32_t query, std::uint32_t window)
      : view_(view),
        memory_(memory),
        rows_(rows),
        number_(query),
        query_(view.queries[query]),
        item_(view.first_item + std::uint64_t{query - view.first_query} * view.windows + window),
        begin_(window * view.words * 64),
        size_(min(view.words * 64, view.index.documents - begin_)),
        words_((size_ + 63) / 64) {}

  /// Runs the steps. False if one that stops has left no document. What they leave in rows may be
  /// read by all threads afterwards.
  __device__ bool run_steps() {
    for (std::uint32_t s = 0; s < query_.steps; ++s) {
      if (!run_step(view_.steps[query_.first_step + s])) return false;
    }
    return true;
  }

  /// Counts or writes the matches.
  __device__ void run() {
    if (threadIdx.x == 0) memory_.matches = memory_.decoded = 0;
    __syncthreads();
    run_steps();
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (view_.docid_offsets == nullptr && memory_.matches > 0) {
      atomicAdd(view_.counts + number_, static_cast<unsigned long long>(memory_.matches));
      if (view_.item_counts != nullptr) view_.item_counts[item_] = memory_.matches;
    }
    if (memory_.decoded > 0) {
      atomicAdd(view_.tiles_decoded, static_cast<unsigned long long>(memory_.decoded));
    }
  }

 private:
  using Lanes = codecs::WarpLanes;
  static constexpr std::uint32_t kAll = Lanes::kAll;
  static constexpr std::uint32_t kWarps = kThreads / codecs::kLanes;

  __device__ static std::uint32_t warp() { return threadIdx.x / codecs::kLanes; }

  /// Whether the next step is to run.
  __device__ bool run_step(const MatchStep& step) {
    clear(step.cleared);
    for (std::uint32_t done = 0; done < step.lists; done += kListsTogether) {
      const MatchList* const lists = view_.lists + query_.first_list + step.first_list + done;
      const std::uint32_t count = min(kListsTogether, step.lists - done);
      find_tiles(lists, count);
      __syncthreads();
      mark_tiles(lists, count, step.guarded != 0);
      __syncthreads();
    }
    const bool some = combine(step);
    if (step.stops == 0) {
      // Rows that the step leaves are read by all threads where they guard a later step.
      __syncthreads();
      return true;
    }
    return __syncthreads_or(some ? 1 : 0) != 0;
  }

  __device__ std::uint32_t* row(std::uint32_t number) const {
    return rows_ + number * view_.words * 2;
  }

  /// A thread has the same words in all rows and steps.
  __device__ void clear(std::uint64_t rows) {
    for (; rows != 0; rows &= rows - 1) {
      const auto number = static_cast<std::uint32_t>(__ffsll(static_cast<long long>(rows)) - 1);
      auto* const words = reinterpret_cast<uint2*>(row(number));
      for (std::uint32_t w = threadIdx.x; w < words_; w += kThreads) {
        words[w] = make_uint2(0, 0);
      }
    }
  }

  /// Writes the tiles of up to kListsTogether lists that may have a document of the window.
  __device__ void find_tiles(const MatchList* lists, std::uint32_t count) {
    const float share = static_cast<float>(begin_) / static_cast<float>(view_.index.documents);
    for (std::uint32_t i = warp(); i < count; i += kWarps) {
      const ListLocation& list = lists[i].list;
      const std::uint32_t tiles = codecs::tile_count(list.count);
      // Rounding does not matter: the tiles around the guess are looked at first.
      const auto guess = static_cast<std::uint32_t>(static_cast<float>(tiles) * share);
      const std::uint32_t first =
          first_tile_near(list.skips, tiles, begin_, guess < 16 ? 0 : guess - 16);
      const std::uint32_t last =
          first_tile_near(list.skips + first, tiles - first, begin_ + size_ - 1, 0);
      if (Lanes::id() != 0) continue;
      memory_.first_tile[i] = first;
      memory_.tiles[i] = min(last + 1, tiles - first);
    }
  }

  /// Marks these tiles: a warp takes one at a time, of all lists as if they were one.
  __device__ void mark_tiles(const MatchList* lists, std::uint32_t count, bool guarded) {
    const std::uint32_t lane = Lanes::id();
    const std::uint32_t mine = lane < count ? memory_.tiles[lane] : 0;
    const std::uint32_t first = lane < count ? memory_.first_tile[lane] : 0;
    Lanes::Var<std::uint32_t> before{mine};
    const std::uint32_t total = Lanes{}.exclusive_scan(before);
    std::uint32_t decoded = 0;
    for (std::uint32_t t = warp(); t < total; t += kWarps) {
      const std::uint32_t reach = __ballot_sync(kAll, before.value + mine > t);
      const int owner = __ffs(static_cast<int>(reach)) - 1;
      const std::uint32_t tile =
          __shfl_sync(kAll, first, owner) + t - __shfl_sync(kAll, before.value, owner);
      const MatchList& list = lists[owner];
      const std::uint32_t previous =
          tile == 0 ? codecs::kBeforeFirst : __ldg(list.list.skips + tile - 1);
      if (guarded && !is_wanted(previous + 1, __ldg(list.list.skips + tile))) continue;
      mark_tile(list, tile, previous);
      ++decoded;
    }
    if (lane == 0 && decoded > 0) atomicAdd(&memory_.decoded, decoded);
  }

  /// Whether row 0 has a document near those from `first` to `last`.
  __device__ bool is_wanted(std::uint32_t first, std::uint32_t last) const {
    return has_near(rows_, begin_, size_, first, last);
  }

  __device__ void mark_tile(const MatchList& marked, std::uint32_t tile, std::uint32_t previous) {
    const ListLocation& where = marked.list;
    if (Lanes::id() == 0) {
      count_host_read(view_.index, where, crossing(docid_tile_bytes(where)));
    }
    const codecs::ListView list{where.docid_words, where.count};
    Lanes::Var<codecs::Quad> quad;
    codecs::with_codec<Codecs>(view_.index.docid_codec, [&]<class Codec>() {
      using Tiles = codecs::DocidTiles<Codec>;
      auto cursor = Tiles::seek(Lanes{}, list, tile, previous);
      Tiles::next(Lanes{}, list, codecs::Payload{list.words, 0}, tile, cursor, quad);
    });
    const std::uint32_t held = codecs::tile_size(where.count, tile);
    std::uint32_t* const bits = row(marked.row);
    // Documents of a lane that lie in one word are set at once.
    std::uint32_t word = 0;
    std::uint32_t some = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t slot = quad.value.value[i] - begin_;
      if (4 * Lanes::id() + i >= held || slot >= size_) continue;
      if (slot / 32 != word && some != 0) {
        atomicOr(bits + word, some);
        some = 0;
      }
      word = slot / 32;
      some |= 1u << slot % 32;
    }
    if (some != 0) atomicOr(bits + word, some);
  }

  /// Evaluates the step word by word. Whether this thread has found a document.
  __device__ bool combine(const MatchStep& step) {
    bool some = false;
    std::uint32_t found = 0;
    for (std::uint32_t base = 0; base < words_; base += kTogether * kThreads) {
      std::uint64_t values[kTogether];
      evaluate_together(step, base + threadIdx.x, values);
#pragma unroll
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        const std::uint32_t w = base + i * kThreads + threadIdx.x;
        some = some || values[i] != 0;
        if (step.to == kNone) {
          if (view_.docid_offsets != nullptr) write_docids(w, values[i]);
          found += static_cast<std::uint32_t>(__popcll(values[i]));
        } else if (w < words_) {
          reinterpret_cast<uint2*>(row(step.to))[w] = make_uint2(
              static_cast<std::uint32_t>(values[i]), static_cast<std::uint32_t>(values[i] >> 32));
        }
      }
    }
    if (step.to == kNone && view_.docid_offsets == nullptr) add_matches(found);
    return some;
  }

  /// The words of step number `first`, first + kThreads, ...; 0 behind the window.
  __device__ void evaluate_together(const MatchStep& step, std::uint32_t first,
                                    std::uint64_t (&values)[kTogether]) const {
    const Node* const nodes = view_.nodes + query_.first_node + step.first_node;
#pragma unroll
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      const std::uint32_t w = first + i * kThreads;
      values[i] = w < words_ ? mask(step, w) : 0;
    }
    switch (step.shape) {
      case MatchShape::kAny:
        return any_of(nodes, step.nodes, first, values);
      case MatchShape::kAll:
        return all_of(nodes, step.nodes, first, values);
      case MatchShape::kFormula:
        break;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      const std::uint32_t w = first + i * kThreads;
      if (values[i] == 0) continue;
      values[i] &= evaluate(
          nodes, step.nodes, WordStack<std::uint64_t>{},
          [&](std::uint32_t number) { return row_word(number, w); },
          [&](std::uint32_t number) { return bitmap_word(number, w); });
    }
  }

  /// Documents that may match, as far as it is known before the step: those of row 0, those that
  /// pass the filter, or those that there are.
  __device__ std::uint64_t mask(const MatchStep& step, std::uint32_t w) const {
    if (step.guarded != 0) return row_word(0, w);
    const std::uint32_t left = size_ - w * 64;
    const std::uint64_t there = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    return query_.filter == nullptr ? there : there & word_of(query_.filter, w);
  }

  __device__ void any_of(const Node* nodes, std::uint32_t count, std::uint32_t first,
                         std::uint64_t (&values)[kTogether]) const {
    std::uint64_t any[kTogether] = {};
    for (std::uint32_t n = 0; n < count; ++n) {
      const Node node = nodes[n];
#pragma unroll
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        if (values[i] != 0) any[i] |= operand(node, first + i * kThreads);
      }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kTogether; ++i) values[i] &= any[i];
  }

  __device__ void all_of(const Node* nodes, std::uint32_t count, std::uint32_t first,
                         std::uint64_t (&values)[kTogether]) const {
    for (std::uint32_t n = 0; n < count; ++n) {
      const Node node = nodes[n];
#pragma unroll
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        if (values[i] != 0) values[i] &= operand(node, first + i * kThreads);
      }
    }
  }

  __device__ std::uint64_t operand(Node node, std::uint32_t w) const {
    return node.kind == Node::Kind::kTerm ? row_word(node.operand, w)
                                          : bitmap_word(node.operand, w);
  }

  __device__ std::uint64_t row_word(std::uint32_t number, std::uint32_t w) const {
    const uint2 halves = reinterpret_cast<const uint2*>(row(number))[w];
    return codecs::concat(halves.x, halves.y);
  }

  __device__ std::uint64_t bitmap_word(std::uint32_t number, std::uint32_t w) const {
    return word_of(view_.bitmaps[query_.first_bitmap + number], w);
  }

  __device__ std::uint64_t word_of(const std::uint64_t* bitmap, std::uint32_t w) const {
    return __ldg(reinterpret_cast<const unsigned long long*>(bitmap) + begin_ / 64 + w);
  }

  __device__ void add_matches(std::uint32_t found) {
    const std::uint32_t sum = Lanes{}.sum({found});
    if (Lanes::id() == 0 && sum > 0) atomicAdd(&memory_.matches, sum);
  }

  /// Writes the documents of word w, of which each thread has another one, behind those that the
  /// block has written. All threads take part.
  __device__ void write_docids(std::uint32_t w, std::uint64_t word) {
    Lanes::Var<std::uint32_t> before{static_cast<std::uint32_t>(__popcll(word))};
    const std::uint32_t sum = Lanes{}.exclusive_scan(before);
    if (Lanes::id() == 0) memory_.sums[warp()] = sum;
    __syncthreads();
    std::uint32_t place = memory_.matches + before.value;
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; i < kWarps; ++i) {
      if (i < warp()) place += memory_.sums[i];
      all += memory_.sums[i];
    }
    // The number is known from counting.
    std::uint32_t* const docids = view_.docids + (view_.docid_offsets[item_] - view_.first_offset);
    for (; word != 0; word &= word - 1) {
      docids[place++] =
          begin_ + w * 64 + static_cast<std::uint32_t>(__ffsll(static_cast<long long>(word)) - 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) memory_.matches += all;
    __syncthreads();
  }

  const MatchView& view_;
  MatchMemory<kThreads>& memory_;
  std::uint32_t* rows_;
  const std::uint32_t number_;
  const MatchQuery query_;
  const std::uint64_t item_;
  const std::uint32_t begin_;
  const std::uint32_t size_;   ///< documents
  const std::uint32_t words_;  ///< of 64 documents
};

/// Counts or writes the matches of items: one block each. For counts, windows are in the order of
/// their documents over all queries, which then read one part of bitmaps and lists at the same
/// time.
template <class Codecs>
__global__ void __launch_bounds__(tuning::kMatchThreads, tuning::kMatchBlocksPerSm)
    match_kernel(const __grid_constant__ MatchView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ MatchMemory<tuning::kMatchThreads> memory;
  std::uint32_t query = 0;
  std::uint32_t window = 0;
  if (view.docid_offsets == nullptr) {
    query = view.first_query + blockIdx.x % view.query_count;
    window = blockIdx.x / view.query_count;
  } else {
    const std::uint64_t item = view.items_begin + blockIdx.x;
    if (view.docid_offsets[item] == view.docid_offsets[item + 1]) return;
    const std::uint64_t inside = item - view.first_item;
    query = view.first_query + static_cast<std::uint32_t>(inside / view.windows);
    window = static_cast<std::uint32_t>(inside % view.windows);
  }
  MatchWindow<Codecs>(view, memory, reinterpret_cast<std::uint32_t*>(shared), query, window).run();
}

}  // namespace gannet::query::cuda
