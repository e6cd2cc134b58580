#include "query/explaining/mismatches.hpp"

#include <algorithm>
#include <string>

#include "query/plan/making/formula.hpp"

namespace gannet::query {
namespace {

using NodeKind = Node::Kind;
using Kind = Mismatch::Kind;

class Mismatches {
 public:
  Mismatches(const Plan& plan, const DocumentFacts& facts) : plan_(plan), facts_(facts) {}

  /// Adds why `formula`, which does not hold, does not. Nested as deep as the formula, which is at
  /// most Plan::kMaxDepth.
  void add(const Formula& formula) {
    switch (formula.kind) {
      case NodeKind::kTerm:
        return add(Kind::kMissing, {text(formula)});
      case NodeKind::kPredicate:
        return add(Kind::kFilter, {text(formula)});
      case NodeKind::kNever:
        return add(Kind::kNothing, {});
      case NodeKind::kAnd:
        for (const Formula& part : formula.parts) {
          if (!holds(part)) add(part);
        }
        return;
      case NodeKind::kOr:
        return add(Kind::kMissing, texts(formula.parts));
      case NodeKind::kNot:
        break;
    }
    std::vector<std::string> names;
    add_holding(formula.parts.front(), names);
    add(Kind::kExcluded, std::move(names));
  }

  bool holds(const Formula& formula) const {
    const auto part_holds = [&](const Formula& part) { return holds(part); };
    switch (formula.kind) {
      case NodeKind::kTerm:
        return facts_.terms[formula.term];
      case NodeKind::kPredicate:
        return facts_.predicates[formula.term];
      case NodeKind::kNever:
        return false;
      case NodeKind::kAnd:
        return std::ranges::all_of(formula.parts, part_holds);
      case NodeKind::kOr:
        return std::ranges::any_of(formula.parts, part_holds);
      case NodeKind::kNot:
        break;
    }
    return !holds(formula.parts.front());
  }

  std::vector<Mismatch> take() { return std::move(found_); }

 private:
  void add(Kind kind, std::vector<std::string> names) {
    found_.push_back({kind, std::move(names)});
  }

  /// The parts of an excluded formula that the document has.
  void add_holding(const Formula& formula, std::vector<std::string>& names) const {
    if (formula.kind != NodeKind::kOr) {
      names.push_back(text(formula));
      return;
    }
    for (const Formula& part : formula.parts) {
      if (holds(part)) names.push_back(text(part));
    }
  }

  std::vector<std::string> texts(const std::vector<Formula>& formulas) const {
    std::vector<std::string> all;
    for (const Formula& formula : formulas) all.push_back(text(formula));
    return all;
  }

  std::string text(const Formula& formula) const {
    switch (formula.kind) {
      case NodeKind::kTerm:
        return label(plan_, plan_.terms()[formula.term]);
      case NodeKind::kPredicate:
        return to_string(plan_.predicates()[formula.term]);
      case NodeKind::kNever:
        return "nothing";
      case NodeKind::kNot:
        return "NOT " + text(formula.parts.front());
      case NodeKind::kAnd:
      case NodeKind::kOr:
        break;
    }
    std::string joined;
    for (const std::string& part : texts(formula.parts)) {
      if (!joined.empty()) joined += formula.kind == NodeKind::kAnd ? " AND " : " OR ";
      joined += part;
    }
    return "(" + joined + ")";
  }

  const Plan& plan_;
  const DocumentFacts& facts_;
  std::vector<Mismatch> found_;
};

}  // namespace

std::vector<Mismatch> expression_mismatches(const Plan& plan, const DocumentFacts& facts) {
  if (plan.expression().empty()) return {{Kind::kNothing, {}}};
  const Formula formula = from_postfix(plan.expression());
  Mismatches mismatches(plan, facts);
  if (!mismatches.holds(formula)) mismatches.add(formula);
  return mismatches.take();
}

}  // namespace gannet::query
