// The CUDA back end: sorts a batch's plans by what they want, cuts them into sub-batches that fit
// the buffers, runs them two at a time and gathers the results, segment after segment.
#include "query/backend.hpp"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "codecs/device/device.hpp"
#include "codecs/error.hpp"
#include "query/device/batch_run.hpp"
#include "query/device/bounded_pool.hpp"
#include "query/device/pruned/pruned_call.hpp"
#include "query/device/shared_device_index.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query {
namespace {

using codecs::cuda::check;
using codecs::cuda::DeviceGuard;
namespace tuning = cuda::tuning;

/// Plans that one task looks at.
constexpr std::size_t kPlansPerTask = 64;
/// More would be a mistake.
constexpr double kMaxBoundsBits = 1024;

using cuda::DeviceSegment;

/// What all calls share; immutable.
struct Device {
  int number;
  cuda::DeviceShape shape;
  /// Memory that one call may use for its batches.
  std::uint64_t pool;
  std::vector<DeviceSegment> segments;
};

/// The streams and buffers of one call.
struct ExecutionContext {
  std::array<cuda::BatchRun, 2> exhaustive;
  cuda::PrunedRuns pruned;
};

/// Gives a context back in a state in which the next call can use it, whatever happened to this
/// one.
class ContextLease {
 public:
  explicit ContextLease(cuda::BoundedPool<ExecutionContext>& pool) : lease_(pool.acquire()) {}
  ~ContextLease() {
    for (cuda::BatchRun& run : lease_->exhaustive) run.abandon();
    for (cuda::PrunedRun& run : lease_->pruned) run.abandon();
  }
  ContextLease(const ContextLease&) = delete;
  ContextLease& operator=(const ContextLease&) = delete;
  cuda::BatchRun& operator[](std::size_t i) const { return lease_->exhaustive[i]; }
  cuda::PrunedRuns& pruned() const { return lease_->pruned; }

 private:
  cuda::BoundedPool<ExecutionContext>::Lease lease_;
};

/// One call: the plans that the device can run, in one segment after the other.
class DeviceCall {
 public:
  /// `knowledge`: of what the pruned search needs, or null: no search is pruned.
  DeviceCall(const Device& device, const ContextLease& runs, tbb::task_arena& arena,
             cuda::KnowledgeCache* knowledge, const BoundPlans& plans, const std::stop_token& stop,
             std::span<PartialResult> results, Report& report)
      : device_(device),
        runs_(runs),
        arena_(arena),
        knowledge_(knowledge),
        plans_(plans),
        stop_(stop),
        results_(results),
        report_(report) {}

  /// `chosen`: numbers of the plans to be run.
  void run(std::span<const std::size_t> chosen) {
    for (std::size_t s = 0; s < device_.segments.size(); ++s) {
      segment_ = s;
      for (const auto& [group, members] : group(chosen)) {
        if (group.first == Want::kTopK) {
          run_exhaustive(knowledge_ == nullptr ? members : run_pruned(members));
        } else {
          run_matches(group.first == Want::kDocids, members);
        }
      }
    }
  }

 private:
  /// Plans that may share a batch: the same want, and k of the same size (buffers are sized by the
  /// largest).
  using Group = std::pair<Want, std::uint32_t>;
  using Groups = std::map<Group, std::vector<std::size_t>>;

  /// A sub-batch on its way.
  struct SubBatch {
    cuda::Assignment assignment;
    std::vector<cuda::Target> targets;
  };

  const DeviceSegment& segment() const { return device_.segments[segment_]; }
  cuda::SegmentPlan bound(std::size_t plan) const {
    return {&plans_.plan(plan), plans_.ids(plan, segment_)};
  }

  Groups group(std::span<const std::size_t> chosen) const {
    Groups groups;
    for (const std::size_t i : chosen) {
      const Plan& plan = plans_.plan(i);
      if (cuda::matches_nothing(bound(i))) continue;
      const bool top = plan.want() == Want::kTopK;
      const std::uint32_t size = top ? std::bit_ceil(std::min(plan.k(), 1u << 31)) : 0;
      groups[{plan.want(), size}].push_back(i);
    }
    return groups;
  }

  /// Assigns as many of the first of `waiting` as the pool takes, at least one, and takes them
  /// away.
  SubBatch assign_some(std::span<const std::size_t>& waiting) const {
    throw_if_stopped(stop_);
    std::vector<cuda::SegmentPlan> plans;
    for (const std::size_t i : waiting.first(std::min(waiting.size(), tuning::kSubBatch))) {
      plans.push_back(bound(i));
    }
    SubBatch batch;
    for (;; plans.resize(std::max<std::size_t>(1, plans.size() / 2))) {
      batch.assignment =
          cuda::assign(*segment().segment, segment().copy->lists(), device_.shape, plans);
      const std::uint64_t bytes = cuda::BatchRun::key_bytes(batch.assignment);
      if (plans.size() == 1 || bytes <= device_.pool / 8) break;
    }
    for (const std::size_t i : waiting.first(plans.size())) {
      batch.targets.push_back({&results_[i], plans_.plan(i).k()});
    }
    waiting = waiting.subspan(plans.size());
    return batch;
  }

