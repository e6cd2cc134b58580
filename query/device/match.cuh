// Whether a document matches, given the marks that the query's lists have left for it.
//
// query/language/expression.hpp evaluates the same postfix programs for whole words of documents; here a
// lane has one document, and a stack of single bits fits a register where a stack of words would go
// to local memory.
#pragma once

#include "query/device/batch.hpp"

namespace gannet::query::cuda {

/// The postfix expression for a document that has the terms whose bits are set in `marks`.
__device__ inline bool evaluate(const Query& query, const ExpressionNode* nodes,
                                std::uint32_t marks) {
  std::uint64_t stack = 0;
  for (std::uint32_t n = 0; n < query.nodes; ++n) {
    const ExpressionNode node = nodes[query.first_node + n];
    const std::uint64_t operands = (std::uint64_t{1} << (node.operand & 63)) - 1;
    switch (node.kind) {
      case ExpressionNode::kTerm:
        stack = stack << 1 | (marks >> node.operand & 1);
        break;
      case ExpressionNode::kAbsent:
        stack <<= 1;
        break;
      case ExpressionNode::kAnd:
        stack = stack >> node.operand << 1 | ((stack & operands) == operands ? 1 : 0);
        break;
      case ExpressionNode::kOr:
        stack = stack >> node.operand << 1 | ((stack & operands) != 0 ? 1 : 0);
        break;
      case ExpressionNode::kNot:
        stack ^= 1;
        break;
    }
  }
  return stack & 1;
}

/// `marks`: how many of the terms the document has, or for Match::kExpression a bit for each that
/// it has.
__device__ inline bool has_match(const Query& query, const ExpressionNode* nodes,
                                 std::uint32_t marks) {
  switch (query.match) {
    case Match::kAny:
      return marks != 0;
    case Match::kAll:
      return marks == query.terms;
    case Match::kExpression:
      break;
  }
  return (marks != 0 || query.visits_all) && evaluate(query, nodes, marks);
}

}  // namespace gannet::query::cuda
