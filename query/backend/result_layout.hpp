// The way of results into flat arrays, while others are still being found.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "query/backend/partial_result.hpp"

namespace gannet::query {

/// What one part of an index gave, by plan.
struct FoundPart {
  std::span<PartialResult> results;
  std::uint32_t docid_base = 0;  ///< of its first document in the whole
};

/// Lays the results of a batch out in flat arrays, in parallel on the calling thread's TBB arena:
/// what was laid out is clear() in the parts then. What several parts gave of a plan is merged as
/// it is laid out, for another list of all hits would cost as much again.
class ResultLayout {
 public:
  /// `parts`: in the order of their documents. Keeps views of both.
  ResultLayout(std::span<const Plan> plans, std::vector<FoundPart> parts, std::stop_token stop);

  /// A part has all of what it will give of these plans; said once for each plan and part, or not
  /// at all. Lays out what now has its place. Thread-safe. Throws CancelledError if a stop was
  /// requested; nothing else may be called then.
  void found(std::size_t part, std::span<const std::size_t> plans);

  /// Lays out what is left, when all parts have all. Throws CancelledError if a stop was requested
  /// and something was left.
  Results finish();

 private:
  /// What is known of a plan that wants the top k, while others are still being found.
  struct State {
    std::atomic<std::uint32_t> parts = 0;  ///< that have all of theirs
    std::atomic<std::uint32_t> k = 0;      ///< set then
    std::atomic<std::uint64_t> hits = 0;   ///< of these parts
  };
  struct Stretch {
    std::size_t begin, end;
  };
  Stretch next_stretch();
  void measure(Stretch stretch);
  void copy(Stretch stretch);

  const std::span<const Plan> plans_;
  const std::vector<FoundPart> parts_;
  const std::stop_token stop_;
  Results results_;
  /// Some plan wants scores.
  std::atomic<bool> ranked_ = false;
  /// Hits that there is room for before all are found.
  std::size_t room_ = 0;
  /// One a plan; null: all plans are laid out by finish().
  std::unique_ptr<State[]> states_;
  std::mutex mutex_;
  /// Plans before this one have their places.
  std::size_t next_ = 0;
};

/// Lays out what parts gave, all of which is there.
Results flatten(std::span<const Plan> plans, std::vector<FoundPart> parts,
                const std::stop_token& stop);

}  // namespace gannet::query
