// How the staged GPU path runs a query: the paper's baseline and its options.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", section 4
// and Figure 3; section 5 for which combinations are valid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gannet::wah::papers {

/// What is stored so that decompression can begin later than with stage 1.
enum class WahMetadata : std::uint32_t {
  kNone,
  kStage2As32,    ///< the first group of every atom, 32 bits each
  kStage2As64,    ///< the same, 64 bits each
  kStage4As32,    ///< the atom of every group, 32 bits each
  kDecompressed,  ///< the decompressed vectors themselves
};

/// How decompressed vectors are combined (section 3; Nelson et al., BDCAT 2019).
enum class WahReduction : std::uint32_t {
  kColumns,  ///< pairs of columns, in log2(columns) launches
  kRows,     ///< all columns of one word, by one warp
  kHybrid,   ///< blocks of words and columns, through shared memory; the paper's choice
};

/// One configuration.
struct WahPlan {
  /// Scans in place, the stage arrays used again: 4 memory calls instead of 10.
  bool reuse = false;
  WahMetadata metadata = WahMetadata::kNone;
  bool pool = false;  ///< arrays come from memory that was allocated beforehand
  WahReduction reduction = WahReduction::kHybrid;
  /// Ours: all vectors of the query go through the stages as one, with one set of arrays. Otherwise
  /// Algorithm 1 runs for one vector after the other, as the paper has it, on several streams.
  bool together = false;
};

/// Whether the paper has this combination: metadata and pool are extensions of reuse.
bool is_valid(const WahPlan& plan);

/// "baseline", "reuse", "stage 2 (32 bits)", "stage 4 (32 bits) + pool" and so on.
std::string name_of(const WahPlan& plan);

/// The baseline, then the ten valid combinations of the options, all with the hybrid reduction.
std::vector<WahPlan> paper_plans(bool together = false);

/// cudaMalloc and cudaFree calls that the figure counts, with the hybrid reduction: for every
/// vector of a query, or for all of them if they are taken together.
std::uint32_t memory_calls(const WahPlan& plan);

}  // namespace gannet::wah::papers
