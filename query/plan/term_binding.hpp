// Where an index has the terms of a plan.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/plan/plan_share.hpp"

namespace gannet::query {

class Plan;

/// Stands for a term that a segment does not have.
inline constexpr index::TermId kNoTerm = 0xffffffffu;

/// The numbers of a plan's terms in every segment of one index. Does not keep the index alive.
class TermBinding {
 public:
  /// Belongs to no index.
  TermBinding() = default;
  /// `keys`: of the terms, as lexicons have them.
  TermBinding(std::span<const std::string> keys, const index::Index& index);

  /// The number of the segment that is the first one of `index`, if it was made for the very
  /// segments that `index` has, perhaps with others before and behind them; else nothing.
  std::optional<std::size_t> first_of(const index::Index& index) const;

  /// The segments that it was made for; null if it belongs to no index. Plans of one index share
  /// the list.
  const index::SegmentList* segments() const { return segments_.get(); }

  /// The terms' numbers in a segment, kNoTerm where it has none.
  std::span<const index::TermId> ids(std::size_t segment) const {
    return std::span(ids_).subspan(segment * terms_, terms_);
  }

 private:
  std::shared_ptr<const index::SegmentList> segments_;  ///< null: of no index
  std::vector<index::TermId> ids_;                      ///< of one segment after the other
  std::size_t terms_ = 0;
};

/// The plans of a batch, or a share of them, bound to one index; those that are bound to another
/// are looked up, until a stop is asked for (CancelledError). Refers to the plans.
class BoundPlans {
 public:
  BoundPlans(std::span<const Plan> plans, const index::Index& index, const std::stop_token& stop,
             const PlanShare& share = {});

  std::size_t size() const { return plans_.size(); }
  const Plan& plan(std::size_t i) const;
  std::span<const index::TermId> ids(std::size_t plan, std::size_t segment) const {
    return bindings_[plan].binding->ids(bindings_[plan].first_segment + segment);
  }

 private:
  struct Bound {
    const TermBinding* binding = nullptr;
    std::size_t first_segment = 0;  ///< which of the binding's is the first of the index
  };
  void bind(std::size_t begin, std::size_t end, const index::Index& index);

  std::span<const Plan> plans_;
  const PlanShare share_;
  std::vector<Bound> bindings_;
  std::deque<TermBinding> made_;
};

}  // namespace gannet::query
