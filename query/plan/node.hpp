// Nodes of the Boolean expressions of plans, which are in postfix order.
#pragma once

#include <cstdint>

namespace gannet::query {

/// A node of a Boolean expression in postfix order. A node pushes one value on a stack; an operator
/// pops its operands first. A document matches if the value that is left is true.
struct Node {
  enum class Kind : std::uint8_t {
    kTerm,       ///< documents with the term number `operand` of the plan
    kAnd,        ///< pops `operand` values, at least one; two in Plan::expression()
    kOr,         ///< pops `operand` values, at least one; two in Plan::expression()
    kNot,        ///< pops one value; `operand` is 1
    kNever,      ///< no document; `operand` is 0
    kPredicate,  ///< documents that pass predicate number `operand` of the plan
  };
  Kind kind;
  std::uint32_t operand;
};

/// Number of stack values that evaluating Plan::expression() may take. The operand that needs the
/// deeper stack comes first, so n nodes that are no operators need at most 1 + log2(n) values: 32
/// are enough for 2^31 such nodes.
inline constexpr std::uint32_t kMaxStack = 32;

}  // namespace gannet::query
