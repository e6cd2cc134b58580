// The public way to search: open an index, give it queries, get hits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/backend.hpp"
#include "query/hits.hpp"
#include "query/query.hpp"

namespace gannet::query {

enum class BackendChoice { kAuto, kCpu, kCuda };

/// "auto", "cpu" or "cuda". Throws UsageError for any other name.
BackendChoice backend_choice(std::string_view name);

struct SearcherOptions {
  BackendChoice backend = BackendChoice::kAuto;
  CpuOptions cpu;
  CudaOptions cuda;
};

/// Runs queries over an index. Not thread-safe: one batch at a time (a batch itself is parallel).
class Searcher {
 public:
  /// kCuda throws NoDeviceError where there is no GPU; kAuto takes the GPU if there is one and the
  /// index fits, else the CPU, and the reports say why.
  explicit Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options = {});
  ~Searcher();

  const index::Index& index() const;
  std::string backend_name() const;

  /// Plans one query. `plain`: see make_plan().
  Plan plan(const Query& query, bool plain = false);

  Result search(const Query& query);
  std::vector<Result> search(std::span<const Plan> plans, Report* report = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::query
