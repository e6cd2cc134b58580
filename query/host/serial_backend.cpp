// The CPU back end: exhaustive and exact, one thread a query, or several where there are few
// queries.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "query/backend.hpp"
#include "query/host/candidate_search.hpp"
#include "query/host/window_search.hpp"

namespace gannet::query {
namespace {

/// A query is split over threads only into parts that have at least so many postings.
constexpr std::uint64_t kMinPostingsPerPart = 1u << 15;

/// A range of documents of one plan.
struct Task {
  const Plan* plan;
  DocidRange range;
};

/// What the lists of a plan's terms hold.
struct Volume {
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;
};

Volume volume_of(const Plan& plan) {
  Volume volume;
  for (const PlanTerm& term : plan.terms) {
    if (!term.id) continue;
    volume.postings += term.document_frequency;
    volume.tiles += codecs::tile_count(term.document_frequency);
  }
  return volume;
}

/// The document frequency answers how many documents a single term matches.
bool is_count_of_term(const Plan& plan) {
  return plan.want == Want::kCount && plan.expression.size() == 1;
}

bool is_trivial(const Plan& plan, std::uint64_t documents) {
  return plan.expression.empty() || documents == 0 || is_count_of_term(plan) ||
         (plan.want == Want::kTopK && plan.k == 0);
}

Result trivial_result(const Plan& plan) {
  Result result;
  if (is_count_of_term(plan)) {
    const PlanTerm& term = plan.terms[plan.expression.front().operand];
    result.count = term.id ? term.document_frequency : 0;
  }
  return result;
}

/// Joins what the parts of one plan gave, in the order of their documents.
Result merge(const Plan& plan, std::span<Collector> parts) {
  Result result;
  for (Collector& part : parts) {
    result.count += part.count;
    result.docids.insert(result.docids.end(), part.docids.begin(), part.docids.end());
  }
  if (plan.want != Want::kTopK) return result;
  TopK top = std::move(parts.front().top);
  for (Collector& part : parts.subspan(1)) {
    for (const std::uint64_t key : part.top.take()) top.push(key);
  }
  const auto keys = top.take();
  result.count = keys.size();
  result.hits.reserve(keys.size());
  std::transform(keys.begin(), keys.end(), std::back_inserter(result.hits), hit_of);
  return result;
}

class SerialBackend : public Backend {
 public:
  SerialBackend(const index::Index& index, const CpuOptions& options)
      : threads_(options.threads == 0 ? tbb::info::default_concurrency()
                                      : static_cast<int>(std::min(options.threads, kMaxThreads))),
        arena_(threads_) {
    // Without this, TBB has no more threads than there are cores, and says so on stderr.
    if (threads_ > tbb::info::default_concurrency()) {
      limit_.emplace(tbb::global_control::max_allowed_parallelism, threads_);
    }
    if (!index.segments().empty()) segment_ = index.segments().front();
  }

  std::string name() const override { return "cpu"; }

  std::vector<Result> run(std::span<const Plan> plans, Report& report) override {
    const auto start = std::chrono::steady_clock::now();
    report.backend = name();
    report.queries = plans.size();
    report.postings = report.tiles_total = report.tiles_decoded = 0;
    std::vector<Task> tasks;
    std::vector<std::size_t> first_task;
    for (const Plan& plan : plans) {
      const Volume volume = volume_of(plan);
      report.postings += volume.postings;
      report.tiles_total += volume.tiles;
      first_task.push_back(tasks.size());
      if (!is_trivial(plan, documents())) split(plan, volume, plans.size(), tasks);
    }
    first_task.push_back(tasks.size());
    std::vector<Collector> collectors = search(tasks);
    std::vector<Result> results;
    results.reserve(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const auto parts =
          std::span(collectors).subspan(first_task[i], first_task[i + 1] - first_task[i]);
      for (const Collector& part : parts) report.tiles_decoded += part.tiles_decoded;
      results.push_back(parts.empty() ? trivial_result(plans[i]) : merge(plans[i], parts));
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.seconds = elapsed.count();
    return results;
  }

 private:
  std::uint64_t documents() const { return segment_ ? segment_->statistics().documents : 0; }

  /// Appends the plan's tasks: one, or several ranges of documents where the batch alone does not
  /// keep the threads busy.
  void split(const Plan& plan, const Volume& volume, std::size_t batch, std::vector<Task>& tasks) {
    const auto threads = static_cast<std::uint64_t>(threads_);
    const std::uint64_t windows = (documents() + kWindow - 1) / kWindow;
    const std::uint64_t wanted = threads == 1 || batch >= 4 * threads ? 1 : 4 * threads;
    const std::uint64_t worth = 1 + volume.postings / kMinPostingsPerPart;
    const std::uint64_t parts = std::min({wanted, worth, windows});
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t begin = windows * part / parts * kWindow;
      const std::uint64_t end = std::min(windows * (part + 1) / parts * kWindow, documents());
      tasks.push_back({&plan, {static_cast<index::Docid>(begin), static_cast<index::Docid>(end)}});
    }
  }

  std::vector<Collector> search(const std::vector<Task>& tasks) {
    std::vector<Collector> collectors;
    collectors.reserve(tasks.size());
    for (const Task& task : tasks) {
      const auto k = static_cast<std::uint32_t>(std::min<std::uint64_t>(task.plan->k, documents()));
      collectors.emplace_back(task.plan->want, k);
    }
    tbb::enumerable_thread_specific<Window> windows;
    const auto run_task = [&](std::size_t i) {
      const Task& task = tasks[i];
      // A single term has a driver too, but all its postings are wanted.
      if (has_driver(*task.plan) && !task.plan->disjunction) {
        search_candidates(*segment_, *task.plan, task.range, collectors[i]);
      } else {
        search_windows(*segment_, *task.plan, task.range, windows.local(), collectors[i]);
      }
    };
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, tasks.size(), run_task); });
    return collectors;
  }

  static constexpr unsigned kMaxThreads = 1024;

  std::shared_ptr<const index::Segment> segment_;
  int threads_;
  std::optional<tbb::global_control> limit_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const index::Index& index, const CpuOptions& options) {
  return std::make_unique<SerialBackend>(index, options);
}

}  // namespace gannet::query
