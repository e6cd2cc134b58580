// What a batch of plans gives back.
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
#include "query/results/host_plans.hpp"
#include "query/results/uninitialized_allocator.hpp"

namespace gannet::query {

/// Docids and their scores side by side as a random access range of Hit. Without scores, a hit's
/// score is 0. (Written out: clang before 16 does not compile libstdc++'s views.)
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

/// What one plan of a batch gave: a view into Results.
struct ResultView {
  /// kCount and kDocids: documents that match; kTopK: hits.
  std::uint64_t count = 0;
  /// kTopK: best first; kDocids: ascending; kCount: none.
  std::span<const std::uint32_t> docids = {};
  /// As many as docids, or none if no plan of the batch wanted scores; 0 for docids without one.
  std::span<const float> scores = {};

  auto hits() const { return hits_of(docids, scores); }
};

/// Hits of many queries; resizing leaves new elements without a value.
template <class T>
using ResultArray = std::vector<T, UninitializedAllocator<T>>;

template <class T>
bool operator==(const ResultArray<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// What one query gave, by itself. The members are as in ResultView.
struct Result {
  std::uint64_t count = 0;
  ResultArray<std::uint32_t> docids = {};
  ResultArray<float> scores = {};

  auto hits() const& { return hits_of(docids, scores); }
  void hits() const&& = delete;  // the range would outlive what it refers to
};

/// What a batch gave, in flat arrays: plan i has the docids [offsets[i], offsets[i + 1]).
struct Results {
  /// One per plan.
  std::vector<std::uint64_t> counts = {};
  /// One per plan, and the end.
  std::vector<std::uint64_t> offsets{0};
  ResultArray<std::uint32_t> docids = {};
  /// One per docid; empty if no plan wanted scores.
  ResultArray<float> scores = {};

  std::size_t size() const { return counts.size(); }
  bool empty() const { return counts.empty(); }

  /// The result of plan i; valid as long as this object is, unchanged.
  ResultView operator[](std::size_t i) const& {
    const std::size_t begin = offsets[i];
    const std::size_t length = offsets[i + 1] - begin;
    return {counts[i], std::span(docids).subspan(begin, length),
            scores.empty() ? std::span<const float>() : std::span(scores).subspan(begin, length)};
  }
  ResultView operator[](std::size_t i) const&& = delete;
};

/// What planning a batch took.
struct PlanReport {
  /// From the call to the plans.
  double seconds = 0;
  /// Of it, reading queries and breaking texts into terms; the rest looks terms up, gathers their
  /// statistics and weighs them. Threads work on both at the same time: the wall time is shared out
  /// as their time was spent.
  double analysis_seconds = 0;
};

/// What filters did in a batch, or in a part of it. All but `bytes` are of plans with a filter.
struct FilterCounters {
  /// Documents that filters were asked about: those of each segment that was searched, for each
  /// plan; of them, how many were estimated to pass, and how many pass.
  std::uint64_t documents = 0;
  std::uint64_t estimated = 0;
  std::uint64_t passing = 0;
  /// Searches of a plan in a segment, or a part of it, in which the documents that pass were looked
  /// up in the lists. In all others the filter is a mask: what it leaves out is skipped.
  std::uint64_t driven = 0;
  /// Filters and predicates of a segment that were new to the back end, and what it keeps of them.
  std::uint64_t made = 0;
  std::uint64_t bytes = 0;

  /// Adds what another part did, and takes its bytes, which are kept and not spent, as they are.
  void add(const FilterCounters& part) {
    documents += part.documents;
    estimated += part.estimated;
    passing += part.passing;
    driven += part.driven;
    made += part.made;
    bytes = part.bytes;
  }
};

/// What a batch did for want of device memory, about: of calls at the same time, one may have what
/// another did.
struct MemoryCounters {
  /// Times that there was no room, whatever was given back.
  std::uint64_t failures = 0;
  /// Times that a batch, or a part of one, was cut in two because there was no room for it.
  std::uint64_t splits = 0;
  /// Bytes that caches of filters, columns and bounds, and idle buffers, gave back.
  std::uint64_t given_back = 0;

  void add(const MemoryCounters& part) {
    failures += part.failures;
    splits += part.splits;
    given_back += part.given_back;
  }
};

/// What a batch did.
struct Report {
  /// "cpu" or "cuda".
  std::string backend = {};
  /// Why this back end was taken; what it left to the CPU, and why.
  std::string reason = {};
  /// Adds what host_plans says to the reason.
  void add_host_plans_to_reason() {
    const std::string text = host_plans.text();
    if (!text.empty()) reason += (reason.empty() ? "" : "; ") + text;
  }
  std::uint64_t queries = 0;
  /// Postings in the lists of the batch's terms, in all segments.
  std::uint64_t postings = 0;
  /// Tiles of 128 postings in the lists of the batch's terms.
  std::uint64_t tiles_total = 0;
  /// Tiles that were decoded; one that was decoded again counts again.
  std::uint64_t tiles_decoded = 0;
  /// What the pruned searches did, for all plans that they ran: ranges of 64 documents that there
  /// are, those whose lists were looked at, and documents whose scores were computed. 0 ranges: no
  /// plan was run by one.
  std::uint64_t ranges_total = 0;
  std::uint64_t ranges_searched = 0;
  std::uint64_t documents_scored = 0;
  /// What the back end keeps as bounds of lists, and the time that it took in this call to make
  /// those that were missing (cuda: with the wait for the device).
  std::uint64_t bounds_bytes = 0;
  double bounds_seconds = 0;
  FilterCounters filter = {};
  /// From the call to the results in host memory.
  double seconds = 0;
  /// Of it, between the first and the last kernel (cuda).
  double device_seconds = 0;
  /// Of that, copies to the device and, of results too large to be written to host memory by the
  /// kernels, back (cuda, pruned searches of 256 queries or more).
  double transfer_seconds = 0;
  /// Bytes of lists that kernels read from the host's memory, about: of an index that is larger
  /// than its share of the device's (cuda).
  std::uint64_t host_bytes_read = 0;
  /// Plans that the GPU's back end left to the CPU, by reason; of shards, each shard's plans
  /// (cuda).
  HostPlans host_plans = {};
  MemoryCounters memory = {};

  /// Adds what a part of the batch did on the device: the work that searches count.
  void add_part(const Report& part) {
    tiles_decoded += part.tiles_decoded;
    ranges_total += part.ranges_total;
    ranges_searched += part.ranges_searched;
    documents_scored += part.documents_scored;
    bounds_seconds += part.bounds_seconds;
    device_seconds += part.device_seconds;
    transfer_seconds += part.transfer_seconds;
  }

  /// Adds a later batch of the same back end.
  void add(const Report& batch) {
    backend = batch.backend;
    reason = batch.reason;
    queries += batch.queries;
    postings += batch.postings;
    tiles_total += batch.tiles_total;
    add_part(batch);
    bounds_bytes = batch.bounds_bytes;
    filter.add(batch.filter);
    seconds += batch.seconds;
    host_bytes_read += batch.host_bytes_read;
    host_plans.add(batch.host_plans);
    memory.add(batch.memory);
  }
};

}  // namespace gannet::query
