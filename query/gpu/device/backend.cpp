// The CUDA back end: state that all calls share, and the choice of the plans that run on the
// device.
#include "query/backend/backend.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/result_layout.hpp"
#include "query/gpu/device/columns/device_columns.hpp"
#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/fitting_call.hpp"
#include "query/gpu/device/list_counter.hpp"
#include "query/gpu/device/matches/match_columns.hpp"
#include "query/gpu/device/open_device.hpp"
#include "query/gpu/device/run/shared_score_memory.hpp"
#include "query/gpu/device/unions/device_unions.hpp"
#include "query/multi_gpu/side_by_side.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query {
namespace {

using codecs::cuda::DeviceGuard;

/// Larger values are rejected as a likely typo.
constexpr double kMaxBoundsBits = 1024;

class CudaBackend : public Backend {
 public:
  CudaBackend(std::shared_ptr<const index::Index> index, const CudaOptions& options)
      : index_(std::move(index)),
        budget_(cuda::device_budget(options.device)),
        limit_(budget_, options.device_bytes != 0 ? options.device_bytes : MemoryBudget::kNoLimit),
        device_(cuda::open_device(*index_, options)),
        pool_(device_.pool),
        calls_(options.concurrent_calls),
        contexts_(options.concurrent_calls,
                  [] { return std::make_unique<cuda::ExecutionContext>(); }),
        arena_(host_threads(options)),
        background_(host_threads(options), 1, tbb::task_arena::priority::low),
        list_stats_(index_, checked_bits(options.bounds_bits), options.filter_searches),
        columns_(index_, device_.segments,
                 {cuda::room_for_columns(device_.number, options.column_bytes),
                  options.concurrent_calls},
                 budget_),
        filters_(index_, columns_, {options.filter_bytes, options.concurrent_calls}, budget_),
        unions_(device_.segments, list_stats_, budget_),
        match_contexts_(budget_),
        kept_lists_(checked_bits(options.bitmap_bits)),
        filter_bytes_(options.filter_bytes),
        candidate_filters_(options.candidate_filters),
        column_documents_(options.column_documents),
        cpu_(make_cpu_backend(index_, {options.host_threads, options.bounds_bits})),
        idle_contexts_(budget_, MemoryUse::kBatches,
                       [this](std::uint64_t) { return contexts_.reclaim(); }),
        bounds_(budget_, MemoryUse::kBounds,
                [this](std::uint64_t) { return list_stats_.give_back(); }),
        bitmaps_(budget_, MemoryUse::kBitmaps,
                 [this](std::uint64_t) { return kept_lists_.give_back(); }) {}

  std::string name() const override { return "cuda"; }

  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    return within_limits(
        options, [&](const SearchOptions& limited) { return run_limited(plans, limited, report); });
  }

  Results run_limited(std::span<const Plan> plans, const SearchOptions& options,
                      Report& report) const {
    PartialResults partial(plans.size());
    ResultLayout layout(plans, {{partial.all()}}, options.stop);
    GatherOptions how{options};
    how.found = [&](std::span<const std::size_t> found) { layout.found(0, found); };
    gather(plans, how, report, partial.all());
    report.add_host_plans_to_reason();
    const auto start = std::chrono::steady_clock::now();
    Results results;
    arena_.execute([&] { results = layout.finish(); });
    partial.keep();
    report.seconds += seconds_since(start);
    return results;
  }

  std::unique_ptr<ShardExchange> make_exchange(std::size_t shards) const override {
    return std::make_unique<cuda::SharedScoreMemory>(device_.number, shards);
  }

