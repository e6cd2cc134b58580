// What predicates alone decide of a query.
#pragma once

#include <vector>

#include "query/plan/filter.hpp"
#include "query/plan/making/formula.hpp"

namespace gannet::query {

/// Takes out of the formula what predicates alone decide: the result, which all matches must pass.
/// `predicates` are those of the formula's leaves; the ones that it still has are appended to
/// `kept`, and its leaves numbered anew.
Filter take_filter(Formula& formula, const std::vector<Filter>& predicates,
                   std::vector<Filter>& kept);

}  // namespace gannet::query
