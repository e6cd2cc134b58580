// A batch on the CPU, prepared: how each plan is searched, in which pieces, with which bounds.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "query/bounds/bounds_cache.hpp"
#include "query/bounds/list_bitmaps.hpp"
#include "query/cpu/batch_filters.hpp"
#include "query/cpu/collector.hpp"
#include "query/plan/plan.hpp"
#include "query/results/matches.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// How a plan is searched.
enum class Path : std::uint8_t {
  kNone,        ///< nothing matches or passes, or the lists' lengths have the answer
  kPruned,      ///< pruned_search.hpp
  kExhaustive,  ///< ranked: candidate_search.hpp, or window_search.hpp where that costs less
  kBitmaps,     ///< without scores: bitmap_search.hpp
  kCandidates,  ///< without scores: candidate_search.hpp
};

/// A range of documents of one segment, and how it is searched.
struct Piece {
  std::size_t segment;
  Path path;
  DocidRange range;
  /// Of kExhaustive, kBitmaps and kCandidates: the filter may be looked up for matches.
  bool probes = false;
};

/// What one thread searches for one plan: pieces that follow each other, kept by the batch. Those
/// that are pruned are one search.
struct Task {
  std::size_t plan;
  std::size_t first_piece;
  std::size_t pieces;
};

/// What one call works on. Plans, index and cache must outlive it.
struct Batch {
  Batch(std::span<const Plan> all, const index::Index& index, FilterCache& cache,
        const CandidateFilters& candidates, std::stop_token token);

  BoundPlans plans;
  mutable BatchFilters filters;
  std::stop_token stop;
  /// By segment; empty if no plan wants matches without scores.
  std::vector<KeptLists> kept_lists;
  std::span<Matches> matches = {};  ///< of the first plans, where bitmaps are wanted of them
  KeptLists kept(std::size_t segment) const {
    return kept_lists.empty() ? KeptLists{} : kept_lists[segment];
  }
  // One per plan:
  std::vector<Path> paths;
  std::vector<ScorerBounds*> bounds;                     ///< of those that prune; else null
  std::vector<std::uint64_t> counts;                     ///< what is known without searching
  std::unique_ptr<std::atomic<std::uint32_t>[]> floors;  ///< as search_pruned() has it
  /// Those that plans have: of each scorer once for each range of plans that a thread went through.
  std::vector<std::shared_ptr<ScorerBounds>> kept_bounds;
  // In the order of plans and documents:
  std::vector<Piece> pieces;
  std::vector<Task> tasks;
  /// One per plan, and the end.
  std::vector<std::size_t> first_task;
};

/// How a batch is to be prepared.
struct BatchOptions {
  bool exhaustive = false;
  /// Threads that work is cut for.
  unsigned threads = 1;
};

/// Chooses the paths, makes the bounds and bitmaps that are missing and cuts the work into tasks;
/// fills in what the report says of lists, bounds and bitmaps. In parallel on the calling thread's
/// TBB arena. Throws FormatError for a damaged list, UsageError for fields that the index has not,
/// CancelledError.
void prepare(Batch& batch, const index::Index& index, BoundsCache& cache, ListBitmaps& lists,
             const BatchOptions& options, Report& report);

}  // namespace gannet::query
