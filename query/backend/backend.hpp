// The interface between the searcher and the processors that run plans.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/options/cpu_options.hpp"
#include "query/options/cuda_options.hpp"
#include "query/options/search_options.hpp"
#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

struct ColumnWork;       // query/backend/column_work.hpp
struct SegmentFindings;  // query/backend/column_work.hpp
struct Matches;          // query/results/matches.hpp
struct PartialResult;    // query/backend/partial_result.hpp
struct GatherOptions;    // query/backend/gather_options.hpp
class ShardExchange;     // query/backend/gather_options.hpp

/// Runs plans on one index. Any number of threads may call it at the same time; results depend on
/// nothing but index and plan.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// Runs a batch: result i belongs to plan i. Fills in the report's counters. If it throws, also
  /// CancelledError or DeadlineError, it leaves nothing behind, and the next call works.
  virtual Results run(std::span<const Plan> plans, const SearchOptions& options,
                      Report& report) const = 0;

  /// run(), but for the way into flat arrays: for back ends that are made of others, which lay out
  /// what all of them found, and see to the deadline: the options have none. `results`: one a plan,
  /// empty. By default run() taken apart.
  virtual void gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
                      std::span<PartialResult> results) const;
  /// Where back ends of this kind for `shards` shards of an index tell one another in gather() what
  /// they find, so that all have less to search; null if they have nothing to tell.
  virtual std::unique_ptr<ShardExchange> make_exchange(std::size_t shards) const;

  /// What look_at_columns() calls.
  using Found = std::function<void(std::size_t, std::vector<SegmentFindings>&&)>;
  /// What columns say of all documents that match each plan, whatever it wants of them: found(i,
  /// findings of each segment) is called once a plan, by several threads at the same time. Returns
  /// the plans, ascending, of which the back end can find nothing out by itself, for which found()
  /// is not called: then run() with Want::kDocids says what matches. Throws what run() and found()
  /// throw.
  virtual std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                                const Found& found,
                                                const SearchOptions& options) const;

  /// As run(), but what the first plans match, which want docids and are as many as there are
  /// `matches`, goes there, and their results have no documents. Matches of the index that are
  /// there keep their memory, not what they say. Nothing is done, and nothing returned, if the back
  /// end makes no bitmaps: then run() says what matches.
  virtual std::optional<Results> run_to_bitmaps(std::span<const Plan> plans,
                                                std::span<Matches> matches,
                                                const SearchOptions& options, Report& report) const;
};

/// The CPU back end. Exact: with SearchOptions::exhaustive it is the oracle that everything else is
/// tested against. Keeps the index. Throws UsageError for options out of range.
std::unique_ptr<Backend> make_cpu_backend(std::shared_ptr<const index::Index> index,
                                          const CpuOptions& options);

/// Whether a device has room for its own copy of all of the index. Throws CudaError.
bool fits_on_device(const index::Index& index, int device, const CudaOptions& options);

/// The CUDA back end of one device, CudaOptions::device. Keeps the index. Its copy in the memory of
/// a device is made once and shared by all back ends of the process that use the same segment on
/// the same device. Throws NoDeviceError if there is no GPU or this build has no CUDA code,
/// DeviceMemoryError if what rules out work in the index does not fit, UsageError for options out
/// of range.
std::unique_ptr<Backend> make_cuda_backend(std::shared_ptr<const index::Index> index,
                                           const CudaOptions& options);

}  // namespace gannet::query
