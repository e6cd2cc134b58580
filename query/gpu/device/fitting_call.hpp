// A call of the CUDA back end in parts that fit into the device's memory.
#pragma once

#include <boost/container/small_vector.hpp>
#include <tbb/task_arena.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/columns/filter_choices.hpp"
#include "query/gpu/device/device_call.hpp"
#include "query/memory/batch_bytes.hpp"
#include "query/memory/memory_budget.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// Everything that a call needs from its back end. Refers to memory of others.
struct FittingContext {
  const Device& device;
  MemoryBudget& budget;  ///< of the device
  ContextPool& contexts;
  std::size_t calls;  ///< that run at the same time, at most
  DeviceFilters& filters;
  DeviceUnions& unions;
  KeptListCache& kept_lists;
  ListStatsCache* list_stats;  ///< null: no search is pruned
  tbb::task_arena& arena;
  BatchBytes& pool;            ///< bytes that a call takes for its batches
  std::uint64_t filter_bytes;  ///< for bitmaps of filters
  double candidate_filters;    ///< CudaOptions::candidate_filters
};

/// What batches of a part of a call read, besides the index. It must outlive the part's context:
/// only then have batches ended that an exception has left.
struct CallInputs {
  CallFilters filters;
  CallUnions unions;
  CallPredicates predicates;
};

/// Runs plans on the device. If their filters or unions do not fit together, the plans are run in
/// parts. If memory is short nonetheless, a part is cut in two halves, which get less memory for
/// their batches, and so on. Plans that do not fit then are left to the host; the report says so.
/// Few plans without filters that fit at once cost no allocation here. Not thread-safe.
class FittingCall {
 public:
  /// Refers to its arguments.
  FittingCall(const FittingContext& context, const BoundPlans& plans,
              std::span<const PlanTraits> traits, const CallOptions& options,
              std::span<PartialResult> results, Report& report);

  /// Runs the plans with the numbers `chosen`. Returns those that the host must run after all,
  /// ascending; their results are empty. Throws what DeviceCall::run() throws, but for
  /// DeviceMemoryError.
  std::vector<std::size_t> run(std::span<const std::size_t> chosen);

 private:
  void choose_filters(std::span<const std::size_t> chosen);
  std::size_t filters_at_once(std::size_t different) const;
  std::vector<std::vector<std::size_t>> parts(std::span<const std::size_t> chosen) const;
  void run_fitting(std::span<const std::size_t> plans);
  std::vector<std::size_t> unfinished(std::span<const std::size_t> plans) const;
  std::vector<std::size_t> with(bool PlanTraits::*trait, std::span<const std::size_t> plans) const;
  void run_part(std::span<const std::size_t> plans, unsigned depth, bool again);
  std::vector<std::size_t> take_later(const CallUnions& unions,
                                      std::vector<std::size_t>& plans) const;
  void run_with(const ContextLease& runs, std::uint64_t pool, CallInputs& inputs,
                std::span<const std::size_t> plans, const CallOptions& how, Report& done);
  std::vector<std::size_t> run_matching(const MatchContext& context, const ContextLease& runs,
                                        std::span<const std::size_t> plans, Report& done);
  void forget(std::span<const std::size_t> plans);
  void leave(std::span<const std::size_t> plans, HostReason reason);
  void count(const CallFilters& filters, std::span<const std::size_t> plans);

  const FittingContext& context_;
  const BoundPlans& plans_;
  std::span<const PlanTraits> traits_;
  const CallOptions& options_;
  std::span<PartialResult> results_;
  Report& report_;
  /// By plan: whether the caller was told that the plan is finished.
  boost::container::small_vector<char, 64> told_;
  bool any_told_ = false;
  FoundPlans found_;
  std::optional<FilterChoices> choices_;  ///< none: no plan has a filter
  std::vector<std::size_t> for_host_;     ///< ascending
  std::vector<std::size_t> later_;        ///< their unions found no memory beside others
  bool told_shards_ = false;              ///< of all plans that are left
};

}  // namespace gannet::query::cuda
