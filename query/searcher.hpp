// The public way to search: open an index, give it queries, get hits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "query/backend.hpp"
#include "query/plan.hpp"
#include "query/query.hpp"
#include "query/results.hpp"

namespace gannet::query {

enum class BackendChoice { kAuto, kCpu, kCuda };

/// "auto", "cpu" or "cuda". Throws UsageError for any other name.
BackendChoice backend_choice(std::string_view name);

struct SearcherOptions {
  BackendChoice backend = BackendChoice::kAuto;
  CpuOptions cpu;
  CudaOptions cuda;
};

/// Runs queries over an index. Any number of threads may use one searcher at the same time; a batch
/// is parallel by itself, so one thread keeps a machine busy if it has many queries at hand.
class Searcher {
 public:
  /// kCuda throws NoDeviceError where there is no GPU; kAuto takes the GPU if there is one that can
  /// be used and the index fits, else (any CudaError while it is made ready) the CPU, and the
  /// reports say why.
  explicit Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options = {});
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  const index::Index& index() const;
  std::string backend_name() const;

  /// Plans one query. `plain`: see make_plan().
  Plan plan(const Query& query, bool plain = false) const;

  /// Plans a batch in parallel: plan i belongs to query i. Equal queries are planned once. Throws
  /// what the first query that cannot be planned gives by itself, CancelledError after a stop
  /// request.
  std::vector<Plan> plan(std::span<const Query> queries, bool plain = false,
                         const SearchOptions& options = {}) const;

  /// Plans and runs one query of the query language.
  Result search(const Query& query, const SearchOptions& options = {}) const;

  /// Runs a batch of plans, made for this index or another: result i belongs to plan i. Throws
  /// FormatError for a damaged list, CancelledError after a stop request, CudaError.
  Results search(std::span<const Plan> plans, Report* report = nullptr,
                 const SearchOptions& options = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::query
