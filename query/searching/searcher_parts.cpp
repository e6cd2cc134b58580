#include "query/searching/searcher_parts.hpp"

#include <tbb/info.h>

#include <algorithm>
#include <utility>

#include "query/backend/choosing_backend.hpp"
#include "query/multi_gpu/device_group.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

std::unique_ptr<Backend> make_gpus(const IndexPointer& index, const CudaOptions& options) {
  return options.devices.empty() ? make_cuda_backend(index, options)
                                 : make_device_group(index, options);
}

/// The GPUs, but for counts that the CPU is expected to be faster at.
std::unique_ptr<Backend> make_either(const IndexPointer& index, const SearcherOptions& options) {
  auto gpus = make_gpus(index, options.cuda);
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  const unsigned threads =
      options.cpu.threads == 0 ? cores : std::min<unsigned>(options.cpu.threads, cores);
  const auto devices = static_cast<unsigned>(std::max<std::size_t>(1, options.cuda.devices.size()));
  return std::make_unique<ChoosingBackend>(std::move(gpus), make_cpu_backend(index, options.cpu),
                                           index->statistics().documents,
                                           CountProcessors{.threads = threads, .gpus = devices});
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
  return choose_automatically([&] { return make_either(index, options); },
                              [&] { return make_cpu_backend(index, options.cpu); });
}

/// Threads that plan batches: those that the back end may use.
int planning_threads(const Choice& choice, const SearcherOptions& options) {
  const unsigned wanted =
      choice.backend->name() == "cuda" ? options.cuda.host_threads : options.cpu.threads;
  const int cores = tbb::info::default_concurrency();
  return wanted == 0 ? cores : static_cast<int>(std::min(wanted, static_cast<unsigned>(cores)));
}

/// The report of a batch that begins: `wanted`, or `own` where nobody wants one.
Report& begin(Report* wanted, Report& own, const Choice& choice) {
  Report& report = wanted != nullptr ? *wanted : own;
  report = Report{};
  report.backend = choice.backend->name();
  report.reason = choice.reason;
  return report;
}

}  // namespace

SearcherParts::SearcherParts(IndexPointer opened, const SearcherOptions& searcher_options)
    : options(searcher_options),
      index(std::move(opened)),
      analyzer(index->analyzer()),
      choice(choose(index, options)),
      decoded(options.column_bytes),
      planners(planning_threads(choice, options)) {}

Results SearcherParts::search(std::span<const Plan> plans, Report* report,
                              const SearchOptions& limits) const {
  Report own;
  Report& filled = begin(report, own, choice);
  return choice.backend->run(LivePlans(*index, plans).get(), limits, filled);
}

std::optional<Results> SearcherParts::search_to_bitmaps(std::span<const Plan> plans,
                                                        std::span<Matches> matches, Report* report,
                                                        const SearchOptions& limits) const {
  Report own;
  Report& filled = begin(report, own, choice);
  return choice.backend->run_to_bitmaps(LivePlans(*index, plans).get(), matches, limits, filled);
}

std::vector<LeftPlan> SearcherParts::look_at_columns(std::span<const Plan> plans,
                                                     const ColumnWork& work,
                                                     const Backend::Found& found,
                                                     const SearchOptions& limits) const {
  return choice.backend->look_at_columns(LivePlans(*index, plans).get(), work, found, limits);
}

LivePlans::LivePlans(const index::Index& index, std::span<const Plan> plans) : plans_(plans) {
  if (index.deleted_documents() == 0 || std::ranges::all_of(plans, &Plan::live)) return;
  for (const Plan& plan : plans) own_.push_back(plan.live() ? plan : plan.with_live());
  plans_ = own_;
}

}  // namespace gannet::query
