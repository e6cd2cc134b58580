// The results of a batch of plans, and reports on its run. All types are plain data: concurrent
// reads are safe, writes need synchronisation by the caller.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "query/results/hits.hpp"
#include "query/results/host_columns.hpp"
#include "query/results/host_plans.hpp"
#include "query/results/uninitialized_allocator.hpp"

namespace gannet::query {

/// Docids and their scores as a random access range of Hit. `scores` has one score per docid, or is
/// empty; then the score of each hit is 0. Refers to both arrays. (Not a library view: clang before
/// 16 does not compile libstdc++'s views.)
class HitRange {
 public:
  class iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Hit;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Hit;

    iterator() = default;
    iterator(const std::uint32_t* docid, const float* score) : docid_(docid), score_(score) {}

    Hit operator*() const { return (*this)[0]; }
    Hit operator[](difference_type n) const {
      return Hit{docid_[n], score_ == nullptr ? 0.0f : score_[n]};
    }
    iterator& operator+=(difference_type n) {
      docid_ += n;
      if (score_ != nullptr) score_ += n;
      return *this;
    }
    iterator& operator-=(difference_type n) { return *this += -n; }
    iterator& operator++() { return *this += 1; }
    iterator& operator--() { return *this -= 1; }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    iterator operator--(int) {
      const iterator before = *this;
      --*this;
      return before;
    }
    friend iterator operator+(iterator at, difference_type n) { return at += n; }
    friend iterator operator+(difference_type n, iterator at) { return at += n; }
    friend iterator operator-(iterator at, difference_type n) { return at -= n; }
    friend difference_type operator-(const iterator& a, const iterator& b) {
      return a.docid_ - b.docid_;
    }
    bool operator==(const iterator& other) const { return docid_ == other.docid_; }
    auto operator<=>(const iterator& other) const { return docid_ <=> other.docid_; }

   private:
    const std::uint32_t* docid_ = nullptr;
    const float* score_ = nullptr;
  };
  using const_iterator = iterator;
  using value_type = Hit;

  HitRange(std::span<const std::uint32_t> docids, std::span<const float> scores)
      : docids_(docids), scores_(scores) {}

  iterator begin() const { return {docids_.data(), scores_.empty() ? nullptr : scores_.data()}; }
  iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  std::size_t size() const { return docids_.size(); }
  bool empty() const { return docids_.empty(); }
  Hit operator[](std::size_t i) const { return begin()[static_cast<std::ptrdiff_t>(i)]; }
  Hit front() const { return (*this)[0]; }
  Hit back() const { return (*this)[size() - 1]; }

 private:
  std::span<const std::uint32_t> docids_;
  std::span<const float> scores_;
};

inline HitRange hits_of(std::span<const std::uint32_t> docids, std::span<const float> scores) {
  return {docids, scores};
}

/// The result of one plan of a batch: a view into Results.
struct ResultView {
  /// Want::kCount and kDocids: the number of matching documents; kTopK: the number of hits.
  std::uint64_t count = 0;
  /// kTopK: best first; kDocids: ascending; kCount: none.
  std::span<const std::uint32_t> docids = {};
  /// One per docid; empty if no plan of the batch wanted scores. If another plan wanted scores but
  /// this plan did not, its scores are 0.
  std::span<const float> scores = {};

  auto hits() const { return hits_of(docids, scores); }
};

/// An array for the hits of many queries. Elements that resize() adds are uninitialised.
template <class T>
using ResultArray = std::vector<T, UninitializedAllocator<T>>;

