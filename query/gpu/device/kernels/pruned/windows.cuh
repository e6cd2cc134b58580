// Disjunctions of so many terms that bounds rule out little: every posting is decoded and scored.
// One thread block per window of documents, whose scores are in shared memory; its warps decode
// tiles of several lists at the same time, and add them up list by list, in the plan's order.
#pragma once

#include "query/gpu/device/kernels/pruned/segments.cuh"
#include "query/gpu/device/kernels/pruned/threshold.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/device/kernels/tile_search.cuh"
#include "query/gpu/device/kernels/tile_tasks.cuh"
#include "query/results/hits.hpp"
#include "query/scoring/all.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kWindowThreads = 512;
inline constexpr std::uint32_t kWindowWarps = kWindowThreads / kLanes;

/// The part whose size does not depend on the query's terms.
struct WindowMemory {
  float scores[kWindowDocuments];
  std::uint32_t histogram[kScoreBins];
  /// The first task of each term, and their number; behind them the first tile of each term in the
  /// window, and in the next one.
  std::uint32_t by_term[1];

  static constexpr std::uint32_t bytes(std::uint32_t terms) {
    return static_cast<std::uint32_t>(sizeof(WindowMemory)) + 3 * terms * 4;
  }
};

/// The windows of one query in one segment that one thread block searches.
template <class Tiles, class Scorers>
class WindowSearch {
 public:
  __device__ WindowSearch(const PrunedView& view, WindowMemory& memory, std::uint32_t number,
                          std::uint32_t segment)
      : view_(view),
        segment_(view.segments[segment]),
        memory_(memory),
        number_(number),
        query_(view.queries[number]),
        part_(part_of(view, number, segment)),
        terms_(view.terms + part_.first_term),
        threshold_(view, number, query_) {}

  __device__ void run(std::uint32_t first, std::uint32_t end) {
    if (first >= end || part_.terms == 0) return;
    clear();
    for_each_term([&](std::uint32_t t) {
      const std::uint32_t tile =
          first_tile_from(skips(t), codecs::tile_count(terms_[t].count), first * kWindowDocuments);
      if (WarpLanes::id() == 0) next_tiles()[t] = tile;
    });
    __syncthreads();
    for (std::uint32_t window = first; window < end; ++window) {
      begin_ = window * kWindowDocuments;
      find_tasks();
      for (std::uint32_t task = 0; task < tasks(); task += kAtOnce * kWindowWarps) add_tiles(task);
      collect();
    }
    count();
  }

 private:
  /// Tiles that a warp decodes at the same time.
  static constexpr std::uint32_t kAtOnce = 2;
  static constexpr std::uint32_t kAll = WarpLanes::kAll;

  /// A decoded tile, four postings per lane.
  struct Tile {
    std::uint32_t term = kNone;
    Quad docids;
    float scores[4];
  };

  __device__ static std::uint32_t warp() { return threadIdx.x / kLanes; }
  __device__ std::uint32_t* first_tasks() const { return memory_.by_term; }
  __device__ std::uint32_t tasks() const { return memory_.by_term[part_.terms]; }
  __device__ std::uint32_t* first_tiles() const { return memory_.by_term + part_.terms + 1; }
  __device__ std::uint32_t* next_tiles() const { return first_tiles() + part_.terms; }
  __device__ const std::uint32_t* skips(std::uint32_t term) const { return terms_[term].skips; }

  /// One warp per term.
  template <class F>
  __device__ void for_each_term(F f) const {
    for (std::uint32_t t = warp(); t < part_.terms; t += kWindowWarps) f(t);
  }

  __device__ void clear() const {
    for (std::uint32_t i = threadIdx.x; i < kWindowDocuments; i += kWindowThreads) {
      memory_.scores[i] = 0;
    }
    for (std::uint32_t i = threadIdx.x; i < kScoreBins; i += kWindowThreads) {
      memory_.histogram[i] = 0;
    }
  }

