// What the target `plan` tries: an expression of any nodes is refused, or becomes a plan that
// matches what the nodes say, by an evaluation that knows no normal form.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "codecs/base/error.hpp"
#include "query/plan/making/expression.hpp"
#include "query/plan/plan.hpp"

namespace gannet::fuzz {

inline constexpr std::uint32_t kPlanTerms = 5;
/// Every combination of the terms is a document.
inline constexpr std::uint32_t kPlanDocuments = 1u << kPlanTerms;

/// A byte a node: its kind, and a number that is out of range for some.
inline query::Plan::Parts parts_of(std::span<const std::uint8_t> input) {
  query::Plan::Parts parts;
  parts.collection = {kPlanDocuments, 100};
  for (std::uint32_t t = 0; t < kPlanTerms; ++t) {
    parts.terms.push_back({std::string(1, static_cast<char>('a' + t)), kPlanDocuments / 2, 1});
  }
  for (const std::uint8_t byte : input) {
    const auto kind = static_cast<query::Node::Kind>(byte % 5);
    parts.expression.push_back({kind, kind == query::Node::Kind::kNot ? 1u : byte / 5u});
  }
  return parts;
}

/// The documents that the nodes match, a bit each; nothing if they are malformed.
inline std::optional<std::uint32_t> documents_of(const std::vector<query::Node>& expression) {
  using Kind = query::Node::Kind;
  std::vector<std::uint32_t> stack;
  for (const query::Node& node : expression) {
    if (node.kind == Kind::kTerm && node.operand >= kPlanTerms) return std::nullopt;
    if (node.kind == Kind::kTerm || node.kind == Kind::kNever) {
      std::uint32_t documents = 0;
      for (std::uint32_t d = 0; node.kind == Kind::kTerm && d < kPlanDocuments; ++d) {
        documents |= (d >> node.operand & 1u) << d;
      }
      stack.push_back(documents);
      continue;
    }
    if (node.operand == 0 || node.operand > stack.size()) return std::nullopt;
    std::uint32_t value = stack.back();
    stack.pop_back();
    if (node.kind == Kind::kNot) value = ~value;
    for (std::uint32_t i = 1; i < node.operand; ++i, stack.pop_back()) {
      value = node.kind == Kind::kAnd ? value & stack.back() : value | stack.back();
    }
    stack.push_back(value);
  }
  if (stack.size() > 1) return std::nullopt;
  return stack.empty() ? 0 : stack.back();
}

/// Whether document d has a term of each clause.
inline bool meets_clauses(const query::Plan& plan, std::uint32_t d) {
  for (std::size_t i = 0; i < plan.clauses().size(); ++i) {
    bool has_one = false;
    for (const std::uint32_t t : plan.clauses()[i]) has_one = has_one || (d >> t & 1u) != 0;
    if (!has_one) return false;
  }
  return true;
}

/// Whether flags and marks of the plan say of document d what they may.
inline void check_flags(const query::Plan& plan, std::uint32_t d, bool matches) {
  constexpr std::uint32_t kAll = kPlanDocuments - 1;
  need(!plan.disjunction() || matches == (d != 0), "a disjunction is none");
  need(!plan.conjunction() || matches == (d == kAll), "a conjunction is none");
  need(d != 0 || plan.matches_absent() == matches, "what matches without terms is wrong");
  const bool meets = meets_clauses(plan, d);
  need(meets || !matches, "a match has no term of a clause");
  need(!plan.clauses_decide() || meets == matches, "clauses do not decide");
  for (std::uint32_t t = 0; t < kPlanTerms; ++t) {
    need(!plan.terms()[t].required || !matches || (d >> t & 1u) != 0,
         "a required term is not required");
  }
}

/// Input: the nodes of an expression.
inline void try_plan(std::span<const std::uint8_t> input) {
  query::Plan::Parts parts = parts_of(input);
  const std::optional<std::uint32_t> documents = documents_of(parts.expression);
  const bool may_be_deep = parts.expression.size() > query::Plan::kMaxDepth;
  try {
    const query::Plan plan(std::move(parts));
    need(documents.has_value(), "a malformed expression is planned");
    for (std::uint32_t d = 0; d < kPlanDocuments; ++d) {
      const bool matches = (*documents >> d & 1u) != 0;
      const auto has = [d](std::uint32_t term) { return (d >> term & 1u) != 0; };
      need(query::holds(plan.expression(), has) == matches, "a plan matches other documents");
      check_flags(plan, d, matches);
    }
  } catch (const UsageError&) {
    need(!documents.has_value() || may_be_deep, "a sound expression is refused");
  }
}

}  // namespace gannet::fuzz
