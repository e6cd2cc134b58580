// Boolean formulas over the terms of a plan: built in normal form, analysed, and written as postfix
// nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// A formula as a tree. Made by the functions below, which keep it normal: an AND has no AND among
/// its parts, an OR no OR, both have two parts or more and no term twice, and a NOT holds no NOT.
struct Formula {
  Node::Kind kind = Node::Kind::kTerm;
  /// kTerm, kPredicate: number in the plan's terms or predicates.
  std::uint32_t term = 0;
  /// kAnd, kOr: two or more; kNot: one; others: none.
  std::vector<Formula> parts;
};

Formula make_term(std::uint32_t term);
Formula make_predicate(std::uint32_t number);
/// Of every document.
Formula make_everything();
Formula make_not(Formula part);
/// `kind` is kAnd or kOr; `parts` has at least one element.
Formula make_chain(Node::Kind kind, std::vector<Formula> parts);

/// The formula in postfix order, with operators of two operands. Of two operands the one that needs
/// the deeper stack comes first, so a formula with n term nodes needs a stack of at most 1 +
/// log2(n): see kMaxStack.
std::vector<Node> to_postfix(const Formula& formula);

/// The inverse of to_postfix(): the normal form of any well-formed expression that is not empty, of
/// operators with any number of operands. Takes time linear in its length.
Formula from_postfix(const std::vector<Node>& expression);

}  // namespace gannet::query
