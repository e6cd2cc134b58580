// Evaluating a plan's expression for many documents at once: a bit is a document, a word is 32 or
// 64 of them.
#pragma once

#include <cstdint>
#include <vector>

#include "codecs/core/lanes.hpp"
#include "query/query.hpp"

namespace gannet::query {

/// Deepest stack that an expression may need. The planner orders operands so that n term nodes need
/// at most 1 + log2(n): no query that fits in memory reaches this.
inline constexpr std::uint32_t kMaxStack = 32;

/// The documents of one word for which the expression holds. `load(term)` gives the word of the
/// documents that have the term with that index. `count` > 0 nodes, well-formed (check_plan()).
template <class Word, class Load>
GANNET_HD Word evaluate(const Node* nodes, std::uint32_t count, Load load) {
  Word stack[kMaxStack];
  stack[0] = 0;  // an empty expression matches nothing
  std::uint32_t top = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Node node = nodes[i];
    if (node.kind == Node::Kind::kTerm) {
      stack[top++] = load(node.operand);
    } else if (node.kind == Node::Kind::kNot) {
      // A checked expression has an operand here.
      stack[top - 1] = ~stack[top - 1];  // NOLINT(clang-analyzer-core.uninitialized.Assign)
    } else {
      for (std::uint32_t left = node.operand; left > 1; --left) {
        --top;
        stack[top - 1] = node.kind == Node::Kind::kAnd ? stack[top - 1] & stack[top]
                                                       : stack[top - 1] | stack[top];
      }
    }
  }
  return stack[0];
}

/// Whether a document matches that has just those terms for which `has(term)` is true.
template <class Has>
bool holds(const std::vector<Node>& expression, Has has) {
  if (expression.empty()) return false;
  const auto word = [&](std::uint32_t term) { return has(term) ? 1u : 0u; };
  return evaluate<std::uint32_t>(expression.data(), static_cast<std::uint32_t>(expression.size()),
                                 word) &
         1u;
}

}  // namespace gannet::query
