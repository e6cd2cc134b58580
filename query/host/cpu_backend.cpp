// The CPU back end: exhaustive and exact, one thread a query, or several where there are few
// queries.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/backend.hpp"
#include "query/detail/partial_result.hpp"
#include "query/host/candidate_search.hpp"
#include "query/host/window_search.hpp"

namespace gannet::query {
namespace {

/// A query is split over threads only into parts that have at least so many postings.
constexpr std::uint64_t kMinPostingsPerPart = 1u << 15;
constexpr unsigned kMaxThreads = 1024;

/// A range of documents of one plan in one segment.
struct Task {
  std::size_t plan;
  std::size_t segment;
  DocidRange range;
};

/// What the lists of a plan's terms hold in a segment.
struct Volume {
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;
};

Volume volume_of(const index::Segment& segment, std::span<const index::TermId> ids) {
  Volume volume;
  for (const index::TermId id : ids) {
    if (id == kNoTerm) continue;
    const std::uint32_t count = segment.document_frequency(id);
    volume.postings += count;
    volume.tiles += codecs::tile_count(count);
  }
  return volume;
}

/// The lists' lengths answer how many documents a single term matches.
bool is_count_of_term(const Plan& plan) {
  return plan.want() == Want::kCount && plan.expression().size() == 1 &&
         plan.expression().front().kind == Node::Kind::kTerm;
}

bool needs_search(const Plan& plan) {
  return !plan.expression().empty() && !is_count_of_term(plan) &&
         !(plan.want() == Want::kTopK && plan.k() == 0);
}

/// What one call works on.
struct Batch {
  BoundPlans plans;
  std::stop_token stop;
  std::vector<Task> tasks;
  /// One per plan, and the end.
  std::vector<std::size_t> first_task;
  /// One per plan: what is known without searching.
  std::vector<std::uint64_t> counts;
};

/// Joins what the parts of one plan gave, in the order of their documents.
PartialResult join(const Plan& plan, std::span<Collector> parts) {
  PartialResult result;
  for (Collector& part : parts) {
    result.count += part.count;
    result.docids.insert(result.docids.end(), part.docids.begin(), part.docids.end());
  }
  if (plan.want() != Want::kTopK || parts.empty()) return result;
  TopK top = std::move(parts.front().top);
  for (Collector& part : parts.subspan(1)) {
    for (const std::uint64_t key : part.top.take()) top.push(key);
  }
  result.keys = top.take();
  return result;
}

class CpuBackend : public Backend {
 public:
  CpuBackend(std::shared_ptr<const index::Index> index, const CpuOptions& options)
      : index_(std::move(index)),
        parts_(options.threads == 0 ? cores() : std::min(options.threads, kMaxThreads)),
        arena_(static_cast<int>(std::min(parts_, cores()))) {}

  std::string name() const override { return "cpu"; }

  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    const auto start = std::chrono::steady_clock::now();
    report.backend = name();
    report.queries = plans.size();
    report.postings = report.tiles_total = report.tiles_decoded = 0;
    Batch batch{BoundPlans(plans, *index_, options.stop), options.stop, {}, {}, {}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
      throw_if_stopped(options.stop);
      add_tasks(batch, i, report);
    }
    batch.first_task.push_back(batch.tasks.size());
    Results results;
    arena_.execute([&] { results = search(batch, plans, report); });
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.seconds = elapsed.count();
    return results;
  }

 private:
  static unsigned cores() { return static_cast<unsigned>(tbb::info::default_concurrency()); }

  const index::Segment& segment(std::size_t i) const { return *index_->segments()[i]; }

