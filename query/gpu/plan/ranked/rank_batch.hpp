// A batch of the ranked search by windows: the tables of slices of plans side by side, and the
// items that thread blocks take. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/plan/launch.hpp"
#include "query/gpu/plan/matching/match_batch.hpp"
#include "query/gpu/plan/ranked/rank_compiler.hpp"

namespace gannet::query::cuda {

/// Plans that one task packs. Used by one thread at a time.
struct RankSlice {
  RankTables tables;
  std::vector<std::size_t> plans;  ///< numbers in the call, one per query
};

/// Items that one launch runs.
struct RankLaunch {
  RankKind kind;
  std::uint32_t rows;   ///< of a window
  std::uint32_t words;  ///< of 64 documents in a window
  std::uint32_t items_begin;
  std::uint32_t items_end;
};

/// Sizes of the tables of a batch.
struct RankSizes {
  MatchSizes match;
  std::size_t lists = 0;
  std::uint32_t most_k = 0;
  std::uint32_t most_lists = 0;  ///< of a query

  void add(const RankTables& tables);
  /// Bytes of device memory, at most, without items.
  std::uint64_t bytes() const;
};

/// Where the tables of a batch are written.
struct RankPlaces {
  MatchPlaces match;
  RankQuery* queries;
  RankList* lists;
  SelectQuery* selections;
};

/// What decides how a batch is cut.
struct RankShape {
  std::uint32_t documents;     ///< of the segment
  std::uint32_t blocks;        ///< thread blocks that run at a time
  std::uint64_t finalists;     ///< that there is room for, beyond k for each query
  std::uint32_t shared_bytes;  ///< of shared memory that a thread block can have
};

/// Slices of plans in one segment that are searched together.
class RankBatch {
 public:
  /// Refers to the slices.
  RankBatch(std::span<const RankSlice> slices, const RankShape& shape);

  const RankSizes& sizes() const { return sizes_; }
  std::span<const RankLaunch> launches() const { return launches_; }
  std::span<const RankItem> items() const { return items_; }
  /// The numbers in the call of the plans, one per query.
  std::span<const std::size_t> plans() const { return plans_; }
  std::size_t slices() const { return slices_.size(); }
  /// Finalists of all queries together.
  std::uint64_t finalists() const { return finalists_; }
  /// Candidates that a thread block has room for.
  std::uint64_t capacity() const { return capacity_; }
  /// Writes slice `i` to the tables, which have room for sizes(). Several threads may write
  /// different slices.
  void fill(std::size_t i, const RankPlaces& places) const;

 private:
  void cut_items(const RankShape& shape);
  void order_items();

  std::span<const RankSlice> slices_;
  std::vector<RankSizes> before_;  ///< by slice: sizes of the slices before it
  std::vector<std::size_t> plans_;
  std::vector<RankLaunch> launches_;
  std::vector<std::uint32_t> launch_of_;  ///< by query
  std::vector<RankItem> items_;
  std::vector<std::uint64_t> first_finalists_;  ///< by query, and the end
  RankSizes sizes_;
  std::uint64_t finalists_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace gannet::query::cuda
