// Running one item: a warp walks through the documents of its range in windows, adds up the
// contributions of the query's lists in shared memory, term after term, and collects the documents
// that match.
//
// A window is at most BatchView::window documents. It starts at the next document that any list can
// have (that the driver has, if there is one), so gaps without postings cost nothing. Terms
// are taken in the plan's order and a list has a document once, so every score is the same sum of
// the same roundings as on the CPU.
#pragma once

#include "query/gpu/device/kernels/candidates.cuh"
#include "query/gpu/device/kernels/list_reader.cuh"
#include "query/gpu/device/kernels/match.cuh"
#include "query/gpu/plan/tuning.hpp"
#include "query/results/hits.hpp"

namespace gannet::query::cuda {

struct Window {
  std::uint32_t begin;
  std::uint32_t end;
};

template <class Codecs, class Scorers, bool kMarked>
class ItemRunner {
 public:
  __device__ ItemRunner(const BatchView& batch, const WarpMemory& memory, std::uint32_t warp,
                        std::uint32_t number)
      : batch_(batch),
        memory_(memory),
        item_(batch.items[number]),
        query_(batch.queries[item_.query]),
        terms_(batch.terms + query_.first_term),
        candidates_(batch, warp, item_.query, query_) {}

  __device__ void run() {
    start_lists();
    Window window{item_.begin, item_.begin};
    while (find_window(window)) {
      candidates_.refresh();
      if (!may_matter(window)) continue;
      candidates_.make_room(batch_.window, reinterpret_cast<std::uint32_t*>(memory_.scores));
      for (std::uint32_t t = 0; t < query_.terms; ++t) add_list(t, window);
      collect(window);
    }
    finish();
  }

 private:
  using Reader = ListReader<Codecs, Scorers>;

  __device__ static std::uint32_t lane() { return WarpLanes::id(); }

  /// Puts every cursor on the first tile that reaches into the item's range.
  __device__ void start_lists() {
    for (std::uint32_t t = lane(); t < query_.terms; t += kLanes) {
      memory_.cursors[t] = {0, batch_.index.skips[terms_[t].first_tile], 0, 0};
    }
    __syncwarp();
    for (std::uint32_t t = 0; t < query_.terms && item_.begin > 0; ++t) {
      Reader list(batch_.index, terms_[t], memory_.cursors + t);
      list.seek(item_.begin);
      list.save();
    }
  }

  /// The next window at or after window.end; false if there is none.
  __device__ bool find_window(Window& window) {
    const std::uint32_t from = window.end;
    if (from >= item_.end) return false;
    if (query_.driver != kNone) return find_driven_window(from, window);
    std::uint32_t begin = from;
    if (!query_.visits_all) {
      std::uint32_t next = kNoDocument;
      for (std::uint32_t t = lane(); t < query_.terms; t += kLanes) {
        next = min(next, memory_.cursors[t].next);
      }
      begin = max(from, WarpLanes::least(next));
    }
    if (begin >= item_.end) return false;
    window = {begin, begin + min(batch_.window, item_.end - begin)};
    return true;
  }

  /// With a driver: a window around documents that the driver has and that no required list rules
  /// out, no longer than the driver's current tile.
  __device__ bool find_driven_window(std::uint32_t from, Window& window) {
    Reader driver(batch_.index, terms_[query_.driver], memory_.cursors + query_.driver);
    bool found = false;
    uint4 docids;
    while (from < item_.end && driver.seek(from)) {
      read_driver(driver, docids);
      const std::uint32_t document = least_from(docids, from);
      if (document >= item_.end) break;
      from = after_required(document);
      if (from == document) {
        const std::uint32_t end = document + min(batch_.window, item_.end - document);
        window = {document, greatest_before(docids, end) + 1};
        found = true;
        break;
      }
    }
    driver.save();
    return found;
  }

  /// The driver's current tile, decoded and cached.
  __device__ void read_driver(Reader& driver, uint4& docids) {
    float4 ignored;
    driver.read(memory_.cache, 0, 0, docids, ignored, decoded_);
  }

  __device__ static std::uint32_t least_from(const uint4& docids, std::uint32_t from) {
    std::uint32_t least = kNoDocument;
    for (const std::uint32_t docid : {docids.x, docids.y, docids.z, docids.w}) {
      if (docid >= from) least = min(least, docid);
    }
    return WarpLanes::least(least);
  }

  __device__ static std::uint32_t greatest_before(const uint4& docids, std::uint32_t end) {
    std::uint32_t greatest = 0;
    for (const std::uint32_t docid : {docids.x, docids.y, docids.z, docids.w}) {
      if (docid < end) greatest = max(greatest, docid);
    }
    return WarpLanes::greatest(greatest);
  }

  /// The first document at or after `document` that every required list may have.
  __device__ std::uint32_t after_required(std::uint32_t document) {
    for (std::uint32_t t = 0; t < query_.terms; ++t) {
      if (!terms_[t].required || t == query_.driver) continue;
      Reader list(batch_.index, terms_[t], memory_.cursors + t);
      const bool left = list.seek(document);
      list.save();
      if (!left) return kNoDocument;
      document = max(document, list.next_document());
    }
    return document;
  }

  /// Whether a document of the window can still be among the k best. Where the bounds keep failing
  /// to rule windows out they are evaluated less and less often.
  __device__ bool may_matter(Window window) {
    if (candidates_.least_score() == 0) return true;
    if (windows_until_bound_check_ > 0) {
      --windows_until_bound_check_;
      return true;
    }
    const bool matters = candidates_.admits(rank_key(__float_as_uint(bound(window)), window.begin));
    bound_check_interval_ =
        matters ? min(2 * bound_check_interval_ + 1, tuning::kMaxBoundCheckInterval) : 0;
    windows_until_bound_check_ = bound_check_interval_;
    return matters;
  }