  void add_tasks(Batch& batch, std::size_t number, Report& report) const {
    const Plan& plan = batch.plans.plan(number);
    batch.first_task.push_back(batch.tasks.size());
    batch.counts.push_back(0);
    for (std::size_t s = 0; s < index_->segments().size(); ++s) {
      const Volume volume = volume_of(segment(s), batch.plans.ids(number, s));
      report.postings += volume.postings;
      report.tiles_total += volume.tiles;
      if (is_count_of_term(plan)) batch.counts.back() += count_of_term(plan, number, s, batch);
      if (needs_search(plan)) split(batch, {number, s, {}}, volume);
    }
  }

  std::uint64_t count_of_term(const Plan& plan, std::size_t number, std::size_t s,
                              const Batch& batch) const {
    const std::uint32_t term = plan.expression().front().operand;
    const index::TermId id = batch.plans.ids(number, s)[term];
    return id == kNoTerm ? 0 : segment(s).list(id).count;  // a damaged list is an error
  }

  /// Appends the tasks of a plan in a segment: one, or several ranges of documents where the batch
  /// alone does not keep the threads busy.
  void split(Batch& batch, Task task, const Volume& volume) const {
    const std::uint64_t threads = parts_;
    const std::uint64_t documents = segment(task.segment).statistics().documents;
    const std::uint64_t windows = (documents + kWindow - 1) / kWindow;
    const std::uint64_t wanted =
        threads == 1 || batch.plans.size() >= 4 * threads ? 1 : 4 * threads;
    const std::uint64_t worth = 1 + volume.postings / kMinPostingsPerPart;
    const std::uint64_t parts = std::min({wanted, worth, windows});
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t begin = windows * part / parts * kWindow;
      const std::uint64_t end = std::min(windows * (part + 1) / parts * kWindow, documents);
      task.range = {static_cast<index::Docid>(begin), static_cast<index::Docid>(end)};
      batch.tasks.push_back(task);
    }
  }

  Results search(const Batch& batch, std::span<const Plan> plans, Report& report) const {
    std::vector<Collector> collectors;
    collectors.reserve(batch.tasks.size());
    const std::uint64_t documents = index_->statistics().documents;
    for (const Task& task : batch.tasks) {
      const Plan& plan = plans[task.plan];
      const auto k = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.k(), documents));
      collectors.emplace_back(plan.want(), k, index_->docid_base(task.segment));
    }
    tbb::enumerable_thread_specific<Accumulators> accumulators;
    tbb::parallel_for(std::size_t{0}, batch.tasks.size(), [&](std::size_t i) {
      run(batch, batch.tasks[i], accumulators, collectors[i]);
    });
    std::vector<PartialResult> partial(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      throw_if_stopped(batch.stop);
      const std::size_t first = batch.first_task[i];
      const auto parts = std::span(collectors).subspan(first, batch.first_task[i + 1] - first);
      for (const Collector& part : parts) report.tiles_decoded += part.tiles_decoded;
      partial[i] = join(plans[i], parts);
      partial[i].count += batch.counts[i];
    }
    return flatten(plans, partial, batch.stop);
  }

  void run(const Batch& batch, const Task& task,
           tbb::enumerable_thread_specific<Accumulators>& accumulators,
           Collector& collector) const {
    throw_if_stopped(batch.stop);
    const Plan& plan = batch.plans.plan(task.plan);
    const auto ids = batch.plans.ids(task.plan, task.segment);
    // A single term is required too, but all its postings are wanted.
    if (plan.has_required() && !plan.disjunction()) {
      search_candidates(segment(task.segment), plan, ids, task.range, batch.stop, collector);
    } else {
      search_windows(segment(task.segment), plan, ids, task.range, batch.stop, accumulators.local(),
                     collector);
    }
  }

  std::shared_ptr<const index::Index> index_;
  /// Threads that work is cut for; where there are fewer cores, fewer run at a time.
  unsigned parts_;
  /// Any number of threads may enter it at the same time.
  mutable tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(std::shared_ptr<const index::Index> index,
                                          const CpuOptions& options) {
  return std::make_unique<CpuBackend>(std::move(index), options);
}

}  // namespace gannet::query
