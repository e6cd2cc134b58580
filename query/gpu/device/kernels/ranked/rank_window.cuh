// The k best documents of ranked plans of any shape: a thread block takes a query in some windows
// of documents that follow one another.
//
// In each window it first sees which tiles of lists there are, and leaves the window out if the
// bounds of these tiles do not reach the threshold. Then the steps of matching/match_window.cuh
// leave bits of the documents that match, or may match. Warps decode the tiles that may have such
// documents, of several lists at the same time, and contributions are added up in shared memory,
// list by list in the plan's order. So every score is the same sum of the same roundings as on the
// CPU, whatever was left out.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "query/gpu/device/kernels/matching/match_window.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/device/kernels/ranked/block_top.cuh"
#include "query/gpu/device/kernels/ranked/scored_list.cuh"
#include "query/gpu/device/kernels/tile_tasks.cuh"
#include "query/gpu/plan/ranked/tables.hpp"
#include "query/gpu/plan/ranked/tuning.hpp"
#include "query/results/hits.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kRankThreads = tuning::kRankThreads;
inline constexpr std::uint32_t kRankWarps = kRankThreads / kLanes;

/// Shared memory of a thread block, besides rank_bytes().
struct RankMemory {
  MatchMemory<kRankThreads> match;
  TopMemory top;
  /// What warps have found out of a window. Those of two windows, so that one barrier is enough.
  struct Found {
    std::uint64_t threshold;
    std::uint32_t tasks[kRankWarps];
    float bounds[kRankWarps];
  };
  Found found[2];
  // Of some lists together:
  std::uint32_t first_tasks[tuning::kRankLists + 1];  ///< of each list; behind them their number
  std::uint32_t tiles[tuning::kRankLists];            ///< the first one of each list
  std::uint32_t item;
};

static_assert(sizeof(RankMemory) <= tuning::kRankFixedBytes);

/// `Tiles`: how tiles are read; `Codecs`: those that the index may have; `Scores`: TermListScores
/// or WordListScores.
template <class Tiles, class Codecs, class Scores>
class RankSearch {
 public:
  /// `shared`: rank_bytes(), whose scores are empty.
  __device__ RankSearch(const RankView& view, RankMemory& memory, unsigned char* shared,
                        const RankItem& item)
      : view_(view),
        memory_(memory),
        item_(item),
        number_(item.query),
        query_(view.queries[item.query]),
        lists_(view.lists + query_.first_list),
        cursors_(view.cursors + std::size_t{blockIdx.x} * view.most_lists),
        documents_(view.match.words * 64),
        scores_(reinterpret_cast<float*>(shared)),
        rows_(reinterpret_cast<std::uint32_t*>(scores_ + documents_ * kArrays)),
        top_(view.candidates + std::size_t{blockIdx.x} * view.capacity, view.capacity,
             view.thresholds + item.query, query_.k, memory.top) {}

  /// Empties the scores.
  __device__ static void clear(const RankView& view, unsigned char* shared) {
    const std::uint32_t documents = view.match.words * 64;
    auto* const words = reinterpret_cast<std::uint32_t*>(shared);
    for (std::uint32_t i = threadIdx.x; i < documents; i += kRankThreads) {
      words[i] = kNoScore;
      if constexpr (kWords) words[documents + i] = kNoScore;
    }
  }

  __device__ void run() {
    if (threadIdx.x == 0) memory_.match.decoded = 0;
    start_lists();
    for (std::uint32_t window = item_.begin; window < item_.end; ++window) search(window);
    top_.finish(view_.finalists + query_.first_finalist, view_.finalist_counts + number_);
    if (lane() == 0 && decoded_ > 0) count(decoded_);
    if (threadIdx.x == 0 && memory_.match.decoded > 0) count(memory_.match.decoded);
  }

