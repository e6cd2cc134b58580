#include "query/cpu/filter_costs.hpp"

namespace gannet::query {
namespace {

/// A document of a column that is read from end to end, and one whose code is looked up.
constexpr double kColumnCost = .4;
constexpr double kProbeCost = 5;
/// A bitmap's memory, and what is kept of it.
constexpr double kBitmapCost = 500;

/// How many times a filter reads a column of codes: once for each comparison.
std::uint32_t columns_of(const SegmentFilter& filter) {
  std::uint32_t columns =
      filter.kind == SegmentFilter::Kind::kCodes && filter.column->texts() == nullptr ? 1 : 0;
  for (const SegmentFilter& part : filter.parts) columns += columns_of(part);
  return columns;
}

}  // namespace

FilterCosts::FilterCosts(const FilterBitmap& filter) {
  const double columns = columns_of(filter.filter());
  bitmap = kBitmapCost + columns * kColumnCost * filter.documents();
  document = 1 + columns * kProbeCost;
}

}  // namespace gannet::query
