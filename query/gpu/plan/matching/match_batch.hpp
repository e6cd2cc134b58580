// A batch of counts or docids: the tables of slices of plans side by side, and how they are
// launched. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/plan/matching/match_compiler.hpp"

namespace gannet::query::cuda {

/// Plans that one task packs. Used by one thread at a time.
struct MatchSlice {
  MatchTables tables;
  std::vector<std::size_t> plans;  ///< numbers in the call, one per query
  /// Plans whose number of matches follows from the lengths of lists.
  std::vector<std::pair<std::size_t, std::uint64_t>> known;
};

/// Queries of a batch that one launch runs.
struct MatchLaunch {
  std::uint32_t first_query;
  std::uint32_t queries;
  std::uint32_t rows;   ///< of a window
  std::uint32_t words;  ///< of 64 documents in a window
  std::uint32_t windows;
  std::uint64_t first_item;  ///< of the batch: items are numbered launch by launch, query by query
};

/// Sizes of the tables of a batch.
struct MatchSizes {
  std::size_t queries = 0, steps = 0, lists = 0, nodes = 0, bitmaps = 0;

  void add(const MatchTables& tables);
  /// Bytes of device memory, at most.
  std::uint64_t bytes() const;
};

/// Where the tables of a batch are written.
struct MatchPlaces {
  MatchQuery* queries;
  MatchStep* steps;
  MatchList* lists;
  Node* nodes;
  const std::uint64_t** bitmaps;
};

/// Copies the tables of a slice to those of a batch, but for the queries. `before`: the sizes of
/// the slices before it.
void place_tables(const MatchTables& tables, const MatchSizes& before, const MatchPlaces& places);
/// A query of such a slice, in the batch.
MatchQuery placed_query(MatchQuery query, const MatchSizes& before);

/// Slices of plans in one segment that are launched together.
class MatchBatch {
 public:
  /// Orders the queries of the slices by launch. `blocks`: thread blocks that fill the device;
  /// windows get smaller until there are as many, if they can. Refers to the slices.
  MatchBatch(std::span<const MatchSlice> slices, std::uint32_t documents, std::uint32_t blocks);

  const MatchSizes& sizes() const { return sizes_; }
  std::span<const MatchLaunch> launches() const { return launches_; }
  /// Items of all launches.
  std::uint64_t items() const { return items_; }
  /// The numbers in the call of the plans, one per query in the order of the launches.
  std::span<const std::size_t> plans() const { return plans_; }
  std::size_t slices() const { return slices_.size(); }
  /// Writes slice `i` to the tables, which have room for sizes(). Several threads may write
  /// different slices.
  void fill(std::size_t i, const MatchPlaces& places) const;

 private:
  std::span<const MatchSlice> slices_;
  std::vector<MatchSizes> before_;       ///< by slice: sizes of the slices before it
  std::vector<std::uint32_t> query_of_;  ///< by query of the slices: its number in the batch
  std::vector<std::size_t> plans_;
  std::vector<MatchLaunch> launches_;
  MatchSizes sizes_;
  std::uint64_t items_ = 0;
};

}  // namespace gannet::query::cuda
