// The k best matches by columns and scores.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/columns/access/workers.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/sorting/best_rows.hpp"
#include "query/columns/sorting/row_scan.hpp"

namespace gannet::query {

/// The k best, of those behind `after` if there is one. `keys` has one at least.
std::vector<Hit> sorted_hits(const ColumnContext& context, std::span<const SortField> keys,
                             std::uint32_t k, const std::optional<Hit>& after);

/// What a row is a row of.
Hit hit_of(const ColumnContext& context, const SortRow& row);

/// Makes rows of several segments comparable: instead of codes of keywords, which are numbers in
/// the dictionaries of their segments, they get ranks of the texts among these rows.
void rank_keywords(const ColumnContext& context, std::span<const SortField> keys,
                   std::vector<SortRow>& rows);

/// A limit for each segment; if values of the first key can be compared over segments, one for all.
class SegmentLimits {
 public:
  SegmentLimits(std::size_t segments, const SortField& first)
      : limits_(first.keyword ? segments : 1) {}
  SharedLimit& of(std::size_t segment) { return limits_[limits_.size() == 1 ? 0 : segment]; }

 private:
  std::vector<SharedLimit> limits_;
};

}  // namespace gannet::query
