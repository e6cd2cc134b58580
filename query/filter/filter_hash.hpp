// Filters as keys of tables, by pointers to them.
#pragma once

#include <cstddef>

#include "query/plan/filter.hpp"

namespace gannet::query {

struct FilterHash {
  std::size_t operator()(const Filter* filter) const { return filter->hash(); }
};
struct EqualFilters {
  bool operator()(const Filter* a, const Filter* b) const { return *a == *b; }
};

}  // namespace gannet::query
