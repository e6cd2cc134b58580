// The launches of the exhaustive search, and of the selection that all searches use. They only
// queue work on the stream; they allocate nothing. Includes no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/tuning.hpp"

struct CUstream_st;

namespace gannet::query::cuda {

/// Which scoring kernel a query needs.
struct KernelClass {
  bool marked;        ///< must know which terms a document has
  bool usual_scorer;  ///< scored by one of UsualScorers (scoring/all.hpp)
  bool operator==(const KernelClass&) const = default;
};

/// Bytes of shared memory that one warp can have on the current device; a query that needs more
/// cannot run on it.
std::uint32_t max_warp_memory();

/// Queues the items of `batch` on `stream`.
void launch_scoring(KernelClass kernel, const BatchView& batch, CUstream_st* stream);

/// launch_scoring() with a kernel that knows every scorer, and the codecs made for posting lists.
void launch_scoring_scorers(KernelClass kernel, const BatchView& batch, CUstream_st* stream);

/// launch_scoring() with a kernel that knows every codec and scorer, for an index with a codec that
/// is not made for posting lists.
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
  const std::uint32_t* finalist_counts;  ///< those above the capacity are lost
  std::uint64_t* selected;               ///< per query: `stride` keys, counts[query] of them set
  std::uint32_t stride;                  ///< at least the largest k
  std::uint32_t* counts;                 ///< per query; kLost: it had more finalists than room
  /// Further numbers that the kernel copies for the host.
  const std::uint64_t* counters;
  std::uint64_t* counters_out;
  std::uint32_t counter_count;
};
inline constexpr std::uint32_t kLost = 0xffffffffu;

/// Queues the selection of every query's k best finalists: best first if stride <=
/// tuning::kBlockSorted, else in any order.
void launch_selection(const SelectView& view, CUstream_st* stream);

/// Queues a sort of the selected keys, best first, into `sorted` (as large as view.selected).
/// `scratch` is device memory of sort_scratch_bytes(); `ends` is device memory for query_count
/// offsets.
void launch_sort(const SelectView& view, std::uint64_t* sorted, std::int64_t* ends, void* scratch,
                 std::size_t scratch_bytes, CUstream_st* stream);

/// Bytes of device memory that launch_sort() needs for this many queries and this stride.
std::size_t sort_scratch_bytes(std::uint32_t queries, std::uint32_t stride);

}  // namespace gannet::query::cuda
