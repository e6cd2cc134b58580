// A call of the CUDA back end in parts that fit into the device's memory.
#pragma once

#include <boost/container/small_vector.hpp>
#include <tbb/task_arena.h>

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/device_call.hpp"
#include "query/memory/batch_bytes.hpp"
#include "query/memory/memory_budget.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// Where calls run.
struct FittingPlaces {
  const Device& device;
  MemoryBudget& budget;  ///< of the device
  ContextPool& contexts;
  std::size_t calls;  ///< at the same time, at most
  DeviceFilters& filters;
  KnowledgeCache* knowledge;  ///< null: no search is pruned
  tbb::task_arena& arena;
  BatchBytes& pool;            ///< what a call takes for its batches
  std::uint64_t filter_bytes;  ///< for bitmaps of filters, if the device has not much more
};

/// Runs plans on the device. Those whose filters have no room together are run in parts; where
/// memory is short nonetheless, the part is cut in two and has less for its batches, and so on;
/// what finds no room then is left to the host. The report says so. Few plans without filters
/// that find room at once cost no allocation here.
class FittingCall {
 public:
  /// Refers to its arguments.
  FittingCall(const FittingPlaces& places, const BoundPlans& plans, std::span<const PlanLook> looks,
              const CallOptions& options, std::span<PartialResult> results, Report& report);

  /// `chosen`: numbers of the plans to be run. Returns those that the host must run after all,
  /// ascending, whose results are empty.
  std::vector<std::size_t> run(std::span<const std::size_t> chosen);

 private:
  std::size_t filters_at_once(std::size_t different) const;
  std::vector<std::vector<std::size_t>> parts(std::span<const std::size_t> chosen) const;
  void run_fitting(std::span<const std::size_t> plans);
  std::vector<std::size_t> unfinished(std::span<const std::size_t> plans) const;
  std::vector<std::size_t> filtered(std::span<const std::size_t> plans) const;
  void run_part(std::span<const std::size_t> plans, unsigned depth, bool again);
  void run_with(const ContextLease& runs, std::uint64_t pool, const CallFilters& filters,
                std::span<const std::size_t> plans, const CallOptions& how, Report& done);
  void forget(std::span<const std::size_t> plans);
  void leave(std::span<const std::size_t> plans, HostReason reason);
  void count(const CallFilters& filters, std::span<const std::size_t> plans);

  const FittingPlaces& places_;
  const BoundPlans& plans_;
  std::span<const PlanLook> looks_;
  const CallOptions& options_;
  std::span<PartialResult> results_;
  Report& report_;
  /// By plan: whether the caller was told that nothing more will be found of it.
  boost::container::small_vector<char, 64> told_;
  bool any_told_ = false;
  FoundPlans found_;
  std::vector<std::size_t> for_host_;  ///< ascending
};

}  // namespace gannet::query::cuda