  /// The lists' bounds in the window, added up as scores are.
  __device__ float bound(Window window) {
    float sum = 0;
    for (std::uint32_t t = 0; t < query_.terms; ++t) {
      if (memory_.cursors[t].next >= window.end) continue;
      Reader list(batch_.index, terms_[t], memory_.cursors + t);
      if (list.seek(window.begin)) {
        sum = codecs::rounded_add(sum, list.bound(window.end));
      }
      list.save();
    }
    return sum;
  }

  /// Adds the contributions that list t has in the window.
  __device__ void add_list(std::uint32_t t, Window window) {
    if (memory_.cursors[t].next >= window.end) return;
    Reader list(batch_.index, terms_[t], memory_.cursors + t);
    list.seek(window.begin);
    while (!list.exhausted() && list.next_document() < window.end) {
      uint4 docids;
      float4 contributions;
      list.read(memory_.cache, window.begin, window.end, docids, contributions, decoded_);
      add_tile(t, window, docids, contributions);
      __syncwarp();
      if (list.tile_last() >= window.end) {
        list.set_next(docids, window.end);
        break;
      }
      list.advance();
    }
    list.save();
  }

  /// A lane's four documents are distinct, so its four sums are independent: all are read before
  /// any is written.
  __device__ void add_tile(std::uint32_t t, Window window, const uint4& docids,
                           const float4& contributions) {
    const std::uint32_t size = window.end - window.begin;
    const std::uint32_t slots[4] = {docids.x - window.begin, docids.y - window.begin,
                                    docids.z - window.begin, docids.w - window.begin};
    const float more[4] = {contributions.x, contributions.y, contributions.z, contributions.w};
    add_all(memory_.scores, slots, size,
            [&](int i, float old) { return codecs::rounded_add(old, more[i]); });
    if constexpr (kMarked) {
      const std::uint32_t mark = query_.match == Match::kExpression ? 1u << t : 1;
      add_all(memory_.marks, slots, size, [&](int, std::uint32_t old) { return old + mark; });
    }
  }

  template <class T, class F>
  __device__ static void add_all(T* window, const std::uint32_t (&slots)[4], std::uint32_t size,
                                 F f) {
    T sums[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) sums[i] = slots[i] < size ? window[slots[i]] : T{};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (slots[i] < size) window[slots[i]] = f(i, sums[i]);
    }
  }

  /// Takes the window's matching documents and clears it.
  __device__ void collect(Window window) {
    const std::uint32_t size = window.end - window.begin;
    for (std::uint32_t first = 0; first < size; first += 4 * kLanes) {
      const std::uint32_t slot = first + 4 * lane();
      float4 scores = make_float4(0, 0, 0, 0);
      uint4 marks = make_uint4(0, 0, 0, 0);
      read_and_clear(scores, reinterpret_cast<float4*>(memory_.scores + slot));
      if constexpr (kMarked) read_and_clear(marks, reinterpret_cast<uint4*>(memory_.marks + slot));
      if (!may_have_candidates(scores, marks)) continue;
      const std::uint64_t keys[4] = {
          key_of(window, slot, scores.x, marks.x), key_of(window, slot + 1, scores.y, marks.y),
          key_of(window, slot + 2, scores.z, marks.z), key_of(window, slot + 3, scores.w, marks.w)};
      candidates_.append(keys);
    }
    __syncwarp();
  }

  template <class T>
  __device__ static void read_and_clear(T& value, T* from) {
    value = *from;
    *from = T{};
  }

  /// Whether any of the warp's 128 documents can be a candidate: the quick test that nearly all
  /// fail.
  __device__ bool may_have_candidates(const float4& scores, const uint4& marks) const {
    const float best = fmaxf(fmaxf(scores.x, scores.y), fmaxf(scores.z, scores.w));
    const bool touched =
        kMarked ? (marks.x | marks.y | marks.z | marks.w) != 0 || query_.visits_all : best > 0;
    return __any_sync(WarpLanes::kAll, touched && best >= candidates_.least_score());
  }

  __device__ std::uint64_t key_of(Window window, std::uint32_t slot, float score,
                                  std::uint32_t marks) const {
    const std::uint32_t docid = window.begin + slot;
    const std::uint64_t key = rank_key(__float_as_uint(score), docid);
    if (!candidates_.admits(key) || key >= query_.below) return 0;
    const bool match = kMarked ? matches(window, slot, marks) : score > 0;
    return match ? key : 0;
  }

  __device__ bool matches(Window window, std::uint32_t slot, std::uint32_t marks) const {
    return slot < window.end - window.begin && has_match(query_, batch_.nodes, marks);
  }

  __device__ void finish() {
    candidates_.finish(batch_.finalists + query_.first_finalist,
                       batch_.finalist_counts + item_.query,
                       reinterpret_cast<std::uint32_t*>(memory_.scores));
    if (lane() != 0) return;
    atomicAdd(batch_.tiles_decoded, static_cast<unsigned long long>(decoded_));
  }

  const BatchView& batch_;
  const WarpMemory& memory_;
  const Item item_;
  const BatchQuery& query_;
  const BatchTerm* terms_;
  Candidates candidates_;
  std::uint32_t decoded_ = 0;
  /// Windows that are scored without evaluating their bounds, after these have failed.
  std::uint32_t bound_check_interval_ = 0;
  std::uint32_t windows_until_bound_check_ = 0;
};

}  // namespace gannet::query::cuda
