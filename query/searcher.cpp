#include "query/searcher.hpp"

#include <utility>

#include "codecs/error.hpp"
#include "query/language/plan.hpp"

namespace gannet::query {
namespace {

/// A back end and why it was taken.
struct Choice {
  std::unique_ptr<Backend> backend;
  std::string reason;
};

Choice choose_automatically(const index::Index& index, const SearcherOptions& options) {
  std::string why;
  if (cuda_available(&why)) {
    try {
      return {make_cuda_backend(index, options.cuda), "there is a GPU and the index fits"};
    } catch (const NoDeviceError& error) {
      why = error.what();
    } catch (const DeviceMemoryError& error) {
      why = error.what();
    }
  }
  return {make_cpu_backend(index, options.cpu), "no GPU is used: " + why};
}

Choice choose(const index::Index& index, const SearcherOptions& options) {
  switch (options.backend) {
    case BackendChoice::kCpu:
      return {make_cpu_backend(index, options.cpu), "it was asked for"};
    case BackendChoice::kCuda:
      return {make_cuda_backend(index, options.cuda), "it was asked for"};
    case BackendChoice::kAuto:
      break;
  }
  return choose_automatically(index, options);
}

}  // namespace

BackendChoice backend_choice(std::string_view name) {
  if (name == "auto") return BackendChoice::kAuto;
  if (name == "cpu") return BackendChoice::kCpu;
  if (name == "cuda") return BackendChoice::kCuda;
  throw UsageError("no back end is called '" + std::string(name) +
                   "'; there are auto, cpu and cuda");
}

struct Searcher::Impl {
  std::shared_ptr<const index::Index> index;
  index::Analyzer analyzer;
  Choice choice;
};

Searcher::Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options) {
  if (!index) throw UsageError("searcher: there is no index");
  index::Analyzer analyzer(index->analyzer());
  Choice choice = choose(*index, options);
  impl_ = std::make_unique<Impl>(Impl{std::move(index), std::move(analyzer), std::move(choice)});
}

Searcher::~Searcher() = default;

const index::Index& Searcher::index() const { return *impl_->index; }

std::string Searcher::backend_name() const { return impl_->choice.backend->name(); }

Plan Searcher::plan(const Query& query, bool plain) {
  return make_plan(*impl_->index, impl_->analyzer, query, plain);
}

Result Searcher::search(const Query& query) {
  const Plan planned = plan(query);
  return std::move(search(std::span(&planned, 1)).front());
}

std::vector<Result> Searcher::search(std::span<const Plan> plans, Report* report) {
  for (const Plan& plan : plans) check_plan(plan, *impl_->index);
  Report ignored;
  Report& filled = report != nullptr ? *report : ignored;
  filled = Report{};
  filled.backend = backend_name();
  filled.reason = impl_->choice.reason;
  return impl_->choice.backend->run(plans, filled);
}

}  // namespace gannet::query
