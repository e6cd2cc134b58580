// Searching for all matches of plans, and what the columns say of them.
#include "query/search_columns.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/columns/access/columns_in_use.hpp"
#include "query/columns/access/known_columns.hpp"
#include "query/plan/making/plan_ranges.hpp"
#include "query/searching/searcher_parts.hpp"

namespace gannet::query {
namespace {

/// What all matches of the plans that are searched together may take.
constexpr std::uint64_t kMatchBytes = std::uint64_t{256} << 20;
/// What bitmaps take that are filled and looked at soonest: the caches of a host's cores hold them.
/// (Each step is a search of its own: filters that the back end does not keep are made for each.)
constexpr std::uint64_t kCachedBytes = std::uint64_t{32} << 20;
/// Plans that keep a thread busy while others end theirs.
constexpr std::uint64_t kPlansPerThread = 8;

/// How the plans of a query by columns are searched.
struct Kind {
  bool scores = false;  ///< of all matches
  bool best = false;    ///< the best by score besides all matches, whose scores nobody needs then
};

Kind kind_of(const ColumnQuery& query) {
  return {query.sorts() && query.needs_scores(), !query.sorts() && query.k > 0};
}

unsigned cores() { return static_cast<unsigned>(tbb::info::default_concurrency()); }

/// Plans that are searched together, for all documents may match each: a bit per document, or
/// docids and scores besides.
std::size_t plans_at_a_time(std::uint64_t documents, bool bitmaps, Kind kind, unsigned threads) {
  const std::uint64_t list = sizeof(index::Docid) + (kind.scores ? sizeof(float) : 0);
  const std::uint64_t bytes = documents / 8 + (bitmaps ? 0 : documents * list) + 1;
  const std::uint64_t most = std::max<std::uint64_t>(1, kMatchBytes / bytes);
  if (!bitmaps) return static_cast<std::size_t>(most);
  const std::uint64_t wanted = std::max(kCachedBytes / bytes, kPlansPerThread * threads);
  return static_cast<std::size_t>(std::min(most, wanted));
}

/// The plans whose results are the matches, and behind them those of the best. By the threads of
/// the arena that the calling thread is in: copies of plans take as long as short queries.
std::vector<Plan> searched_plans(std::span<const Plan> plans, const ColumnQuery& query, Kind kind,
                                 std::uint32_t documents) {
  std::vector<Plan> searched(plans.size() * (kind.best ? 2 : 1));
  for_plans(plans.size(), kPlansPerTask, [&](std::size_t i) {
    searched[i] = kind.scores ? plans[i].with_want(Want::kTopK).with_k(documents).with_page({})
                              : plans[i].with_want(Want::kDocids);
    if (kind.best) searched[plans.size() + i] = plans[i].with_want(Want::kTopK).with_k(query.k);
  });
  return searched;
}

/// Calls f(i, threads) for every plan, in an arena of the threads: one after the other with all of
/// them, or, if there are many plans, as many at the same time as there are threads, each with its
/// own.
template <class F>
void for_each_plan(tbb::task_arena& arena, std::size_t plans, const F& f) {
  const auto threads = static_cast<unsigned>(arena.max_concurrency());
  arena.execute([&] {
    if (plans < threads) {
      for (std::size_t i = 0; i < plans; ++i) f(i, threads);
    } else {
      tbb::parallel_for(std::size_t{0}, plans, [&](std::size_t i) { f(i, 1u); });
    }
  });
}

class ColumnSearch {
 public:
  ColumnSearch(const Searcher& searcher, const ColumnQuery& query, const ColumnOptions& options,
               const SearchOptions& search)
      : searcher_(searcher),
        parts_(parts_of(searcher)),
        query_(query),
        counted_(query),
        options_(options),
        search_(search),
        kind_(kind_of(query)),
        columns_(parts_.decoded, searcher.index()),
        arena_(
            static_cast<int>(options.threads == 0 ? cores() : std::min(options.threads, cores()))) {
    // The back end finds the best by score without scoring all matches.
    if (!query.sorts()) counted_.k = 0;
  }

