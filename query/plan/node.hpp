// Nodes of the Boolean expressions of plans.
#pragma once

#include <cstdint>

namespace gannet::query {

/// A node of a Boolean expression in postfix order.
struct Node {
  enum class Kind : std::uint8_t {
    kTerm,       ///< documents with the term number `operand` of the plan
    kAnd,        ///< of the `operand` values before it
    kOr,         ///< of the `operand` values before it
    kNot,        ///< of the value before it; `operand` is 1
    kNever,      ///< no document; `operand` is 0
    kPredicate,  ///< documents that pass predicate number `operand` of the plan
  };
  Kind kind;
  std::uint32_t operand;
};

/// Deepest stack that a plan's expression needs. Of two operands the one that needs the deeper
/// stack comes first, so n term nodes need at most 1 + log2(n): no query that fits in memory
/// reaches this.
inline constexpr std::uint32_t kMaxStack = 32;

}  // namespace gannet::query
