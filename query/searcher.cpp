#include "query/searcher.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/backend/choose_backend.hpp"
#include "query/columns/access/decoded_columns.hpp"
#include "query/multi_gpu/device_group.hpp"
#include "query/plan/making/plan_batch.hpp"
#include "query/plan/making/plan_times.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

std::unique_ptr<Backend> make_gpus(const IndexPointer& index, const CudaOptions& options) {
  return options.devices.empty() ? make_cuda_backend(index, options)
                                 : make_device_group(index, options);
}

Choice choose(const IndexPointer& index, const SearcherOptions& options) {
  switch (options.backend) {
    case BackendChoice::kCpu:
      return {make_cpu_backend(index, options.cpu), "it was asked for"};
    case BackendChoice::kCuda:
      return {make_gpus(index, options.cuda), "it was asked for"};
    case BackendChoice::kAuto:
      break;
  }
  return choose_automatically([&] { return make_gpus(index, options.cuda); },
                              [&] { return make_cpu_backend(index, options.cpu); });
}

/// Plans that find no deleted documents: those that were made for another state of the index may.
class LivePlans {
 public:
  LivePlans(const index::Index& index, std::span<const Plan> plans) : plans_(plans) {
    if (index.deleted_documents() == 0 || std::ranges::all_of(plans, &Plan::live)) return;
    for (const Plan& plan : plans) own_.push_back(plan.live() ? plan : plan.with_live());
    plans_ = own_;
  }
  LivePlans(const LivePlans&) = delete;
  LivePlans& operator=(const LivePlans&) = delete;
  ~LivePlans() = default;
  std::span<const Plan> get() const { return plans_; }

 private:
  std::vector<Plan> own_;
  std::span<const Plan> plans_;
};

}  // namespace

BackendChoice backend_choice(std::string_view name) {
  if (name == "auto") return BackendChoice::kAuto;
  if (name == "cpu") return BackendChoice::kCpu;
  if (name == "cuda") return BackendChoice::kCuda;
  throw UsageError("no back end is called '" + std::string(name) +
                   "'; there are auto, cpu and cuda");
}

/// Threads that plan batches: those that the back end may use.
int planning_threads(const Choice& choice, const SearcherOptions& options) {
  const unsigned wanted =
      choice.backend->name() == "cuda" ? options.cuda.host_threads : options.cpu.threads;
  const int cores = tbb::info::default_concurrency();
  return wanted == 0 ? cores : static_cast<int>(std::min(wanted, static_cast<unsigned>(cores)));
}

struct Searcher::Impl {
  explicit Impl(IndexPointer opened, const SearcherOptions& searcher_options)
      : options(searcher_options),
        index(std::move(opened)),
        analyzer(index->analyzer()),
        choice(choose(index, options)),
        decoded(options.column_bytes),
        planners(planning_threads(choice, options)) {}

  Report& begin(Report& report) const {
    report = Report{};
    report.backend = choice.backend->name();
    report.reason = choice.reason;
    return report;
  }

  SearcherOptions options;
  IndexPointer index;
  index::Analyzer analyzer;  ///< any number of threads may use it
  Choice choice;
  DecodedColumns decoded;
  tbb::task_arena planners;
};

Searcher::Searcher(IndexPointer index, SearcherOptions options) {
  if (!index) throw UsageError("searcher: there is no index");
  impl_ = std::make_unique<Impl>(std::move(index), options);
}

Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

const index::Index& Searcher::index() const { return *impl_->index; }

std::optional<Searcher> Searcher::refresh() const {
  if (index().path().empty()) throw UsageError("the index was not opened from a directory");
  auto now = std::make_shared<const index::Index>(index::Index::open(index().path(), index()));
  // A directory that was built anew may have come to the same generation.
  const bool same = now->generation() == index().generation() &&
                    std::ranges::equal(now->segments(), index().segments());
  if (same) return std::nullopt;
  return Searcher(std::move(now), impl_->options);
}

std::shared_ptr<const index::Index> Searcher::shared_index() const { return impl_->index; }

std::string Searcher::backend_name() const { return impl_->choice.backend->name(); }

Plan Searcher::plan(const Query& query, bool plain, const SearchOptions& options) const {
  return within_limits(options, [&](const SearchOptions& limited) {
    throw_if_stopped(limited.stop);
    const StopScope scope(limited.stop);
    return make_plan(*impl_->index, impl_->analyzer, query, plain);
  });
}

std::vector<Plan> Searcher::plan(std::span<const Query> queries, bool plain,
                                 const SearchOptions& options, PlanReport* report) const {
  const PlanTimes::Clock::time_point start = PlanTimes::Clock::now();
  PlanTimes times;
  const auto plan_one = [&](const Query& query) {
    return make_plan(*impl_->index, impl_->analyzer, query, plain, &times);
  };
  std::vector<Plan> plans = within_limits(options, [&](const SearchOptions& limited) {
    return impl_->planners.execute([&] { return plan_batch(queries, plan_one, limited.stop); });
  });
  if (report != nullptr) {
    report->seconds = std::chrono::duration<double>(PlanTimes::Clock::now() - start).count();
    report->analysis_seconds = report->seconds * times.analysis_share();
  }
  return plans;
}

Result Searcher::search(const Query& query, const SearchOptions& options) const {
  const Plan planned = plan(query, false, options);
  Results results = search(std::span(&planned, 1), nullptr, options);
  return {results.counts.front(), std::move(results.docids), std::move(results.scores)};
}

Results Searcher::search(std::span<const Plan> plans, Report* report,
                         const SearchOptions& options) const {
  Report own;
  Report& filled = impl_->begin(report != nullptr ? *report : own);
  return impl_->choice.backend->run(LivePlans(index(), plans).get(), options, filled);
}

std::optional<Results> Searcher::search_to_bitmaps(std::span<const Plan> plans,
                                                   std::span<Matches> matches, Report* report,
                                                   const SearchOptions& options) const {
  Report own;
  Report& filled = impl_->begin(report != nullptr ? *report : own);
  return impl_->choice.backend->run_to_bitmaps(LivePlans(index(), plans).get(), matches, options,
                                               filled);
}

DecodedColumns& Searcher::decoded_columns() const { return impl_->decoded; }

std::optional<std::vector<SegmentFindings>> Searcher::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  const LivePlans live(index(), std::span(&plan, 1));
  return impl_->choice.backend->look_at_columns(live.get().front(), work, options);
}

std::vector<Plan> Searcher::expand(std::span<const Plan> plans, const Expansion& expansion,
                                   ExpansionReport* report, const SearchOptions& options) const {
  ExpansionReport ignored;
  ExpansionReport& filled = report != nullptr ? *report : ignored;
  filled = ExpansionReport{};
  const LivePlans live(index(), plans);
  return within_limits(options, [&](const SearchOptions& limited) {
    return impl_->planners.execute([&] {
      return expand_plans(*impl_->choice.backend, *impl_->index, live.get(), expansion, limited,
                          filled);
    });
  });
}

}  // namespace gannet::query
