#include "query/backend/partial_result.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

namespace gannet::query {

namespace {

/// Vectors of empty results for later calls. Thread-safe.
class KeptResults {
 public:
  /// Results of at least `plans` plans, if there are any.
  std::vector<PartialResult> take(std::size_t plans) {
    const std::lock_guard lock(mutex_);
    const auto enough = [&](const auto& results) { return results.size() >= plans; };
    const auto found = std::ranges::find_if(kept_, enough);
    std::vector<PartialResult> results;
    if (found == kept_.end()) return results;
    results = std::move(*found);
    plans_ -= results.size();
    kept_.erase(found);
    return results;
  }

  /// Those that were kept for longest make room.
  void keep(std::vector<PartialResult> results) {
    if (results.size() < kMinKept || results.size() > PartialResults::kMaxKept) return;
    const std::lock_guard lock(mutex_);
    plans_ += results.size();
    kept_.push_back(std::move(results));
    while (plans_ > PartialResults::kMaxKept) {
      plans_ -= kept_.front().size();
      kept_.erase(kept_.begin());
    }
  }

 private:
  /// Fewer are made as soon as they are found.
  static constexpr std::size_t kMinKept = 256;
  std::mutex mutex_;
  std::vector<std::vector<PartialResult>> kept_;
  std::size_t plans_ = 0;  ///< in all of them
};

/// Lives as long as the program.
KeptResults& kept_results() {
  static KeptResults& kept = *new KeptResults;
  return kept;
}

}  // namespace

PartialResults::PartialResults(std::size_t plans)
    : plans_(plans), results_(kept_results().take(plans)) {
  if (results_.size() < plans) results_.resize(plans);
}

void PartialResults::keep() { kept_results().keep(std::move(results_)); }

void PartialResult::merge(std::span<const std::uint64_t> more, std::uint32_t k) {
  if (keys.empty() && more.size() <= k) {
    keys.assign(more.begin(), more.end());
    return;
  }
  decltype(keys) merged;
  merged.reserve(keys.size() + more.size());
  std::ranges::merge(keys, more, std::back_inserter(merged), std::greater<>());
  if (merged.size() > k) merged.resize(k);
  keys = std::move(merged);
}

void PartialResult::clear() {
  count = 0;
  docids = std::vector<std::uint32_t>();
  if (keys.capacity() > kKeptKeys) {
    std::destroy_at(&keys);  // assigning an empty one would keep the memory
    std::construct_at(&keys);
  }
  keys.clear();
}

PartialResult partial(const Plan& plan, const ResultView& result) {
  PartialResult made;
  made.count = result.count;
  if (plan.want() != Want::kTopK) {
    made.docids.assign(result.docids.begin(), result.docids.end());
    return made;
  }
  made.keys.reserve(result.docids.size());
  for (const Hit hit : result.hits()) {
    made.keys.push_back(rank_key(std::bit_cast<std::uint32_t>(hit.score), hit.docid));
  }
  return made;
}

}  // namespace gannet::query
