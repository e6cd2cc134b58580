// The CUDA back end: sorts a batch's plans by what they want, cuts them into sub-batches that fit
// the buffers, runs them two at a time and puts the results back into order.
#include "query/backend.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <utility>

#include "codecs/device/device.hpp"
#include "query/device/batch_run.hpp"
#include "query/device/device_index.hpp"

namespace gannet::query {
namespace {

using codecs::cuda::check;

/// Queries of one sub-batch: enough to fill the device, few enough that packing the next one
/// overlaps.
constexpr std::size_t kSubBatch = 2048;
constexpr std::uint64_t kDefaultPool = std::uint64_t{8} << 30;
/// Warps of the scoring kernels that an SM holds, roughly; items are cut for that many.
constexpr std::uint32_t kWarpsPerSm = 20;

class CudaBackend : public Backend {
 public:
  CudaBackend(const index::Index& index, const CudaOptions& options)
      : index_(index),
        segment_(*index.segments().at(0)),
        pool_(options.pool_bytes != 0 ? options.pool_bytes : default_pool()),
        device_index_(segment_, pool_),
        shape_(device_shape()) {}

  std::string name() const override { return "cuda"; }

  std::vector<Result> run(std::span<const Plan> plans, Report& report) override {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Result> results(plans.size());
    std::vector<Plan> for_cpu;
    std::vector<std::size_t> cpu_places;
    Groups groups;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      count_postings(plans[i], report);
      if (cuda::matches_nothing(plans[i])) continue;
      if (plans[i].want == Want::kTopK && plans[i].k == 0) continue;
      if (!cuda::runs_on_device(plans[i], shape_)) {
        for_cpu.push_back(plans[i]);
        cpu_places.push_back(i);
      } else {
        groups[group_of(plans[i])].push_back(i);
      }
    }
    for (const auto& [group, places] : groups) run_group(group, places, plans, results, report);
    run_on_cpu(for_cpu, cpu_places, results, report);
    report.queries += plans.size();
    report.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
  }

 private:
  /// Plans that may share a batch: the same want, and k of the same size (buffers are sized by the
  /// largest).
  using Group = std::pair<Want, std::uint32_t>;
  using Groups = std::map<Group, std::vector<std::size_t>>;

  static Group group_of(const Plan& plan) {
    if (plan.want != Want::kTopK) return {plan.want, 0};
    return {plan.want, std::bit_ceil(std::min(plan.k, std::uint32_t{1} << 31))};
  }

  static std::uint64_t default_pool() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return std::min<std::uint64_t>(kDefaultPool, free / 4);
  }

  static cuda::DeviceShape device_shape() {
    const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
    return {static_cast<std::uint32_t>(processors) * kWarpsPerSm, cuda::max_warp_memory()};
  }

  void count_postings(const Plan& plan, Report& report) const {
    for (const PlanTerm& term : plan.terms) {
      if (!term.id) continue;
      report.postings += term.document_frequency;
      report.tiles_total += codecs::tile_count(term.document_frequency);
    }
  }

  /// Assigns as many of places[first..] as the pool takes, at least one.
  cuda::Assignment assign_some(std::span<const Plan> plans, std::span<const std::size_t> places,
                               std::size_t& taken) const {
    for (taken = std::min(places.size(), kSubBatch);; taken = std::max<std::size_t>(1, taken / 2)) {
      std::vector<const Plan*> some;
      for (const std::size_t place : places.first(taken)) some.push_back(&plans[place]);
      cuda::Assignment assignment = cuda::assign(segment_, device_index_.lists(), shape_, some);
      if (taken == 1 || cuda::BatchRun::key_bytes(assignment) <= pool_ / 4) return assignment;
    }
  }