 private:
  static constexpr bool kWords = Scores::kWords;
  /// Of floats: scores; with words what a document gets for the current word in one text, and the
  /// sum of its frequencies.
  static constexpr std::uint32_t kArrays = kWords ? 3 : 1;
  /// Tiles that a warp decodes at the same time.
  static constexpr std::uint32_t kAtOnce = kWords ? 1 : 2;
  static constexpr std::uint32_t kAll = WarpLanes::kAll;
  /// Scores start at -0: adding to it gives what adding to 0 gives, and it marks a document that
  /// has no score.
  static constexpr std::uint32_t kNoScore = 0x80000000;
  /// Instead of what a document gets in one text: it has the word in several. No score is negative.
  static constexpr std::uint32_t kTogether = 0xffffffff;

  /// A decoded tile, four postings per lane.
  struct Tile {
    std::uint32_t list = kNone;
    Quad docids;
    float scores[4];
    float frequencies[kWords ? 4 : 1];  ///< WordInText::frequency()
  };

  __device__ static std::uint32_t lane() { return WarpLanes::id(); }
  __device__ static std::uint32_t warp() { return threadIdx.x / kLanes; }
  __device__ const std::uint32_t* row(std::uint32_t number) const {
    return rows_ + number * (documents_ / 32);
  }
  /// Of the current word: bits of what a document gets in one text, kNoScore or kTogether.
  __device__ std::uint32_t* alone() const {
    return reinterpret_cast<std::uint32_t*>(scores_ + documents_);
  }
  __device__ float* sums() const { return scores_ + 2 * documents_; }
  __device__ void count(std::uint32_t tiles) const {
    atomicAdd(view_.match.tiles_decoded, static_cast<unsigned long long>(tiles));
  }

  /// Puts every cursor on the first tile that reaches into the item's windows.
  __device__ void start_lists() {
    const std::uint32_t begin = item_.begin * documents_;
    for (std::uint32_t l = warp(); l < query_.lists; l += kRankWarps) {
      const RankList& list = lists_[l];
      const std::uint32_t tile =
          begin == 0 ? 0 : first_tile_from(list.skips, codecs::tile_count(list.count), begin);
      if (lane() == 0) cursors_[l] = {tile, 0, 0, begin};
    }
    __syncthreads();
  }

  __device__ void search(std::uint32_t window) {
    begin_ = window * documents_;
    size_ = min(documents_, view_.match.index.documents - begin_);
    top_.make_room(size_);
    if (!may_matter(window)) return;
    // A window has fewer words than the block has threads.
    MatchWindow<Codecs, kRankThreads, 1> matching(view_.match, memory_.match, rows_, number_,
                                                  window);
    if (!matching.run_steps()) return;
    add_lists();
    collect();
  }

  /// Finds the tiles of the window. Whether documents of it may be among the k best.
  __device__ bool may_matter(std::uint32_t window) {
    RankMemory::Found& found = memory_.found[window % 2];
    const bool bounded = view_.use_bounds != 0 && until_bounds_ == 0;
    std::uint32_t tasks = 0;
    float bound = 0;
    for (std::uint32_t l = warp(); l < query_.lists; l += kRankWarps) {
      const RankCursor cursor = advance(l);
      tasks += cursor.tasks;
      if (bounded && cursor.tasks > 0) bound += bound_of(lists_[l], cursor);
    }
    if (lane() == 0) {
      found.tasks[warp()] = tasks;
      found.bounds[warp()] = bound;
    }
    if (threadIdx.x == 0) found.threshold = top_.reached();
    __syncthreads();
    tasks = 0;
    bound = 0;
    for (std::uint32_t w = 0; w < kRankWarps; ++w) {
      tasks += found.tasks[w];
      bound += found.bounds[w];
    }
    top_.raise(found.threshold);
    tasks_ = tasks;
    if (tasks == 0 && query_.row == kNone) return false;
    if (view_.use_bounds == 0 || !(bounded || tasks == 0)) {
      if (until_bounds_ > 0) --until_bounds_;
      return true;
    }
    // More than what the order of additions changes.
    const float margin = 1.0f + static_cast<float>(query_.lists) * 0x1p-22f;
    const bool matters = top_.admits(rank_key(__float_as_uint(bound * margin), begin_));
    if (tasks > 0) {
      interval_ = matters ? min(2 * interval_ + 1, tuning::kMaxRankBoundInterval) : 0;
      until_bounds_ = interval_;
    }
    return matters;
  }

