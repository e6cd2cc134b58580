// Who runs which plans of a call, where several back ends share them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "query/plan.hpp"

namespace gannet::query {

/// Each plan goes to the first that takes it, so that none waits for another at the end. Plans with
/// a filter are shared out beforehand: making one for all who might take them would cost more.
/// Thread-safe.
class PlanClaims {
 public:
  PlanClaims(std::span<const Plan> plans, std::size_t takers)
      : plans_(plans),
        takers_(takers),
        taken_(std::make_unique<std::atomic<bool>[]>(plans.size())),
        left_(plans.size()) {}

  /// Whether a plan is, or was, there for this one to take.
  bool may_take(std::size_t plan, std::size_t taker) const {
    return plans_[plan].filter().is_all() || plan % takers_ == taker;
  }
  /// Takes a plan, if it is there.
  bool take(std::size_t plan, std::size_t taker) {
    if (taken_[plan].load(std::memory_order_relaxed) || !may_take(plan, taker)) return false;
    if (taken_[plan].exchange(true, std::memory_order_relaxed)) return false;
    left_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  /// How many to take at a time of so many at most: fewer towards the end, so that all end at about
  /// the same time.
  std::size_t at_a_time(std::size_t most) const {
    const std::size_t share = left_.load(std::memory_order_relaxed) / (2 * takers_);
    return std::clamp<std::size_t>(share, (most + 3) / 4, most);
  }
  std::size_t takers() const { return takers_; }

 private:
  const std::span<const Plan> plans_;
  const std::size_t takers_;
  const std::unique_ptr<std::atomic<bool>[]> taken_;
  std::atomic<std::size_t> left_;
};

/// Plans begin .. end - 1.
struct PlanShare {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

/// One who takes; without claims, who takes all.
struct PlanTaker {
  PlanClaims* claims = nullptr;
  std::size_t number = 0;

  bool may_take(std::size_t plan) const {
    return claims == nullptr || claims->may_take(plan, number);
  }
  bool take(std::size_t plan) const { return claims == nullptr || claims->take(plan, number); }
  std::size_t takers() const { return claims == nullptr ? 1 : claims->takers(); }
  /// A stretch of so many plans that is this one's to count, whoever takes them.
  PlanShare share_of(std::size_t plans) const {
    return {plans * number / takers(), plans * (number + 1) / takers()};
  }
  std::size_t at_a_time(std::size_t most) const {
    return claims == nullptr ? most : claims->at_a_time(most);
  }
};

/// Plans of a list that wait to be run, in its order.
class WaitingPlans {
 public:
  /// Keeps a view of the list.
  WaitingPlans(std::span<const std::size_t> list, const PlanTaker& taker)
      : list_(list), taker_(taker), expected_(taker.share_of(list.size()).size()) {}

  /// How many plans there will be in all, about.
  std::size_t expected() const { return expected_; }
  std::size_t at_a_time(std::size_t most) const { return taker_.at_a_time(most); }

  /// The next plans, so many at most; they wait until they are done(). None: there are no more.
  std::span<const std::size_t> next(std::size_t most) {
    while (taken_.size() - done_ < most && !list_.empty()) {
      if (taker_.take(list_.front())) taken_.push_back(list_.front());
      list_ = list_.subspan(1);
    }
    const std::span<const std::size_t> waiting = std::span(taken_).subspan(done_);
    return waiting.first(std::min(waiting.size(), most));
  }
  /// The first so many do not wait any more.
  void done(std::size_t count) { done_ += count; }
  /// All that were taken.
  std::span<const std::size_t> taken() const { return taken_; }

 private:
  std::span<const std::size_t> list_;
  PlanTaker taker_;
  std::size_t expected_;
  std::vector<std::size_t> taken_;
  std::size_t done_ = 0;
};

}  // namespace gannet::query