  /// Warps whose candidates fit into a quarter of the pool, at least two, at most what the device
  /// can hold.
  std::uint32_t max_warps(const cuda::Assignment& assignment) const {
    const std::uint64_t bytes = std::uint64_t{assignment.capacity} * sizeof(std::uint64_t);
    const std::uint64_t fitting = std::max<std::uint64_t>(2, pool_ / 4 / bytes);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(fitting, std::uint64_t{2} * shape_.parallel_items));
  }

  void run_group(const Group& group, std::span<const std::size_t> places,
                 std::span<const Plan> plans, std::vector<Result>& results, Report& report) {
    if (group.first == Want::kTopK) {
      run_top_k(places, plans, results, report);
    } else {
      run_matches(group.first == Want::kDocids, places, plans, results, report);
    }
  }

  /// A sub-batch on its way.
  struct InFlight {
    cuda::Assignment assignment;
    std::span<const std::size_t> places;
  };

  void run_top_k(std::span<const std::size_t> places, std::span<const Plan> plans,
                 std::vector<Result>& results, Report& report) {
    InFlight flights[2];
    std::size_t turn = 0;
    while (!places.empty()) {
      finish(turn, flights[turn], results, report);
      std::size_t taken = 0;
      flights[turn].assignment = assign_some(plans, places, taken);
      flights[turn].places = places.first(taken);
      places = places.subspan(taken);
      runs_[turn].start_top_k(device_index_.view(), flights[turn].assignment,
                              max_warps(flights[turn].assignment));
      turn = 1 - turn;
    }
    finish(turn, flights[turn], results, report);
    finish(1 - turn, flights[1 - turn], results, report);
  }

  void finish(std::size_t turn, InFlight& flight, std::vector<Result>& results, Report& report) {
    if (flight.places.empty()) return;
    std::vector<std::vector<Hit>> hits;
    add(runs_[turn].finish_top_k(hits), report);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      Result& result = results[flight.places[i]];
      result.hits = std::move(hits[i]);
      result.count = result.hits.size();
    }
    flight.places = {};
  }

  void run_matches(bool docids, std::span<const std::size_t> places, std::span<const Plan> plans,
                   std::vector<Result>& results, Report& report) {
    while (!places.empty()) {
      std::size_t taken = 0;
      const cuda::Assignment assignment = assign_some(plans, places, taken);
      std::vector<std::uint64_t> counts;
      std::vector<std::vector<std::uint32_t>> matches;
      add(runs_[0].match(device_index_.view(), assignment, docids, counts, matches), report);
      for (std::size_t i = 0; i < taken; ++i) {
        results[places[i]].count = counts[i];
        results[places[i]].docids = std::move(matches[i]);
      }
      places = places.subspan(taken);
    }
  }

  void run_on_cpu(std::span<const Plan> plans, std::span<const std::size_t> places,
                  std::vector<Result>& results, Report& report) {
    if (plans.empty()) return;
    if (!cpu_) cpu_ = make_cpu_backend(index_, {});
    Report ignored;
    std::vector<Result> done = cpu_->run(plans, ignored);
    for (std::size_t i = 0; i < done.size(); ++i) results[places[i]] = std::move(done[i]);
    report.tiles_decoded += ignored.tiles_decoded;
    report.reason += (report.reason.empty() ? "" : "; ") + std::to_string(plans.size()) +
                     " too complex for the GPU ran on the CPU";
  }

  static void add(const cuda::BatchCounters& counters, Report& report) {
    report.tiles_decoded += counters.tiles_decoded;
    report.device_seconds += counters.device_seconds;
  }

  const index::Index& index_;
  const index::Segment& segment_;
  std::uint64_t pool_;
  cuda::DeviceIndex device_index_;
  cuda::DeviceShape shape_;
  cuda::BatchRun runs_[2];
  std::unique_ptr<Backend> cpu_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(const index::Index& index, const CudaOptions& options) {
  std::string why;
  if (!cuda_available(&why)) throw NoDeviceError("no GPU to run on: " + why);
  check(cudaSetDevice(options.device), "cudaSetDevice");
  return std::make_unique<CudaBackend>(index, options);
}

bool cuda_available(std::string* why) { return codecs::cuda::available(why); }

}  // namespace gannet::query
