// Whether a document matches, by the marks that the query's lists have left for it.
#pragma once

#include "query/gpu/plan/batch.hpp"

namespace gannet::query::cuda {

/// `marks`: how many of the terms the document has, or for Match::kExpression a bit for each that
/// it has.
__device__ inline bool has_match(const BatchQuery& query, const Node* nodes, std::uint32_t marks) {
  switch (query.match) {
    case Match::kAny:
      return marks != 0;
    case Match::kAll:
      return marks == query.terms;
    case Match::kExpression:
      break;
  }
  if (marks == 0 && !query.visits_all) return false;
  return evaluate(nodes + query.first_node, query.nodes, BitStack{},
                  [marks](std::uint32_t term) { return marks >> term & 1; }) != 0;
}

}  // namespace gannet::query::cuda