  /// The tiles of all lists that reach into the window.
  __device__ void find_tasks() {
    for_each_term([&](std::uint32_t t) {
      const std::uint32_t tiles = codecs::tile_count(terms_[t].count);
      const std::uint32_t first = next_tiles()[t];
      const std::uint32_t inside = tiles_before(skips(t), first, tiles, begin_ + kWindowDocuments);
      if (WarpLanes::id() != 0) return;
      first_tiles()[t] = first;
      next_tiles()[t] = first + inside;
      first_tasks()[t] = min(inside + 1, tiles - first);
    });
    __syncthreads();
    if (warp() == 0) number_tasks(first_tasks(), part_.terms);
    __syncthreads();
  }

  __device__ std::uint32_t term_of(std::uint32_t task) const {
    return list_of_task(first_tasks(), part_.terms, task);
  }

  /// Decodes the tasks from `first` on, as many as the thread block takes at a time; then adds them
  /// up, term by term.
  __device__ void add_tiles(std::uint32_t first) {
    Tile read[kAtOnce];
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      const std::uint32_t task = first + i * kWindowWarps + warp();
      if (task < tasks()) read_tile(task, read[i]);
    }
    const std::uint32_t last = min(first + kAtOnce * kWindowWarps, tasks()) - 1;
    const std::uint32_t end = term_of(last) + 1;
    for (std::uint32_t term = term_of(first); term < end; ++term) {
      if (first_tasks()[term] == first_tasks()[term + 1]) continue;
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        if (read[i].term == term) add(read[i]);
      }
      __syncthreads();
    }
  }

  __device__ void read_tile(std::uint32_t task, Tile& read) {
    read.term = term_of(task);
    const PrunedTerm& term = terms_[read.term];
    const std::uint32_t tile = first_tiles()[read.term] + task - first_tasks()[read.term];
    const std::uint32_t before = docid_before(skips(read.term), tile);
    Quad frequencies;
    const auto place = Tiles::find(segment_.index, term, tile);
    Tiles::read_docids(segment_.index, term, tile, before, place, read.docids);
    Tiles::read_frequencies(segment_.index, term, tile, frequencies);
    count_tile<Tiles>(segment_.index, term, place);
    std::uint32_t lengths[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool inside = read.docids.value[i] - begin_ < kWindowDocuments;
      lengths[i] = inside ? __ldg(term.lengths + read.docids.value[i]) : 0;
    }
    with_scorer<Scorers>(view_.scorer, [&]<class S>() {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        read.scores[i] = S::contribution(term.scoring.constants(), term.constants,
                                         frequencies.value[i], lengths[i]);
      }
    });
    ++tiles_;
  }

  /// Needs no atomic operation: no document is in two tiles of a list.
  __device__ void add(const Tile& read) const {
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at = read.docids.value[i] - begin_;
      if (at >= kWindowDocuments) continue;
      memory_.scores[at] = codecs::rounded_add(memory_.scores[at], read.scores[i]);
    }
  }

  /// Raises the threshold by the scores of the window, writes out those that reach it, and clears
  /// them.
  __device__ void collect() {
    if (part_.filter.words != nullptr) drop_filtered();
    if (query_.below != kNoBound) drop_earlier_pages();
    const float least = threshold_.read();
    bool some = false;
    for_each_four([&](const float4& four, std::uint32_t) {
      if (!wanted(largest_of(four), least)) return;
      some = true;
      for (const float score : {four.x, four.y, four.z, four.w}) {
        if (wanted(score, least)) atomicAdd(memory_.histogram + threshold_.bin_of(score), 1u);
      }
    });
    if (__syncthreads_or(some ? 1 : 0) != 0) {
      add_histogram();
      __syncthreads();
      if (warp() == 0) threshold_.raise();
      __syncthreads();
      write_finalists(threshold_.read());
    }
    for_each_four([](float4& four, std::uint32_t) { four = make_float4(0, 0, 0, 0); });
  }

  /// Sets the scores of documents that do not pass the filter to 0.
  __device__ void drop_filtered() const {
    for_each_four([&](float4& four, std::uint32_t docid) {
      if (docid >= segment_.index.documents) return;
      const std::uint64_t word = __ldg(part_.filter.words + docid / kRange);
      const auto bits = static_cast<std::uint32_t>(word >> docid % kRange);
      if ((bits & 1) == 0) four.x = 0;
      if ((bits & 2) == 0) four.y = 0;
      if ((bits & 4) == 0) four.z = 0;
      if ((bits & 8) == 0) four.w = 0;
    });
  }

  /// Sets the scores of documents that earlier pages have to 0.
  __device__ void drop_earlier_pages() const {
    for_each_four([&](float4& four, std::uint32_t docid) {
      std::uint32_t next = segment_.docid_base + docid;
      for (float* const score : {&four.x, &four.y, &four.z, &four.w}) {
        if (rank_key(__float_as_uint(*score), next++) >= query_.below) *score = 0;
      }
    });
  }

  __device__ static bool wanted(float score, float least) { return score > 0 && score >= least; }
  __device__ static float largest_of(const float4& four) {
    return fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w));
  }

  /// Calls f(four scores, the first one's docid) for the whole window, in all lanes of a warp at
  /// the same time. A thread gets the same scores in every call of this function.
  template <class F>
  __device__ void for_each_four(F f) const {
    for (std::uint32_t i = threadIdx.x; i < kWindowDocuments / 4; i += kWindowThreads) {
      f(reinterpret_cast<float4*>(memory_.scores)[i], begin_ + 4 * i);
    }
  }

  __device__ void write_finalists(float least) {
    for_each_four([&](const float4& four, std::uint32_t docid) {
      if (!__any_sync(kAll, wanted(largest_of(four), least))) return;
      add_finalist(four.x, least, docid);
      add_finalist(four.y, least, docid + 1);
      add_finalist(four.z, least, docid + 2);
      add_finalist(four.w, least, docid + 3);
    });
  }

  __device__ void add_histogram() const {
    for (std::uint32_t i = threadIdx.x; i < kScoreBins; i += kWindowThreads) {
      const std::uint32_t count = memory_.histogram[i];
      if (count == 0) continue;
      memory_.histogram[i] = 0;
      threshold_.add(i, count);
    }
  }

  __device__ void add_finalist(float score, float least, std::uint32_t docid) {
    const std::uint32_t all = __ballot_sync(kAll, wanted(score, least));
    if (all == 0) return;
    std::uint32_t position = 0;
    if (WarpLanes::id() == 0) {
      position = atomicAdd(view_.finalist_counts + number_, codecs::popcount(all));
    }
    const std::uint32_t before = all & ((1u << WarpLanes::id()) - 1);
    position = __shfl_sync(kAll, position, 0) + codecs::popcount(before);
    documents_ += codecs::popcount(all);
    if (!wanted(score, least) || position >= query_.capacity) return;
    view_.finalists[query_.first_finalist + position] =
        rank_key(__float_as_uint(score), segment_.docid_base + docid);
  }

  __device__ void count() const {
    if (WarpLanes::id() != 0) return;
    atomicAdd(&view_.counters->tiles, static_cast<unsigned long long>(tiles_));
    atomicAdd(&view_.counters->documents, static_cast<unsigned long long>(documents_));
  }

  const PrunedView& view_;
  const SegmentView& segment_;
  WindowMemory& memory_;
  const std::uint32_t number_;
  const PrunedQuery& query_;
  const PrunedPart& part_;
  const PrunedTerm* const terms_;
  const Threshold threshold_;
  std::uint32_t begin_ = 0;
  std::uint32_t tiles_ = 0;
  std::uint32_t documents_ = 0;
};

/// Thread block (q, p) searches the p-th share of the windows of query q.
template <class Tiles, class Scorers>
__global__ void __launch_bounds__(kWindowThreads, 2)
    windows_kernel(const __grid_constant__ PrunedView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto& memory = *reinterpret_cast<WindowMemory*>(shared);
  const auto begin_of = [&](std::uint32_t part) {
    return static_cast<std::uint32_t>(std::uint64_t{view.windows} * part / gridDim.y);
  };
  const std::uint32_t end = begin_of(blockIdx.y + 1);
  for (std::uint32_t first = begin_of(blockIdx.y); first < end;) {
    const std::uint32_t segment = segment_of_window(view, first);
    const std::uint32_t base = view.segments[segment].first_window;
    const std::uint32_t stop =
        segment + 1 < view.segment_count ? min(end, view.segments[segment + 1].first_window) : end;
    WindowSearch<Tiles, Scorers>(view, memory, blockIdx.x, segment).run(first - base, stop - base);
    __syncthreads();
    first = stop;
  }
}

}  // namespace gannet::query::cuda