  /// Moves a list's cursor to the window. Called by a converged warp.
  __device__ RankCursor advance(std::uint32_t l) {
    const RankList& list = lists_[l];
    const std::uint32_t tiles = codecs::tile_count(list.count);
    RankCursor cursor = cursors_[l];
    cursor.tile += cursor.inside;
    cursor.inside = cursor.tasks = 0;
    if (cursor.next < begin_ + size_ && cursor.tile < tiles) {
      cursor.inside = tiles_before(list.skips, cursor.tile, tiles, begin_ + size_);
      cursor.tasks = min(cursor.inside + 1, tiles - cursor.tile);
    }
    __syncwarp();
    if (lane() == 0) cursors_[l] = cursor;
    return cursor;
  }

  /// No less than any contribution of the list in the window.
  __device__ static float bound_of(const RankList& list, const RankCursor& cursor) {
    constexpr std::uint32_t kAnyFrequency = 0xffffffff;
    if (list.max_freqs == nullptr) return Scores::bound(list, kAnyFrequency, 0);
    float bound = 0;
    for (std::uint32_t i = lane(); i < cursor.tasks; i += kLanes) {
      bound = fmaxf(bound, Scores::bound(list, __ldg(list.max_freqs + cursor.tile + i),
                                         __ldg(list.min_lengths + cursor.tile + i)));
    }
    return __uint_as_float(WarpLanes::greatest(__float_as_uint(bound)));
  }

  /// Adds the contributions of all lists, in their order.
  __device__ void add_lists() {
    if (tasks_ == 0) return;
    for (first_ = 0; first_ < query_.lists; first_ += tuning::kRankLists) {
      find_tasks(min(tuning::kRankLists, query_.lists - first_));
      for (std::uint32_t task = 0; task < tasks(); task += kAtOnce * kRankWarps) add_tiles(task);
    }
    if constexpr (kWords) finish_word();
  }

  __device__ std::uint32_t tasks() const { return memory_.first_tasks[found_lists_]; }

  /// Numbers the tiles of some lists, as if they were one.
  __device__ void find_tasks(std::uint32_t lists) {
    __syncthreads();  // the tasks before are done
    found_lists_ = lists;
    for (std::uint32_t l = threadIdx.x; l < lists; l += kRankThreads) {
      const RankCursor cursor = cursors_[first_ + l];
      memory_.first_tasks[l] = cursor.tasks;
      memory_.tiles[l] = cursor.tile;
    }
    __syncthreads();
    if (warp() == 0) number_tasks(memory_.first_tasks, lists);
    __syncthreads();
  }

  __device__ std::uint32_t list_of(std::uint32_t task) const {
    return list_of_task(memory_.first_tasks, found_lists_, task);
  }

