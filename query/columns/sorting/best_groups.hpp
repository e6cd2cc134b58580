// The k groups of a segment with the best hits.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "query/columns/access/document_codes.hpp"
#include "query/columns/sorting/best_rows.hpp"
#include "query/columns/sorting/sort_row.hpp"

namespace gannet::query {

/// A group and its best hit. Ordered by the hit, then by the value, as groups are.
struct GroupBest {
  SortRow row = {};
  std::uint64_t code = 0;                              ///< of the value in the row's segment
  auto operator<=>(const GroupBest&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Takes rows and keeps the k groups with the best ones. A row that is worse than the best of the
/// k-th group can neither make a group better nor a new one good enough. Not thread-safe.
class BestGroups {
 public:
  BestGroups(std::size_t k, SharedLimit* limit) : k_(k), limit_(limit) {}

  bool may_take(const SortPart& first) const {
    return k_ > 0 && may_matter(first, worst_, *limit_);
  }

  /// `codes`: the values of the row's document.
  void push(const SortRow& row, const std::vector<std::uint64_t>& codes) {
    if (k_ == 0 || (worst_ && *worst_ < row)) return;
    for (const std::uint64_t code : codes) offer({row, code});
  }

  const std::set<GroupBest>& groups() const { return groups_; }

 private:
  void offer(const GroupBest& group) {
    const auto known = rows_.find(group.code);
    if (known != rows_.end()) {
      if (!(group.row < known->second)) return;
      groups_.erase({known->second, group.code});
      known->second = group.row;
    } else {
      rows_.emplace(group.code, group.row);
    }
    groups_.insert(group);
    if (groups_.size() > k_) {
      rows_.erase(groups_.rbegin()->code);
      groups_.erase(std::prev(groups_.end()));
    }
    if (groups_.size() == k_) {
      worst_ = groups_.rbegin()->row;
      limit_->lower(worst_->parts[0]);
    }
  }

  std::size_t k_;
  SharedLimit* limit_;
  std::set<GroupBest> groups_;
  std::unordered_map<std::uint64_t, SortRow> rows_;  ///< best row by code, of the same groups
  std::optional<SortRow> worst_;                     ///< best row of the k-th group
};

}  // namespace gannet::query
