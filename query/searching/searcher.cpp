#include "query/searcher.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/expansion/expand.hpp"
#include "query/plan/making/plan_batch.hpp"
#include "query/plan/making/plan_times.hpp"
#include "query/searching/searcher_parts.hpp"

namespace gannet::query {

Searcher::Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options) {
  if (!index) throw UsageError("searcher: there is no index");
  parts_ = std::make_unique<SearcherParts>(std::move(index), options);
}

Searcher::~Searcher() = default;
Searcher::Searcher(Searcher&&) noexcept = default;
Searcher& Searcher::operator=(Searcher&&) noexcept = default;

const index::Index& Searcher::index() const { return *parts_->index; }

std::optional<Searcher> Searcher::refresh() const {
  if (index().path().empty()) throw UsageError("the index was not opened from a directory");
  auto now = std::make_shared<const index::Index>(index::Index::open(index().path(), index()));
  // A directory that was built anew may have come to the same generation.
  const bool same = now->generation() == index().generation() &&
                    std::ranges::equal(now->segments(), index().segments());
  if (same) return std::nullopt;
  return Searcher(std::move(now), parts_->options);
}

std::shared_ptr<const index::Index> Searcher::shared_index() const { return parts_->index; }

std::string Searcher::backend_name() const { return parts_->choice.backend->name(); }

Plan Searcher::plan(const Query& query, bool plain, const SearchOptions& options) const {
  return within_limits(options, [&](const SearchOptions& limited) {
    throw_if_stopped(limited.stop);
    const StopScope scope(limited.stop);
    return make_plan(*parts_->index, parts_->analyzer, query, plain);
  });
}

std::vector<Plan> Searcher::plan(std::span<const Query> queries, bool plain,
                                 const SearchOptions& options, PlanReport* report) const {
  const PlanTimes::Clock::time_point start = PlanTimes::Clock::now();
  PlanTimes times;
  const auto plan_one = [&](const Query& query) {
    return make_plan(*parts_->index, parts_->analyzer, query, plain, &times);
  };
  std::vector<Plan> plans = within_limits(options, [&](const SearchOptions& limited) {
    return parts_->planners.execute([&] { return plan_batch(queries, plan_one, limited.stop); });
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
  return parts_->search(plans, report, options);
}

SearcherParts& parts_of(const Searcher& searcher) { return *searcher.parts_; }

std::vector<Plan> Searcher::expand(std::span<const Plan> plans, const Expansion& expansion,
                                   ExpansionReport* report, const SearchOptions& options) const {
  ExpansionReport ignored;
  ExpansionReport& filled = report != nullptr ? *report : ignored;
  filled = ExpansionReport{};
  const LivePlans live(index(), plans);
  return within_limits(options, [&](const SearchOptions& limited) {
    return parts_->planners.execute([&] {
      return expand_plans(*parts_->choice.backend, *parts_->index, live.get(), expansion, limited,
                          filled);
    });
  });
}

}  // namespace gannet::query