  /// Warps whose candidates fit into a quarter of the pool, at least two, at most what the device
  /// can hold.
  std::uint32_t max_warps(const cuda::Assignment& assignment) const {
    const std::uint64_t bytes = std::uint64_t{assignment.capacity} * sizeof(std::uint64_t);
    const std::uint64_t fitting = std::max<std::uint64_t>(2, device_.pool / 8 / bytes);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(fitting, std::uint64_t{2} * device_.shape.parallel_items));
  }

  /// Runs the plans that the pruned search can run; returns the others.
  std::vector<std::size_t> run_pruned(std::span<const std::size_t> members) {
    std::vector<std::size_t> others;
    std::vector<std::size_t> alike;  // of one scorer
    for (const std::size_t i : members) {
      if (!cuda::prunes_on_device(bound(i))) {
        others.push_back(i);
        continue;
      }
      if (!alike.empty() && !cuda::same_scoring(plans_.plan(alike.front()), plans_.plan(i))) {
        run_alike(alike, others);
        alike.clear();
      }
      alike.push_back(i);
    }
    run_alike(alike, others);
    return others;
  }

  void run_alike(std::span<const std::size_t> plans, std::vector<std::size_t>& others) {
    if (plans.empty()) return;
    const auto known = knowledge_->of(plans_.plan(plans.front()), device_.segments, stop_);
    const cuda::PrunedPlace place{segment(),      segment_, *(*known)[segment_],
                                  runs_.pruned(), arena_,   device_.pool / 4};
    const auto left = cuda::PrunedCall(place, plans_, stop_, results_, report_).run(plans);
    others.insert(others.end(), left.begin(), left.end());
  }

  void run_exhaustive(std::span<const std::size_t> waiting) {
    std::array<SubBatch, 2> in_flight;
    std::size_t next = 0;
    while (!waiting.empty()) {
      finish(next, in_flight[next]);
      SubBatch& batch = in_flight[next] = assign_some(waiting);
      runs_[next].start_top_k(segment().copy->view(), batch.assignment,
                              max_warps(batch.assignment));
      next = 1 - next;
    }
    finish(next, in_flight[next]);
    finish(1 - next, in_flight[1 - next]);
  }

  void finish(std::size_t run, SubBatch& batch) {
    if (batch.targets.empty()) return;
    // Waits outside of the arena, whose threads other calls may need.
    add(runs_[run].wait());
    const cuda::Sink sink{batch.targets, segment().docid_base};
    arena_.execute([&] { runs_[run].unpack_top_k(batch.assignment, sink); });
    batch.targets.clear();
  }

  void run_matches(bool docids, std::span<const std::size_t> waiting) {
    const std::uint64_t docid_bytes = std::min(device_.pool / 4, tuning::kMaxDocidBytes);
    while (!waiting.empty()) {
      const SubBatch batch = assign_some(waiting);
      add(runs_[0].match(segment().copy->view(), batch.assignment, docids, docid_bytes,
                         {batch.targets, segment().docid_base}));
    }
  }

  void add(const cuda::BatchCounters& counters) {
    report_.tiles_decoded += counters.tiles_decoded;
    report_.device_seconds += counters.device_seconds;
  }

  const Device& device_;
  const ContextLease& runs_;
  tbb::task_arena& arena_;
  cuda::KnowledgeCache* knowledge_;
  const BoundPlans& plans_;
  const std::stop_token& stop_;
  std::span<PartialResult> results_;
  Report& report_;
  std::size_t segment_ = 0;
};

class CudaBackend : public Backend {
 public:
  CudaBackend(std::shared_ptr<const index::Index> index, const CudaOptions& options)
      : index_(std::move(index)),
        device_(open_device(*index_, options)),
        contexts_(options.concurrent_calls, [] { return std::make_unique<ExecutionContext>(); }),
        arena_(host_threads(options)),
        knowledge_(checked_bits(options.bounds_bits)),
        cpu_(make_cpu_backend(index_, {options.host_threads, options.bounds_bits})) {}