  void gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
              std::span<PartialResult> results) const override {
    const auto start = std::chrono::steady_clock::now();
    const cuda::SharedPart part(options);
    const PlanShare& share = options.share;
    const BoundPlans bound(plans, *index_, options.stop, share);
    const bool pruned = list_stats_.enabled() && !options.exhaustive;
    // Counted before lists are held, since the counts decide which lists are on the device.
    const cuda::ListCounter counter(device_.segments, bound, share, background_);
    const std::vector<cuda::PlanTraits> traits = traits_of_plans(bound, share, options.stop);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!share.has(i)) continue;
      ++report.queries;
      if (traits[i].no_hits) {
        close(part.scores(), i);
      } else {
        chosen.push_back(i);
      }
    }
    const cuda::CallOptions how{options.stop, options.found, part.scores(), options.exhaustive};
    const auto left = run_on_device(bound, traits, chosen, pruned, how, results, report);
    run_on_host(plans, left, options, results, report);
    counter.add_to(report);
    report.seconds += seconds_since(start);
  }

  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Found& found,
                                        const SearchOptions& options) const override {
    return within_limits(options, [&](const SearchOptions& limited) {
      return look_limited(plans, work, found, limited);
    });
  }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  static double checked_bits(double bits) {
    if (bits >= 0 && bits <= kMaxBoundsBits) return bits;
    throw UsageError("bounds and bitmaps of lists may take 0 to 1024 bits a posting, not " +
                     std::to_string(bits));
  }

  static int host_threads(const CudaOptions& options) {
    const int cores = tbb::info::default_concurrency();
    if (options.host_threads == 0) return cores;
    return static_cast<int>(std::min(options.host_threads, static_cast<unsigned>(cores)));
  }

  std::vector<cuda::PlanTraits> traits_of_plans(const BoundPlans& bound, const PlanShare& share,
                                                const std::stop_token& stop) const {
    std::vector<cuda::PlanTraits> traits(bound.size());
    const auto find = [&](std::size_t begin, std::size_t end) {
      throw_if_stopped(stop);
      for (std::size_t i = begin; i != end; ++i) {
        if (share.has(i)) traits[i] = cuda::traits_of(bound.plan(i), bound.plan(0));
      }
    };
    if (bound.size() <= kPlansPerTask) {  // sooner than entering the arena
      find(0, bound.size());
    } else {
      arena_.execute([&] { for_plan_ranges(bound.size(), kPlansPerTask, find); });
    }
    return traits;
  }

  std::vector<LeftPlan> look_limited(std::span<const Plan> plans, const ColumnWork& work,
                                     const Found& found, const SearchOptions& options) const {
    std::vector<std::size_t> chosen;
    std::vector<LeftPlan> left;
    const auto leave = [&](std::size_t plan, ColumnReason reason) {
      left.push_back({plan});
      left.back().reasons.add(reason);
    };
    const bool few = index_->statistics().documents < column_documents_;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (few) {
        leave(i, ColumnReason::kFewDocuments);
      } else if (plans[i].has_unions()) {
        leave(i, ColumnReason::kUnions);
      } else {
        chosen.push_back(i);
      }
    }
    if (chosen.empty()) return left;
    for (const std::size_t i : look_on_device(plans, chosen, work, found, options)) {
      leave(i, ColumnReason::kDeviceMemory);
    }
    std::ranges::sort(left, {}, &LeftPlan::plan);
    return left;
  }

  /// As many plans at the same time as there are host threads, of which those that wait for nothing
  /// turn findings into results. Returns the plans that found no memory.
  std::vector<std::size_t> look_on_device(std::span<const Plan> plans,
                                          std::span<const std::size_t> chosen,
                                          const ColumnWork& work, const Found& found,
                                          const SearchOptions& options) const {
    const BoundPlans bound(plans, *index_, options.stop);
    const DeviceGuard guard(device_.number);
    const cuda::HeldLists lists(device_.segments, options.stop);
    const cuda::MatchColumns columns(
        {device_.segments, columns_, filters_, match_contexts_, arena_}, work, options.stop);
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;  // of `left`
    std::vector<std::size_t> left;
    const auto look = [&](std::size_t i) {
      try {
        found(i, columns.look(bound, i));
      } catch (const DeviceMemoryError&) {
        const std::lock_guard lock(mutex);
        left.push_back(i);  // the device has no memory at the moment: the host does it
      }
    };
    // Filters that plans share are made once.
    if (!plans[chosen[0]].filter().is_all()) look(chosen[next++]);
    const auto workers =
        std::min(chosen.size(), static_cast<std::size_t>(arena_.max_concurrency()));
    side_by_side(workers, options, [&](std::size_t, const SearchOptions& each) {
      const DeviceGuard of_thread(device_.number);
      for (std::size_t n = next++; n < chosen.size(); n = next++) {
        throw_if_stopped(each.stop);
        look(chosen[n]);
      }
    });
    // One after the other they may find room.
    if (workers > 1) {
      for (const std::size_t i : std::exchange(left, {})) look(i);
    }
    filters_.trim();
    return left;
  }

  /// Returns the plans that the host must run after all.
  std::vector<std::size_t> run_on_device(const BoundPlans& bound,
                                         std::span<const cuda::PlanTraits> traits,
                                         std::span<const std::size_t> chosen, bool pruned,
                                         const cuda::CallOptions& options,
                                         std::span<PartialResult> results, Report& report) const {
    if (chosen.empty()) return {};
    const DeviceGuard guard(device_.number);
    const cuda::HeldLists lists(device_.segments, options.stop);
    const std::uint64_t filters_before = filters_.made();
    const std::uint64_t failures_before = budget_.failures();
    const std::uint64_t given_back_before = budget_.given_back();
    const cuda::FittingContext context{
        device_,  budget_, contexts_,     calls_,
        filters_, unions_, kept_lists_,   pruned ? &list_stats_ : nullptr,
        arena_,   pool_,   filter_bytes_, candidate_filters_};
    const std::vector<std::size_t> left =
        cuda::FittingCall(context, bound, traits, options, results, report).run(chosen);
    filters_.trim();
    unions_.trim();
    report.filter.made += filters_.made() - filters_before;
    report.filter.bytes += filters_.bytes();
    report.bounds_bytes = list_stats_.bytes();
    report.bitmap_bytes = kept_lists_.bytes();
    report.host_bytes_read += cuda::take_host_bytes(device_.segments);
    report.memory.failures += budget_.failures() - failures_before;
    report.memory.given_back += budget_.given_back() - given_back_before;
    return left;
  }

  void run_on_host(std::span<const Plan> plans, std::span<const std::size_t> chosen,
                   const SearchOptions& options, std::span<PartialResult> results,
                   Report& report) const {
    if (chosen.empty()) return;
    std::vector<Plan> some;
    for (const std::size_t i : chosen) some.push_back(plans[i]);
    Report on_host;
    std::vector<PartialResult> found(some.size());
    cpu_->gather(some, GatherOptions{options}, on_host, found);
    for (std::size_t i = 0; i < chosen.size(); ++i) results[chosen[i]] = std::move(found[i]);
    report.tiles_decoded += on_host.tiles_decoded;
    report.ranges_total += on_host.ranges_total;
    report.ranges_searched += on_host.ranges_searched;
    report.documents_scored += on_host.documents_scored;
    report.bitmap_bytes += on_host.bitmap_bytes;
    const std::uint64_t on_device = report.filter.bytes;
    report.filter.add(on_host.filter);
    report.filter.bytes += on_device;
  }

  std::shared_ptr<const index::Index> index_;
  /// Of the device; locks for itself.
  MemoryBudget& budget_;
  MemoryBudget::Limit limit_;
  cuda::Device device_;
  /// For the batches of a call.
  mutable BatchBytes pool_;
  std::size_t calls_;
  /// Locks for itself.
  mutable cuda::ContextPool contexts_;
  /// Any number of threads may enter it at the same time.
  mutable tbb::task_arena arena_;
  /// For work that no call waits for yet.
  mutable tbb::task_arena background_;
  /// Locks for itself.
  mutable cuda::ListStatsCache list_stats_;
  /// Locks for itself.
  mutable cuda::DeviceColumns columns_;
  /// Locks for itself.
  mutable cuda::DeviceFilters filters_;
  /// Locks for itself.
  mutable cuda::DeviceUnions unions_;
  /// Locks for itself.
  mutable cuda::ColumnPassContexts match_contexts_;
  /// Locks for itself.
  mutable cuda::KeptListCache kept_lists_;
  std::uint64_t filter_bytes_;
  double candidate_filters_;
  std::uint64_t column_documents_;
  std::unique_ptr<Backend> cpu_;
  /// The last members, since they refer to those above.
  MemoryBudget::Owner idle_contexts_, bounds_, bitmaps_;
};

}  // namespace

bool fits_on_device(const index::Index& index, int device, const CudaOptions& options) {
  return cuda::has_room(index, device, options);
}

std::unique_ptr<Backend> make_cuda_backend(std::shared_ptr<const index::Index> index,
                                           const CudaOptions& options) {
  std::string why;
  if (!cuda_available(&why)) throw NoDeviceError("no GPU to run on: " + why);
  if (options.concurrent_calls < 1 || options.concurrent_calls > 64) {
    throw UsageError("the cuda back end runs 1 to 64 calls at a time, not " +
                     std::to_string(options.concurrent_calls));
  }
  return std::make_unique<CudaBackend>(std::move(index), options);
}

bool cuda_available(std::string* why) { return codecs::cuda::available(why); }

}  // namespace gannet::query
