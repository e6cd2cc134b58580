// The CUDA back end: what all calls share, and which plans run on the device.
#include "query/backend.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "codecs/device/device.hpp"
#include "codecs/error.hpp"
#include "query/detail/gather_options.hpp"
#include "query/detail/plan_ranges.hpp"
#include "query/detail/result_layout.hpp"
#include "query/device/columns/device_columns.hpp"
#include "query/device/device_call.hpp"
#include "query/device/filters/device_filters.hpp"
#include "query/device/list_counter.hpp"
#include "query/device/open_device.hpp"
#include "query/device/pruned/exchange/shared_score_memory.hpp"

namespace gannet::query {
namespace {

using codecs::cuda::DeviceGuard;

/// More would be a mistake.
constexpr double kMaxBoundsBits = 1024;

class CudaBackend : public Backend {
 public:
  CudaBackend(std::shared_ptr<const index::Index> index, const CudaOptions& options)
      : index_(std::move(index)),
        device_(cuda::open_device(*index_, options)),
        contexts_(options.concurrent_calls,
                  [] { return std::make_unique<cuda::ExecutionContext>(); }),
        arena_(host_threads(options)),
        background_(host_threads(options), 1, tbb::task_arena::priority::low),
        knowledge_(checked_bits(options.bounds_bits), options.filter_searches),
        columns_(index_, device_.segments,
                 cuda::room_for_columns(device_.number, options.column_bytes)),
        filters_(index_, columns_, options.filter_bytes),
        column_documents_(options.column_documents),
        cpu_(make_cpu_backend(index_, {options.host_threads, options.bounds_bits})) {}

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
    const bool pruned = knowledge_.enabled() && !options.exhaustive;
    // Before lists are held, since what they are used for decides where they are.
    const cuda::ListCounter counter(device_.segments, bound, share, background_);
    const std::vector<cuda::PlanLook> looks = look_at_plans(bound, share, pruned, options.stop);
    std::vector<std::size_t> on_device, on_host;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!share.has(i)) continue;
      ++report.queries;
      if (looks[i].no_hits || !looks[i].fits) close(part.scores(), i);
      if (looks[i].no_hits) continue;
      (looks[i].fits ? on_device : on_host).push_back(i);
    }
    const cuda::CallOptions how{options.stop, options.found, part.scores()};
    const auto left = run_on_device(bound, looks, on_device, pruned, how, results, report);
    on_host.insert(on_host.end(), left.begin(), left.end());
    filters_.trim();
    run_on_host(plans, on_host, options, results, report);
    counter.add_to(report);
    report.seconds += seconds_since(start);
  }

  std::optional<std::vector<SegmentFindings>> look_at_columns(
      const Plan& plan, const ColumnWork& work, const SearchOptions& options) const override {
    return within_limits(
        options, [&](const SearchOptions& limited) { return look_limited(plan, work, limited); });
  }

  std::optional<std::vector<SegmentFindings>> look_limited(const Plan& plan, const ColumnWork& work,
                                                           const SearchOptions& options) const {
    if (index_->statistics().documents < column_documents_) return std::nullopt;
    const BoundPlans bound(std::span(&plan, 1), *index_, options.stop);
    const DeviceGuard guard(device_.number);
    const cuda::HeldLists lists(device_.segments);
    try {
      ColumnFindings findings = columns_.look(bound, 0, work, filters_, arena_, options.stop);
      filters_.trim();
      return findings;
    } catch (const DeviceMemoryError&) {
      filters_.trim();
      return std::nullopt;  // no room just now: the host looks
    }
  }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  static double checked_bits(double bits) {
    if (bits >= 0 && bits <= kMaxBoundsBits) return bits;
    throw UsageError("bounds of lists may take 0 to 1024 bits a posting, not " +
                     std::to_string(bits));
  }

  static int host_threads(const CudaOptions& options) {
    const int cores = tbb::info::default_concurrency();
    if (options.host_threads == 0) return cores;
    return static_cast<int>(std::min(options.host_threads, static_cast<unsigned>(cores)));
  }

  /// Predicates inside expressions, counts and docids of what passes a filter, and exhaustive
  /// searches with one are the host's.
  static bool can_filter(const Plan& plan, bool pruned) {
    return plan.predicates().empty() && plan.want() == Want::kTopK && pruned;
  }

  bool runs_on_device(const BoundPlans& bound, std::size_t plan, bool pruned) const {
    if (bound.plan(plan).has_text_fields() || !bound.plan(plan).words().empty()) return false;
    if (bound.plan(plan).asks_fields() && !can_filter(bound.plan(plan), pruned)) return false;
    const auto terms = static_cast<std::uint32_t>(bound.plan(plan).terms().size());
    if (cuda::runs_on_device(bound.plan(plan), terms, device_.shape)) return true;
    for (std::size_t s = 0; s < device_.segments.size(); ++s) {
      if (!cuda::runs_on_device({&bound.plan(plan), bound.ids(plan, s)}, device_.shape)) {
        return false;
      }
    }
    return true;
  }

  std::vector<cuda::PlanLook> look_at_plans(const BoundPlans& bound, const PlanShare& share,
                                            bool pruned, const std::stop_token& stop) const {
    std::vector<cuda::PlanLook> looks(bound.size());
    const auto look = [&](std::size_t begin, std::size_t end) {
      throw_if_stopped(stop);
      for (std::size_t i = begin; i != end; ++i) {
        if (!share.has(i)) continue;
        looks[i] = cuda::look_at(bound.plan(i), bound.plan(0));
        looks[i].fits = runs_on_device(bound, i, pruned);
      }
    };
    if (bound.size() <= kPlansPerTask) {  // sooner than entering the arena
      look(0, bound.size());
    } else {
      arena_.execute([&] { for_plan_ranges(bound.size(), kPlansPerTask, look); });
    }
    return looks;
  }

  /// Returns those that the host must run after all.
  std::vector<std::size_t> run_on_device(const BoundPlans& bound,
                                         std::span<const cuda::PlanLook> looks,
                                         std::span<const std::size_t> chosen, bool pruned,
                                         const cuda::CallOptions& options,
                                         std::span<PartialResult> results, Report& report) const {
    if (chosen.empty()) return {};
    const DeviceGuard guard(device_.number);
    const cuda::HeldLists lists(device_.segments);
    std::vector<std::size_t> filtered;
    std::ranges::copy_if(chosen, std::back_inserter(filtered),
                         [&](std::size_t i) { return looks[i].filtered; });
    const std::uint64_t filters_before = filters_.made();
    // Made before, and gone after, the context whose batches read them.
    const cuda::CallFilters filters(filters_, bound, filtered, device_.segments.size(), arena_,
                                    options.stop);
    const cuda::ContextLease runs(contexts_, options.stop);
    std::vector<std::size_t> left =
        cuda::DeviceCall(device_, runs, arena_, pruned ? &knowledge_ : nullptr, filters, bound,
                         looks, options, results, report)
            .run(chosen);
    for (const std::size_t i : left) results[i] = PartialResult{};
    count(filters, filtered, left, report);
    report.filter.made += filters_.made() - filters_before;
    report.filter.bytes += filters_.bytes();
    report.bounds_bytes = knowledge_.bytes();
    report.host_bytes_read += cuda::take_host_bytes(device_.segments);
    return left;
  }

  /// What the filters of those plans that ran on the device let pass. `left`: those that did not,
  /// ascending.
  void count(const cuda::CallFilters& filters, std::span<const std::size_t> filtered,
             std::span<const std::size_t> left, Report& report) const {
    for (std::size_t s = 0; s < device_.segments.size(); ++s) {
      for (const std::size_t i : filtered) {
        if (std::ranges::binary_search(left, i)) continue;
        const cuda::DeviceFilter& filter = *filters.of(s, i);
        report.filter.documents += device_.segments[s].segment->statistics().documents;
        report.filter.estimated += filter.estimated();
        report.filter.passing += filter.passing();
      }
    }
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
    const std::uint64_t on_device = report.filter.bytes;
    report.filter.add(on_host.filter);
    report.filter.bytes += on_device;
    report.reason += (report.reason.empty() ? "" : "; ") + std::to_string(chosen.size()) +
                     " too complex for the GPU ran on the CPU";
  }

  std::shared_ptr<const index::Index> index_;
  cuda::Device device_;
  /// Locks for itself.
  mutable cuda::BoundedPool<cuda::ExecutionContext> contexts_;
  /// Any number of threads may enter it at the same time.
  mutable tbb::task_arena arena_;
  /// For what nobody waits for yet.
  mutable tbb::task_arena background_;
  /// Locks for itself.
  mutable cuda::KnowledgeCache knowledge_;
  /// Likewise.
  mutable cuda::DeviceColumns columns_;
  /// Likewise.
  mutable cuda::DeviceFilters filters_;
  std::uint64_t column_documents_;
  std::unique_ptr<Backend> cpu_;
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