  std::vector<ColumnResults> run(std::span<const Plan> plans, Report& report) const {
    std::vector<ColumnResults> results(plans.size());
    report.reason = parts_.choice.reason;
    if (kind_.scores) {
      if (searcher_.backend_name() == "cuda") {
        report.host_columns.add(ColumnReason::kScores, plans.size());
      }
      run_in_steps(plans, results, report);
    } else {
      const std::vector<std::size_t> left = run_by_backend(plans, results, report);
      if (left.size() == plans.size()) {
        run_in_steps(plans, results, report);
      } else {
        report.queries += plans.size() - left.size();
        run_left(plans, left, results, report);
        if (kind_.best) add_best(plans, left, results, report);
      }
    }
    const std::string host = report.host_columns.text();
    if (!host.empty()) report.reason += (report.reason.empty() ? "" : "; ") + host;
    return results;
  }

 private:
  /// Searches for the matches, of as many plans at a time as have room.
  void run_in_steps(std::span<const Plan> plans, std::span<ColumnResults> results,
                    Report& report) const {
    // Scores come with hits, which the CPU back end alone can do without.
    const bool bitmaps = !kind_.scores && searcher_.backend_name() == "cpu";
    const auto threads = static_cast<unsigned>(arena_.max_concurrency());
    const std::size_t step = plans_at_a_time(documents(), bitmaps, kind_, threads);
    std::vector<Matches> room;
    const std::size_t steps = (plans.size() + step - 1) / step;
    for (std::size_t i = 0; i < steps; ++i) {  // their sizes differ by one plan at most
      const std::size_t first = plans.size() * i / steps;
      const std::size_t count = plans.size() * (i + 1) / steps - first;
      run(plans.subspan(first, count), results.subspan(first, count), room, report);
    }
  }

  /// Where the back end looks at columns by itself: the host adds what the back end does not know,
  /// a plan on each of its threads. Returns the plans that the back end has left.
  std::vector<std::size_t> run_by_backend(std::span<const Plan> plans,
                                          std::span<ColumnResults> results, Report& report) const {
    if (searcher_.backend_name() == "cpu") return all_of(plans);
    const index::Index& index = searcher_.index();
    const ColumnWork work = work_of(counted_, index);
    const auto cores_there = static_cast<unsigned>(arena_.max_concurrency());
    const unsigned threads = plans.size() < cores_there ? cores_there : 1;
    std::mutex mutex;  // of host_columns
    HostColumns host_columns;
    const auto found = [&](std::size_t i, ColumnFindings&& findings) {
      const KnownColumns known{work, std::move(findings)};
      arena_.execute([&] {
        results[i] = look_at_columns(index, known, counted_, threads, options_.stop, &columns_);
      });
      const ColumnReasons reasons = known.reasons();
      if (reasons.none()) return;
      const std::lock_guard lock(mutex);
      host_columns.add(reasons);
    };
    std::vector<std::size_t> left;
    for (const LeftPlan& one : parts_.look_at_columns(plans, work, found, search_)) {
      left.push_back(one.plan);
      host_columns.add(one.reasons);
    }
    report.host_columns.add(host_columns);
    return left;
  }

  static std::vector<std::size_t> all_of(std::span<const Plan> plans) {
    std::vector<std::size_t> all(plans.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  void run_left(std::span<const Plan> plans, std::span<const std::size_t> left,
                std::span<ColumnResults> results, Report& report) const {
    if (left.empty()) return;
    std::vector<Plan> some;
    for (const std::size_t i : left) some.push_back(plans[i]);
    std::vector<ColumnResults> found(some.size());
    run_in_steps(some, found, report);
    for (std::size_t n = 0; n < left.size(); ++n) results[left[n]] = std::move(found[n]);
  }

  /// Hits by score, of the plans that were not left.
  void add_best(std::span<const Plan> plans, std::span<const std::size_t> left,
                std::span<ColumnResults> results, Report& report) const {
    std::vector<Plan> searched;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (std::ranges::binary_search(left, i)) continue;
      searched.push_back(plans[i].with_want(Want::kTopK).with_k(query_.k));
      numbers.push_back(i);
    }
    Report batch;
    const Results found = searcher_.search(searched, &batch, search_);
    batch.queries = 0;
    report.add(batch);
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      const auto hits = found[n].hits();
      results[numbers[n]].hits.assign(hits.begin(), hits.end());
      results[numbers[n]].scored = true;
    }
  }

