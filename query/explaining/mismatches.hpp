// Why an expression does not hold for a document.
#pragma once

#include <vector>

#include "query/explain.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// What a document has: whether term number i of the plan, and whether it passes predicate i.
struct DocumentFacts {
  std::vector<bool> terms = {};
  std::vector<bool> predicates = {};
};

/// The reasons why the plan's expression does not hold; empty if it holds.
std::vector<Mismatch> expression_mismatches(const Plan& plan, const DocumentFacts& facts);

}  // namespace gannet::query
