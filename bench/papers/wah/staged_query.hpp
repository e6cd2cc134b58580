// Range queries in the paper's stages, each of them one kernel or one scan.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", Algorithm
// 1, section 4 and Figure 3. What we add is the AND over clauses in the reduction.
//
// Includes no CUDA header.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"
#include "bench/papers/wah/staged_metadata.hpp"
#include "bench/papers/wah/staged_plan.hpp"

namespace gannet::wah::papers {

/// Runs queries on one stream of its own; its pool is its own as well, so that nothing must be
/// locked (the paper shares one pool between threads, which lock their parts of it). One thread at
/// a time; any number of objects may share a DeviceBitmap and its metadata, which must outlive
/// them.
///
/// Algorithm 1 takes one vector; the vectors of a query are decompressed by calls of it, eight at a
/// time on streams of their own ("modified to decompress multiple columns in parallel"), or, with
/// WahPlan::together, by one call for all.
///
/// Outside of the pool only what the paper's figure counts is allocated per query: the scans' small
/// temporary storage, the query's tables and the result are allocated once, here.
template <class Word>
class StagedQuery {
 public:
  /// For queries of up to `most_vectors` vectors (1 or more; all clauses together). `pool`: whether
  /// plans with a pool will be asked for. Throws DeviceMemoryError.
  StagedQuery(const cuda::DeviceBitmap<Word>& bitmap, const StagedMetadata<Word>& metadata,
              std::uint32_t most_vectors, bool pool);
  ~StagedQuery();
  StagedQuery(StagedQuery&&) noexcept;
  StagedQuery& operator=(StagedQuery&&) noexcept;

  /// Runs a query and waits; returns how many rows it selects. The selected rows stay on the
  /// device. Throws UsageError for an invalid plan, for metadata or a pool that were not made, for
  /// vectors that do not exist, for more than `most_vectors`, and, with 32-bit atoms, for a query
  /// whose decompressed vectors have 2^32 groups or more.
  std::uint64_t count(const BitmapQuery& query, const WahPlan& plan);

  /// The groups of the rows that the last query selected, copied to the host.
  std::vector<Word> groups() const;

  /// cudaMalloc and cudaFree calls of the last query.
  std::uint32_t memory_calls() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::papers
