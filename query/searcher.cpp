#include "query/searcher.hpp"

#include <utility>

#include "codecs/error.hpp"
#include "query/detail/choose_backend.hpp"

namespace gannet::query {
namespace {

using IndexPointer = std::shared_ptr<const index::Index>;

Choice choose(const IndexPointer& index, const SearcherOptions& options) {
  switch (options.backend) {
    case BackendChoice::kCpu:
      return {make_cpu_backend(index, options.cpu), "it was asked for"};
    case BackendChoice::kCuda:
      return {make_cuda_backend(index, options.cuda), "it was asked for"};
    case BackendChoice::kAuto:
      break;
  }
  return choose_automatically([&] { return make_cuda_backend(index, options.cuda); },
                              [&] { return make_cpu_backend(index, options.cpu); });
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
  explicit Impl(IndexPointer opened, const SearcherOptions& options)
      : index(std::move(opened)), analyzer(index->analyzer()), choice(choose(index, options)) {}

  IndexPointer index;
  index::Analyzer analyzer;  ///< any number of threads may use it
  Choice choice;
};

Searcher::Searcher(IndexPointer index, SearcherOptions options) {
  if (!index) throw UsageError("searcher: there is no index");
  impl_ = std::make_unique<Impl>(std::move(index), options);
}

Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

const index::Index& Searcher::index() const { return *impl_->index; }

std::string Searcher::backend_name() const { return impl_->choice.backend->name(); }

Plan Searcher::plan(const Query& query, bool plain) const {
  return make_plan(*impl_->index, impl_->analyzer, query, plain);
}

Result Searcher::search(const Query& query, const SearchOptions& options) const {
  const Plan planned = plan(query);
  Results results = search(std::span(&planned, 1), nullptr, options);
  return {results.counts.front(), std::move(results.docids), std::move(results.scores)};
}

Results Searcher::search(std::span<const Plan> plans, Report* report,
                         const SearchOptions& options) const {
  Report ignored;
  Report& filled = report != nullptr ? *report : ignored;
  filled = Report{};
  filled.backend = backend_name();
  filled.reason = impl_->choice.reason;
  return impl_->choice.backend->run(plans, options, filled);
}

}  // namespace gannet::query