template <class T>
bool operator==(const ResultArray<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The result of one query, in its own arrays. The members are as in ResultView.
struct Result {
  std::uint64_t count = 0;
  ResultArray<std::uint32_t> docids = {};
  ResultArray<float> scores = {};

  auto hits() const& { return hits_of(docids, scores); }
  void hits() const&& = delete;  // the range would outlive what it refers to
};

/// The results of a batch in flat arrays: plan i has the docids [offsets[i], offsets[i + 1]).
struct Results {
  /// One per plan.
  std::vector<std::uint64_t> counts = {};
  /// One per plan, and docids.size() at the end.
  std::vector<std::uint64_t> offsets{0};
  ResultArray<std::uint32_t> docids = {};
  /// One per docid; empty if no plan wanted scores.
  ResultArray<float> scores = {};

  std::size_t size() const { return counts.size(); }
  bool empty() const { return counts.empty(); }

  /// The result of plan i < size(); valid until this object is changed or destroyed.
  ResultView operator[](std::size_t i) const& {
    const std::size_t begin = offsets[i];
    const std::size_t length = offsets[i + 1] - begin;
    return {counts[i], std::span(docids).subspan(begin, length),
            scores.empty() ? std::span<const float>() : std::span(scores).subspan(begin, length)};
  }
  ResultView operator[](std::size_t i) const&& = delete;
};

/// Times of planning a batch.
struct PlanReport {
  /// Wall time of the planning.
  double seconds = 0;
  /// The part of `seconds` for parsing queries and analysing their texts; the rest looks terms up,
  /// gathers their statistics and weighs them. Threads do both concurrently, so the wall time is
  /// divided in proportion to the threads' times.
  double analysis_seconds = 0;
};

/// Counters of the filters of a batch, or of a part of it. All but `made` and `bytes` are sums over
/// the plans that have a filter.
struct FilterCounters {
  /// Over the searched segments of each plan whose filter was evaluated for all documents: the
  /// documents of the segment, the estimated number of documents that pass the filter, and the
  /// number that pass.
  std::uint64_t documents = 0;
  std::uint64_t estimated = 0;
  std::uint64_t passing = 0;
  /// Searches of a plan in a segment (or in a range of its documents) that looked the passing
  /// documents up in the posting lists. All other searches use the filter as a mask.
  std::uint64_t driven = 0;
  /// Searches of a plan in a segment that evaluated the filter for the documents that they looked
  /// at, without a bitmap.
  std::uint64_t on_candidates = 0;
  /// On the GPU the bitmaps that the back end had to make, one per segment and filter; on the CPU
  /// the filters and predicates that it had to bind, one per segment, which have bitmaps unless
  /// they were evaluated on candidates alone. The bytes of the bitmaps that it keeps.
  std::uint64_t made = 0;
  std::uint64_t bytes = 0;

  /// Adds the counters of another part; `bytes` is what is kept, so it is replaced.
  void add(const FilterCounters& part) {
    documents += part.documents;
    estimated += part.estimated;
    passing += part.passing;
    driven += part.driven;
    on_candidates += part.on_candidates;
    made += part.made;
    bytes = part.bytes;
  }
};

/// What a batch did when device memory was short. The counters are approximate: concurrent calls
/// share the counters of the device.
struct MemoryCounters {
  /// Allocations that failed after caches and idle buffers had been freed.
  std::uint64_t failures = 0;
  /// Batches, or parts of a batch, that were cut in two because they did not fit.
  std::uint64_t splits = 0;
  /// Bytes that caches of filters, columns and bounds, and idle buffers, freed for others.
  std::uint64_t given_back = 0;

  void add(const MemoryCounters& part) {
    failures += part.failures;
    splits += part.splits;
    given_back += part.given_back;
  }
};

/// Counters and times of a batch.
struct Report {
  /// "cpu" or "cuda".
  std::string backend = {};
  /// Why this back end was chosen, and which plans it left to the CPU, with the reasons.
  std::string reason = {};
  /// Appends host_plans.text() to the reason.
  void add_host_plans_to_reason() {
    const std::string text = host_plans.text();
    if (!text.empty()) reason += (reason.empty() ? "" : "; ") + text;
  }
  /// Plans of the batch.
  std::uint64_t queries = 0;
  /// Postings in the lists of all terms of all plans, in all segments.
  std::uint64_t postings = 0;
  /// Tiles of 128 postings in these lists.
  std::uint64_t tiles_total = 0;
  /// Tiles that were decoded; a tile that was decoded twice counts twice.
  std::uint64_t tiles_decoded = 0;
  /// Sums over the plans that ran in a pruned search: all ranges of 64 documents, ranges whose
  /// lists were read, and documents whose scores were computed. `ranges_total` is 0 if no plan ran
  /// in a pruned search by bounds.
  std::uint64_t ranges_total = 0;
  std::uint64_t ranges_searched = 0;
  std::uint64_t documents_scored = 0;
  /// Bytes of the bounds of lists that the back end keeps, and seconds that this call took to make
  /// missing bounds (cuda: with the wait for the device).
  std::uint64_t bounds_bytes = 0;
  double bounds_seconds = 0;
  /// Bytes of the bitmaps of lists that the back end keeps, for counts and docids.
  std::uint64_t bitmap_bytes = 0;
  FilterCounters filter = {};
  /// Wall time from the call to the results in host memory.
  double seconds = 0;
  /// cuda: sum over the sub-batches of the time from the first to the last operation on the device.
  /// Sub-batches overlap in time, so the sum may exceed the wall time. Of several
  /// GPUs, the largest sum.
  double device_seconds = 0;
  /// cuda: the part of device_seconds for copies to the device, and for copies back of results that
  /// are too large for kernels to write to host memory. Measured for pruned sub-batches of 256
  /// queries or more; others count as 0.
  double transfer_seconds = 0;
  /// cuda: approximate bytes of lists that kernels read from host memory, because the index is
  /// larger than its share of device memory.
  std::uint64_t host_bytes_read = 0;
  /// cuda: plans that ran on the CPU, by reason. With shards on several GPUs, a plan counts once
  /// for each shard.
  HostPlans host_plans = {};
  /// cuda: plans whose matches the CPU looked at for results by columns, by reason; a plan counts
  /// once for each of its reasons, and with shards on several GPUs once for each shard.
  HostColumns host_columns = {};
  MemoryCounters memory = {};

  /// Adds the work and the times of a part of the batch on the device.
  void add_part(const Report& part) {
    tiles_decoded += part.tiles_decoded;
    ranges_total += part.ranges_total;
    ranges_searched += part.ranges_searched;
    documents_scored += part.documents_scored;
    bounds_seconds += part.bounds_seconds;
    device_seconds += part.device_seconds;
    transfer_seconds += part.transfer_seconds;
  }

  /// Adds the report of a later batch of this back end. Backend, reason and the bytes that are kept
  /// become those of `batch`; all else is summed.
  void add(const Report& batch) {
    backend = batch.backend;
    reason = batch.reason;
    queries += batch.queries;
    postings += batch.postings;
    tiles_total += batch.tiles_total;
    add_part(batch);
    bounds_bytes = batch.bounds_bytes;
    bitmap_bytes = batch.bitmap_bytes;
    filter.add(batch.filter);
    seconds += batch.seconds;
    host_bytes_read += batch.host_bytes_read;
    host_plans.add(batch.host_plans);
    host_columns.add(batch.host_columns);
    memory.add(batch.memory);
  }
};

}  // namespace gannet::query