  std::uint32_t documents() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(
        searcher_.index().statistics().documents, std::numeric_limits<std::uint32_t>::max()));
  }

  /// `room`: matches of which the memory is used again, where there are any.
  void run(std::span<const Plan> plans, std::span<ColumnResults> results,
           std::vector<Matches>& room, Report& report) const {
    const std::vector<Plan> searched =
        arena_.execute([&] { return searched_plans(plans, query_, kind_, documents()); });
    const Results found = search(searched, plans.size(), room, report);
    const index::Index& index = searcher_.index();
    for_each_plan(arena_, plans.size(), [&](std::size_t i, unsigned threads) {
      Matches own;
      if (room.empty()) own = matches_of(index, found[i], kind_.scores);
      Matches& matches = room.empty() ? own : room[i];
      if (!room.empty()) matches.counted = found.counts[i];
      results[i] = look_at_columns(
          ColumnContext{index, matches, threads, options_.stop, nullptr, &columns_}, counted_);
      if (!kind_.best) return;
      const auto hits = found[plans.size() + i].hits();
      results[i].hits.assign(hits.begin(), hits.end());
      results[i].scored = true;
    });
  }

  /// What the plans found; where the back end can, bitmaps of what the first `count` match instead,
  /// which are in `bitmaps` then: else there are none.
  Results search(std::span<const Plan> searched, std::size_t count, std::vector<Matches>& bitmaps,
                 Report& report) const {
    Report batch;
    std::optional<Results> found;
    if (!kind_.scores) {
      if (bitmaps.size() < count) bitmaps.resize(count);
      found = parts_.search_to_bitmaps(searched, std::span(bitmaps).first(count), &batch, search_);
    }
    if (!found) {
      bitmaps.clear();
      found = searcher_.search(searched, &batch, search_);
    }
    batch.queries = count;
    report.add(batch);
    return std::move(*found);
  }

  const Searcher& searcher_;
  SearcherParts& parts_;
  const ColumnQuery& query_;
  ColumnQuery counted_;
  const ColumnOptions& options_;
  const SearchOptions& search_;
  Kind kind_;
  ColumnsInUse columns_;
  mutable tbb::task_arena arena_;
};

}  // namespace

std::vector<ColumnResults> search_columns(const Searcher& searcher, std::span<const Plan> plans,
                                          const ColumnQuery& query, const ColumnOptions& options,
                                          Report* report, const SearchOptions& search) {
  check(query, searcher.index().schema());
  Report sum;
  sum.backend = searcher.backend_name();
  ColumnOptions columns = options;
  SearchOptions searches = search;
  columns.deadline = searches.deadline = std::min(options.deadline, search.deadline);
  std::vector<ColumnResults> results =
      within_limits(columns, [&](const ColumnOptions& limited_columns) {
        return within_limits(searches, [&](const SearchOptions& limited) {
          return ColumnSearch(searcher, query, limited_columns, limited).run(plans, sum);
        });
      });
  if (report != nullptr) *report = std::move(sum);
  return results;
}

ColumnResults search_columns(const Searcher& searcher, const Plan& plan, const ColumnQuery& query,
                             const ColumnOptions& options, Report* report,
                             const SearchOptions& search) {
  return std::move(
      search_columns(searcher, std::span(&plan, 1), query, options, report, search).front());
}

}  // namespace gannet::query
