// Which terms of a plan are marked in texts, and what each is worth.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// The terms that add to a score, or stand in the expression under an even number of negations.
class MarkedTerms {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  explicit MarkedTerms(const Plan& plan);

  /// The number in the plan of a term that is marked, or kNone.
  std::uint32_t find(std::string_view term) const {
    const auto found = numbers_.find(term);
    return found == numbers_.end() ? kNone : found->second;
  }
  /// Terms of the plan, marked or not.
  std::size_t size() const { return worth_.size(); }
  bool empty() const { return numbers_.empty(); }
  /// What term `number` adds to the score of a document of average length that has it once: whole
  /// numbers from 1, the largest 2^20, so that sums do not depend on their order.
  std::uint64_t worth(std::uint32_t number) const { return worth_[number]; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::uint64_t> worth_;
};

}  // namespace gannet::query
