// What evaluating a filter costs, for all documents of a segment or for some.
#pragma once

#include <cstdint>

#include "query/filter/filter_bitmap.hpp"

namespace gannet::query {

/// In postings of a list that is read from end to end, as MatchCosts.
struct FilterCosts {
  explicit FilterCosts(const FilterBitmap& filter);

  double bitmap;    ///< making its bitmap
  double document;  ///< looking one document up (FilterProbe)
};

}  // namespace gannet::query