  /// Decodes the tasks from `first` on, as many as the thread block takes at a time; then adds them
  /// up, list by list.
  __device__ void add_tiles(std::uint32_t first) {
    Tile read[kAtOnce];
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      const std::uint32_t task = first + i * kRankWarps + warp();
      if (task < tasks()) read_tile(task, read[i]);
    }
    const std::uint32_t last = min(first + kAtOnce * kRankWarps, tasks()) - 1;
    const std::uint32_t end = list_of(last) + 1;
    for (std::uint32_t l = list_of(first); l < end; ++l) {
      if (memory_.first_tasks[l] == memory_.first_tasks[l + 1]) continue;
      if constexpr (kWords) begin_list(first_ + l);
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce; ++i) {
        if (read[i].list == l) add(read[i]);
      }
      __syncthreads();
    }
  }

  /// Reads a tile, unless it has no document that may match.
  __device__ void read_tile(std::uint32_t task, Tile& read) {
    const std::uint32_t l = list_of(task);
    const RankList& list = lists_[first_ + l];
    const IndexView& index = view_.match.index;
    const std::uint32_t tile = memory_.tiles[l] + task - memory_.first_tasks[l];
    const std::uint32_t before = docid_before(list.skips, tile);
    const std::uint32_t* const may = query_.may_row == kNone ? nullptr : row(query_.may_row);
    if (may != nullptr && !has_near(may, begin_, size_, before + 1, __ldg(list.skips + tile))) {
      return;
    }
    read.list = l;
    Quad frequencies;
    const auto place = Tiles::find(index, list, tile);
    Tiles::read_docids(index, list, tile, before, place, read.docids);
    Tiles::read_frequencies(index, list, tile, frequencies);
    count_tile<Tiles>(index, list, place);
    ++decoded_;
    if (task + 1 == memory_.first_tasks[l + 1]) keep_next(first_ + l, read.docids);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t at = read.docids.value[i] - begin_;
      const bool wanted = at < size_ && (may == nullptr || (may[at / 32] >> at % 32 & 1) != 0);
      const std::uint32_t length = wanted ? __ldg(list.lengths + read.docids.value[i]) : 0;
      if (!wanted) read.docids.value[i] = kNoDocument;
      read.scores[i] = Scores::score(list, frequencies.value[i], length);
      if constexpr (kWords) {
        read.frequencies[i] = list.in_text.frequency(frequencies.value[i], length);
      }
    }
  }

  /// Keeps where the list goes on behind the window. `docids`: its last tile in the window.
  __device__ void keep_next(std::uint32_t l, const Quad& docids) const {
    std::uint32_t next = kNoDocument;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (docids.value[i] >= begin_ + size_) next = min(next, docids.value[i]);
    }
    next = WarpLanes::least(next);
    if (lane() == 0) cursors_[l].next = next;
  }

  /// Needs no atomic operation: no document is in two tiles of a list.
  __device__ void add(const Tile& read) const {
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (read.docids.value[i] == kNoDocument) continue;
      const std::uint32_t at = read.docids.value[i] - begin_;
      if constexpr (kWords) {
        if (together_) {
          add_to_word(at, read.scores[i], read.frequencies[i]);
          continue;
        }
      }
      scores_[at] = codecs::rounded_add(scores_[at], read.scores[i]);
    }
  }

  // Words over several texts. As WordSum has it, a document by itself gets the score of one text
  // where no other has the word.

  __device__ void add_to_word(std::uint32_t at, float score, float frequency) const {
    if (alone()[at] == kNoScore) {
      alone()[at] = __float_as_uint(score);
      sums()[at] = codecs::rounded_add(0, frequency);
    } else {
      alone()[at] = kTogether;
      sums()[at] = codecs::rounded_add(sums()[at], frequency);
    }
  }

  /// Called before a list is added.
  __device__ void begin_list(std::uint32_t l) {
    const RankList& list = lists_[l];
    if (word_ != kNone && word_ != list.word) finish_word();
    together_ = list.alone == 0;
    if (!together_) return;
    word_ = list.word;
    factor_ = list.constants.factor;
  }

  /// Adds the current word to scores.
  __device__ void finish_word() {
    if (word_ == kNone) return;
    for (std::uint32_t i = threadIdx.x; i < documents_; i += kRankThreads) {
      const std::uint32_t bits = alone()[i];
      if (bits == kNoScore) continue;
      const float score =
          bits == kTogether ? score_together(factor_, query_.k1, sums()[i]) : __uint_as_float(bits);
      scores_[i] = codecs::rounded_add(scores_[i], score);
      alone()[i] = kNoScore;
    }
    __syncthreads();
    word_ = kNone;
  }

  /// Takes the window's matching documents and empties the scores.
  __device__ void collect() {
    for (std::uint32_t i = threadIdx.x; i < documents_ / 4; i += kRankThreads) {
      auto& four = reinterpret_cast<float4*>(scores_)[i];
      const float scores[4] = {four.x, four.y, four.z, four.w};
      const float none = __uint_as_float(kNoScore);
      four = make_float4(none, none, none, none);
      if (!__any_sync(kAll, may_be_best(scores))) continue;
      std::uint64_t keys[4] = {};
      const std::uint32_t matches = 4 * i < size_ ? matches_of(4 * i, scores) : 0;
#pragma unroll
      for (std::uint32_t j = 0; j < 4; ++j) {
        if ((matches >> j & 1) != 0) keys[j] = key_of(scores[j], begin_ + 4 * i + j);
      }
      top_.append(keys);
    }
    __syncthreads();
  }

  /// The quick test that nearly all fail. As whole numbers, scores are ordered as they are, and
  /// documents without a score, whose score is 0, are negative.
  __device__ bool may_be_best(const float (&scores)[4]) const {
    std::int32_t best = 0;
    for (const float score : scores) best = max(best, __float_as_int(score));
    return best >= static_cast<std::int32_t>(top_.least_score());
  }

  /// Bit j: the document of slot `slot` + j matches.
  __device__ std::uint32_t matches_of(std::uint32_t slot, const float (&scores)[4]) const {
    std::uint32_t matches = query_.row == kNone ? 0 : bits_of(query_.row, slot);
    if (query_.by_score != 0) {
#pragma unroll
      for (std::uint32_t j = 0; j < 4; ++j) {
        matches |= (~__float_as_uint(scores[j]) >> 31) << j;
      }
    }
    return query_.may_row == kNone ? matches : matches & bits_of(query_.may_row, slot);
  }

  __device__ std::uint32_t bits_of(std::uint32_t number, std::uint32_t slot) const {
    return row(number)[slot / 32] >> slot % 32;
  }

  /// 0: the document is not wanted.
  __device__ std::uint64_t key_of(float score, std::uint32_t docid) const {
    const std::uint32_t bits = __float_as_uint(codecs::rounded_add(score, 0.0f));  // -0 becomes 0
    if (bits < top_.least_score()) return 0;
    const std::uint64_t key = rank_key(bits, docid);
    return top_.admits(key) && key < query_.below ? key : 0;
  }

  const RankView& view_;
  RankMemory& memory_;
  const RankItem item_;
  const std::uint32_t number_;
  const RankQuery& query_;
  const RankList* const lists_;
  RankCursor* const cursors_;
  const std::uint32_t documents_;  ///< of a window
  float* const scores_;
  std::uint32_t* const rows_;
  BlockTop<kRankThreads> top_;
  // The current window:
  std::uint32_t begin_ = 0;
  std::uint32_t size_ = 0;  ///< documents
  std::uint32_t tasks_ = 0;
  std::uint32_t first_ = 0;  ///< the first one of the lists whose tasks are numbered
  std::uint32_t found_lists_ = 0;
  // The current word, whose sums are not in scores yet:
  std::uint32_t word_ = kNone;
  float factor_ = 0;
  bool together_ = false;  ///< whether other lists have the word of the current one
  std::uint32_t decoded_ = 0;
  /// Windows that are searched without evaluating their bounds, after these have failed.
  std::uint32_t interval_ = 0;
  std::uint32_t until_bounds_ = 0;
};

/// Each thread block takes items from a queue until it is empty.
template <class Tiles, class Codecs, class Scores>
__global__ void __launch_bounds__(kRankThreads, tuning::kRankBlocksPerSm)
    rank_kernel(const __grid_constant__ RankView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ RankMemory memory;
  using Search = RankSearch<Tiles, Codecs, Scores>;
  for (std::uint32_t i = threadIdx.x; i < kDigits; i += kRankThreads) {
    memory.top.select.histogram[i] = 0;
  }
  Search::clear(view, shared);
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) memory.item = atomicAdd(view.next, 1u);
    __syncthreads();
    if (memory.item >= view.items_end) return;
    Search(view, memory, shared, view.items[memory.item]).run();
  }
}

}  // namespace gannet::query::cuda
