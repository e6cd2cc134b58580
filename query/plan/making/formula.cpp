#include "query/plan/making/formula.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace gannet::query {
namespace {

/// A part of a chain that is already there: a term, or a negated term. Larger repetitions stay.
class Repetitions {
 public:
  bool seen(const Formula& part) {
    const bool negated = part.kind == Node::Kind::kNot;
    const Formula& leaf = negated ? part.parts.front() : part;
    if (leaf.kind != Node::Kind::kTerm) return false;
    const std::uint64_t number = std::uint64_t{leaf.term} * 2 + (negated ? 1 : 0);
    if (few_.size() < kFew) {
      if (std::ranges::find(few_, number) != few_.end()) return true;
      few_.push_back(number);
      return false;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return !many_.insert(number).second;
  }

 private:
  /// Usual queries have a few terms: looking through them costs less than hashing.
  static constexpr std::size_t kFew = 16;
  std::vector<std::uint64_t> few_;
  std::unordered_set<std::uint64_t> many_;  ///< all of them, once they are not few
};

struct Postfix {
  std::vector<Node> nodes;
  std::uint32_t depth;  ///< of the stack that evaluating them needs
};

Postfix postfix_of(const Formula& formula);

/// Of parts that are terms, which most queries are.
Postfix postfix_of_terms(const Formula& chain) {
  Postfix result{{}, 2};
  result.nodes.reserve(2 * chain.parts.size());
  for (const Formula& part : chain.parts) {
    result.nodes.push_back({part.kind, part.term});
    if (result.nodes.size() > 1) result.nodes.push_back({chain.kind, 2});
  }
  return result;
}

Postfix postfix_of_chain(const Formula& chain) {
  const auto is_leaf = [](const Formula& part) { return part.parts.empty(); };
  if (std::ranges::all_of(chain.parts, is_leaf)) return postfix_of_terms(chain);
  std::vector<Postfix> parts;
  for (const Formula& part : chain.parts) parts.push_back(postfix_of(part));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Postfix& a, const Postfix& b) { return a.depth > b.depth; });
  Postfix result = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    result.nodes.insert(result.nodes.end(), parts[i].nodes.begin(), parts[i].nodes.end());
    result.nodes.push_back({chain.kind, 2});
    result.depth = std::max(result.depth, parts[i].depth + 1);
  }
  return result;
}

Postfix postfix_of(const Formula& formula) {
  if (formula.parts.empty()) return {{{formula.kind, formula.term}}, 1};
  if (formula.kind != Node::Kind::kNot) return postfix_of_chain(formula);
  Postfix result = postfix_of(formula.parts.front());
  result.nodes.push_back({Node::Kind::kNot, 1});
  return result;
}

}  // namespace

Formula make_term(std::uint32_t term) { return {Node::Kind::kTerm, term, {}}; }

Formula make_predicate(std::uint32_t number) { return {Node::Kind::kPredicate, number, {}}; }

Formula make_everything() { return make_not({Node::Kind::kNever, 0, {}}); }

Formula make_not(Formula part) {
  if (part.kind == Node::Kind::kNot) {
    Formula inner = std::move(part.parts.front());
    return inner;
  }
  Formula negation{Node::Kind::kNot, 0, {}};
  negation.parts.push_back(std::move(part));
  return negation;
}

Formula make_chain(Node::Kind kind, std::vector<Formula> parts) {
  Formula chain{kind, 0, {}};
  Repetitions repetitions;
  const auto add = [&](Formula&& part) {
    if (!repetitions.seen(part)) chain.parts.push_back(std::move(part));
  };
  for (Formula& part : parts) {
    if (part.kind == kind) {
      for (Formula& inner : part.parts) add(std::move(inner));
    } else {
      add(std::move(part));
    }
  }
  if (chain.parts.size() > 1) return chain;
  Formula only = std::move(chain.parts.front());
  return only;
}

std::vector<Node> to_postfix(const Formula& formula) { return postfix_of(formula).nodes; }

namespace {

/// Brings a tree of flat chains to normal form.
Formula normal(Formula formula) {
  for (Formula& part : formula.parts) part = normal(std::move(part));
  switch (formula.kind) {
    case Node::Kind::kNot:
      return make_not(std::move(formula.parts.front()));
    case Node::Kind::kAnd:
    case Node::Kind::kOr:
      return make_chain(formula.kind, std::move(formula.parts));
    case Node::Kind::kTerm:
    case Node::Kind::kNever:
    case Node::Kind::kPredicate:
      break;
  }
  return formula;
}

/// An operator whose operands are being read, the last one first.
struct Open {
  Formula made;
  std::uint64_t missing;  ///< operands
};

}  // namespace

Formula from_postfix(const std::vector<Node>& expression) {
  // From the end, an operator comes before its operands: an AND below an AND, an OR below an OR
  // just adds to the operands that its parent waits for. So chains are flat at once, however they
  // are nested, and nothing is ever copied.
  std::vector<Open> open;
  for (auto node = expression.rbegin(); node != expression.rend(); ++node) {
    const bool leaf = node->kind == Node::Kind::kTerm || node->kind == Node::Kind::kNever ||
                      node->kind == Node::Kind::kPredicate;
    if (!leaf) {
      const bool negation = node->kind == Node::Kind::kNot;
      const std::uint64_t operands = negation ? 1 : node->operand;
      if (!negation && !open.empty() && open.back().made.kind == node->kind) {
        open.back().missing += operands - 1;
      } else {
        open.push_back({Formula{node->kind, 0, {}}, operands});
      }
      continue;
    }
    Formula value{node->kind, node->operand, {}};
    while (true) {
      if (open.empty()) return normal(std::move(value));
      open.back().made.parts.push_back(std::move(value));
      if (--open.back().missing > 0) break;
      value = std::move(open.back().made);
      std::ranges::reverse(value.parts);
      open.pop_back();
    }
  }
  return {Node::Kind::kNever, 0, {}};  // well-formed expressions do not come here
}

}  // namespace gannet::query
