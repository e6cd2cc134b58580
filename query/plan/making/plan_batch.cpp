#include "query/plan/making/plan_batch.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "codecs/base/cancellation.hpp"
#include "index/text/words/seeded_hash.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
/// Queries of each part that is searched for equal ones, about.
constexpr std::size_t kQueriesPerPart = 256;
/// So many parts at most, each of which looks at all hashes.
constexpr std::size_t kMaxParts = 64;

/// Of each query, the number of the first one that is equal to it. Of queries with the same text
/// only the first one is looked at: others differ in little else, and seldom. In parallel, each
/// part of the texts' hashes by itself: one thread would be as long at it as others at planning.
std::vector<std::size_t> first_equals(std::span<const Query> queries) {
  std::vector<std::size_t> hashes(queries.size());
  for_plans(queries.size(), kPlansPerTask,
            [&](std::size_t i) { hashes[i] = index::seeded_hash(queries[i].text); });
  std::vector<std::size_t> firsts(queries.size());
  const std::size_t parts = std::min(kMaxParts, 1 + queries.size() / kQueriesPerPart);
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    std::unordered_map<std::string_view, std::size_t, index::SeededHash> known;
    known.reserve(queries.size() / parts);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (hashes[i] % parts != part) continue;
      const std::size_t first = known.emplace(queries[i].text, i).first->second;
      firsts[i] = queries[first] == queries[i] ? first : i;
    }
  });
  return firsts;
}

/// The error of the first query that has one, whichever thread comes across it first.
class FirstError {
 public:
  /// Whether what query `i` gives still matters.
  bool matters(std::size_t i) const { return i < query_; }

  void keep(std::size_t i, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (i >= query_) return;
    query_ = i;
    error_ = std::move(error);
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> query_ = kNone;
  std::exception_ptr error_;
};

}  // namespace

std::vector<Plan> plan_batch(std::span<const Query> queries,
                             const std::function<Plan(const Query&)>& plan,
                             const std::stop_token& stop) {
  const std::vector<std::size_t> firsts = first_equals(queries);
  std::vector<Plan> plans(queries.size());
  FirstError error;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, queries.size()), [&](const auto& range) {
    const StopScope scope(stop);  // one query may be a book
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      throw_if_stopped(stop);
      if (firsts[i] != i || !error.matters(i)) continue;
      try {
        plans[i] = plan(queries[i]);
      } catch (...) {
        error.keep(i, std::current_exception());
      }
    }
  });
  error.rethrow();
  for_plans(queries.size(), kPlansPerTask, [&](std::size_t i) {
    if (firsts[i] != i) plans[i] = plans[firsts[i]];
  });
  return plans;
}

}  // namespace gannet::query
