// What a searcher is made of, for what stands on it: queries by columns, and tests.
#pragma once

#include <tbb/task_arena.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/backend/backend.hpp"
#include "query/backend/choose_backend.hpp"
#include "query/backend/column_work.hpp"
#include "query/columns/access/decoded_columns.hpp"
#include "query/options/searcher_options.hpp"
#include "query/results/matches.hpp"
#include "query/searcher.hpp"

namespace gannet::query {

/// Any number of threads may use it at the same time.
struct SearcherParts {
  SearcherParts(std::shared_ptr<const index::Index> opened,
                const SearcherOptions& searcher_options);

  /// Searcher::search().
  Results search(std::span<const Plan> plans, Report* report, const SearchOptions& limits) const;
  /// Runs a batch of which the first plans only say what matches: Backend::run_to_bitmaps(). Throws
  /// what search() throws.
  std::optional<Results> search_to_bitmaps(std::span<const Plan> plans, std::span<Matches> matches,
                                           Report* report = nullptr,
                                           const SearchOptions& limits = {}) const;
  /// What columns say of all documents that match each plan, of those that the back end does not
  /// leave: Backend::look_at_columns().
  std::vector<LeftPlan> look_at_columns(std::span<const Plan> plans, const ColumnWork& work,
                                        const Backend::Found& found,
                                        const SearchOptions& limits = {}) const;

  SearcherOptions options;
  std::shared_ptr<const index::Index> index;
  index::Analyzer analyzer;
  Choice choice;
  DecodedColumns decoded;  ///< the columns that stay decoded
  tbb::task_arena planners;
};

/// The parts live as long as the searcher, which may be moved meanwhile.
SearcherParts& parts_of(const Searcher& searcher);

/// Plans that find no deleted documents: those that were made for another state of the index may.
class LivePlans {
 public:
  LivePlans(const index::Index& index, std::span<const Plan> plans);
  LivePlans(const LivePlans&) = delete;
  LivePlans& operator=(const LivePlans&) = delete;
  ~LivePlans() = default;
  std::span<const Plan> get() const { return plans_; }

 private:
  std::vector<Plan> own_;
  std::span<const Plan> plans_;
};

}  // namespace gannet::query
