// The k best of many rows, and what rows still have to reach.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "query/columns/sorting/sort_row.hpp"

namespace gannet::query {

/// The best value of the first key that rows may be worse than, and still be among the k best, for
/// all threads at work on the same rows. It only falls.
class SharedLimit {
 public:
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }
  /// There are k rows whose first part is at least as good as this one.
  void lower(const SortPart& part) {
    if (part.rank != SortPart::kValue) return;
    std::uint64_t now = value();
    while (part.value < now && !value_.compare_exchange_weak(now, part.value)) {
    }
  }

 private:
  std::atomic<std::uint64_t> value_ = ~std::uint64_t{0};
};

/// Whether a row with this first part can still matter: `worst` is the worst of k rows that this
/// thread has, if it has so many.
inline bool may_matter(const SortPart& first, const std::optional<SortRow>& worst,
                       const SharedLimit& limit) {
  if (first.rank == SortPart::kValue && first.value > limit.value()) return false;
  return !worst || first <= worst->parts[0];
}

/// Keeps the k best rows, of those behind `after` if it is given: a buffer of 2k of which the
/// better half stays when it is full.
class BestRows {
 public:
  BestRows(std::size_t k, SharedLimit* limit, const RowBound* after = nullptr)
      : k_(k), limit_(limit), after_(after) {}

  bool may_take(const SortPart& first) const {
    return k_ > 0 && may_matter(first, worst_, *limit_);
  }

  void push(const SortRow& row) {
    if (k_ == 0 || (worst_ && *worst_ < row)) return;
    if (after_ != nullptr && !after_->behind(row)) return;
    rows_.push_back(row);
    if (rows_.size() >= 2 * k_) shrink();
  }

  /// The k best, or all if there were fewer; in no order.
  std::vector<SortRow> take() {
    if (rows_.size() > k_) shrink();
    return std::move(rows_);
  }

 private:
  void shrink() {
    const auto kth = rows_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(rows_.begin(), kth, rows_.end());
    worst_ = *kth;
    rows_.resize(k_);
    limit_->lower(worst_->parts[0]);
  }

  std::size_t k_;
  SharedLimit* limit_;
  const RowBound* after_;
  std::optional<SortRow> worst_;  ///< the worst of k
  std::vector<SortRow> rows_;
};

}  // namespace gannet::query