  std::string name() const override { return "cuda"; }

  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    const auto start = std::chrono::steady_clock::now();
    const BoundPlans bound(plans, *index_, options.stop);
    std::vector<PartialResult> partial(plans.size());
    const std::vector<char> fits = look_at_plans(bound, options.stop, report);
    std::vector<std::size_t> on_device, on_host;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].want() == Want::kTopK && plans[i].k() == 0) continue;
      (fits[i] != 0 ? on_device : on_host).push_back(i);
    }
    run_on_device(bound, on_device, options, partial, report);
    run_on_host(plans, on_host, options, partial, report);
    Results results;
    arena_.execute([&] { results = flatten(plans, partial, options.stop); });
    report.queries += plans.size();
    report.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
  }

 private:
  static Device open_device(const index::Index& index, const CudaOptions& options) {
    const DeviceGuard guard(options.device);
    const std::uint64_t pool = options.pool_bytes != 0 ? options.pool_bytes : default_pool();
    const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
    Device device{
        options.device,
        {static_cast<std::uint32_t>(processors) * tuning::kWarpsPerSm, cuda::max_warp_memory()},
        pool / options.concurrent_calls,
        {}};
    for (std::size_t s = 0; s < index.segments().size(); ++s) {
      const auto& segment = index.segments()[s];
      device.segments.push_back(
          {segment, cuda::shared_device_index(segment, options.device, pool), index.docid_base(s)});
    }
    check_free(pool);
    return device;
  }

  static std::uint64_t free_memory() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  }

  static std::uint64_t default_pool() {
    return std::min<std::uint64_t>(tuning::kDefaultPool, free_memory() / 4);
  }

  static void check_free(std::uint64_t pool) {
    if (const std::uint64_t free = free_memory(); free < pool) {
      throw DeviceMemoryError("batches are to have " + std::to_string(pool >> 20) +
                              " MB of GPU memory, " + std::to_string(free >> 20) +
                              " MB are free; use less, the cpu back end or a larger GPU");
    }
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

  bool runs_on_device(const BoundPlans& bound, std::size_t plan) const {
    for (std::size_t s = 0; s < device_.segments.size(); ++s) {
      if (!cuda::runs_on_device({&bound.plan(plan), bound.ids(plan, s)}, device_.shape)) {
        return false;
      }
    }
    return true;
  }

  /// Counts postings and tiles into the report; returns which plans run on the device.
  std::vector<char> look_at_plans(const BoundPlans& bound, const std::stop_token& stop,
                                  Report& report) const {
    std::vector<char> fits(bound.size());
    std::atomic<std::uint64_t> postings{0};
    std::atomic<std::uint64_t> tiles{0};
    const auto look = [&](const tbb::blocked_range<std::size_t>& range) {
      throw_if_stopped(stop);
      std::uint64_t some_postings = 0;
      std::uint64_t some_tiles = 0;
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        fits[i] = runs_on_device(bound, i) ? 1 : 0;
        for_each_list(bound, i, [&](std::uint32_t count) {
          some_postings += count;
          some_tiles += codecs::tile_count(count);
        });
      }
      postings += some_postings;
      tiles += some_tiles;
    };
    const tbb::blocked_range<std::size_t> all(0, bound.size(), kPlansPerTask);
    if (bound.size() <= kPlansPerTask) {
      look(all);
    } else {
      arena_.execute([&] { tbb::parallel_for(all, look); });
    }
    report.postings += postings;
    report.tiles_total += tiles;
    return fits;
  }

  /// Calls f(postings) for each list of a plan's terms.
  template <class F>
  void for_each_list(const BoundPlans& bound, std::size_t plan, F f) const {
    for (std::size_t s = 0; s < device_.segments.size(); ++s) {
      for (const index::TermId id : bound.ids(plan, s)) {
        if (id != kNoTerm) f(device_.segments[s].copy->lists()[id].count);
      }
    }
  }

  void run_on_device(const BoundPlans& bound, std::span<const std::size_t> chosen,
                     const SearchOptions& options, std::span<PartialResult> results,
                     Report& report) const {
    if (chosen.empty()) return;
    const DeviceGuard guard(device_.number);
    const ContextLease runs(contexts_);
    const bool pruned = knowledge_.enabled() && !options.exhaustive;
    DeviceCall(device_, runs, arena_, pruned ? &knowledge_ : nullptr, bound, options.stop, results,
               report)
        .run(chosen);
    report.bounds_bytes = knowledge_.bytes();
  }

  void run_on_host(std::span<const Plan> plans, std::span<const std::size_t> chosen,
                   const SearchOptions& options, std::span<PartialResult> results,
                   Report& report) const {
    if (chosen.empty()) return;
    std::vector<Plan> some;
    for (const std::size_t i : chosen) some.push_back(plans[i]);
    Report on_host;
    const Results done = cpu_->run(some, options, on_host);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      take(some[i], done[i], results[chosen[i]]);
    }
    report.tiles_decoded += on_host.tiles_decoded;
    report.reason += (report.reason.empty() ? "" : "; ") + std::to_string(chosen.size()) +
                     " too complex for the GPU ran on the CPU";
  }

  static void take(const Plan& plan, const ResultView& from, PartialResult& to) {
    to.count = from.count;
    if (plan.want() != Want::kTopK) {
      to.docids.assign(from.docids.begin(), from.docids.end());
      return;
    }
    for (const Hit hit : from.hits()) {
      to.keys.push_back(rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid));
    }
  }

  std::shared_ptr<const index::Index> index_;
  Device device_;
  /// Locks for itself.
  mutable cuda::BoundedPool<ExecutionContext> contexts_;
  /// Any number of threads may enter it at the same time.
  mutable tbb::task_arena arena_;
  /// Locks for itself.
  mutable cuda::KnowledgeCache knowledge_;
  std::unique_ptr<Backend> cpu_;
};

}  // namespace

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
