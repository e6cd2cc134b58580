// The launches that a batch consists of. Includes no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/tuning.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Which scoring kernel a query needs.
struct KernelClass {
  bool scored;        ///< top k; otherwise count or docids
  bool marked;        ///< must know which terms a document has
  bool usual_scorer;  ///< scored by one of UsualScorers (scoring/all.hpp), or not at all
  bool operator==(const KernelClass&) const = default;
};

/// Most shared memory that one warp can have, in bytes; a query that needs more cannot run on the
/// device.
std::uint32_t max_warp_memory();

/// Runs the items of `batch` on `stream`.
void launch_scoring(KernelClass kernel, const BatchView& batch, CUstream_st* stream);

/// Launches a kernel that knows every scorer, and the codecs made for posting lists.
void launch_scoring_scorers(KernelClass kernel, const BatchView& batch, CUstream_st* stream);

/// Launches a kernel that knows every codec and scorer. launch_scoring() calls it for an index
/// with a codec that is not made for posting lists.
void launch_scoring_any(KernelClass kernel, const BatchView& batch, CUstream_st* stream);

/// The finalists of a query, of which the k best are wanted.
struct SelectQuery {
  std::uint64_t first_finalist;
  std::uint32_t capacity;  ///< finalists that there is room for
  std::uint32_t k;
};

/// What selecting needs: the finalists of every query.
struct SelectView {
  const SelectQuery* queries;
  std::uint32_t query_count;
  const std::uint64_t* finalists;
  const std::uint32_t* finalist_counts;  ///< what is above the capacity is not there
  std::uint64_t* selected;               ///< a query: `stride` keys, of which counts[query] are set
  std::uint32_t stride;                  ///< at least the largest k
  std::uint32_t* counts;                 ///< kLost: the query had more finalists than room
  /// Copied along: what else the host wants to know.
  const std::uint64_t* counters;
  std::uint64_t* counters_out;
  std::uint32_t counter_count;
};
inline constexpr std::uint32_t kLost = 0xffffffffu;

/// Selects every query's k best finalists; with stride <= tuning::kBlockSorted best first, else in
/// any order.
void launch_selection(const SelectView& view, CUstream_st* stream);

/// Sorts the selected keys, best first, into `sorted` (same shape as view.selected). `scratch` is
/// device memory of sort_scratch_bytes(); `ends` is room for query_count offsets.
void launch_sort(const SelectView& view, std::uint64_t* sorted, std::int64_t* ends, void* scratch,
                 std::size_t scratch_bytes, CUstream_st* stream);

/// Device memory that launch_sort needs for this many queries and this stride.
std::size_t sort_scratch_bytes(std::uint32_t queries, std::uint32_t stride);

}  // namespace gannet::query::cuda
