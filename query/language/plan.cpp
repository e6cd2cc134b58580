#include "query/language/plan.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "codecs/error.hpp"
#include "query/language/expression.hpp"
#include "query/language/formula.hpp"
#include "query/language/parse.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {
namespace {

/// A formula, or nothing where analysis left no term.
using Matching = std::optional<Formula>;

/// Turns syntax into a formula and collects the terms on the way.
class Planner {
 public:
  Planner(index::Analyzer& analyzer, Mode mode) : analyzer_(analyzer), mode_(mode) {}

  /// A term's text and how often it occurs where it adds to the score.
  struct Term {
    std::string text;
    std::uint32_t occurrences = 0;
  };
  const std::vector<Term>& terms() const { return terms_; }

  /// `positive`: under an even number of negations.
  Matching plan(const Syntax& syntax, bool positive) {
    switch (syntax.kind) {
      case Syntax::Kind::kWord:
        return side_by_side(syntax.word, positive);
      case Syntax::Kind::kNot:
        return negated(plan(syntax.parts.front(), !positive));
      case Syntax::Kind::kAnd:
        return chain(Node::Kind::kAnd, plan_all(syntax.parts, positive));
      case Syntax::Kind::kOr:
        return chain(Node::Kind::kOr, plan_all(syntax.parts, positive));
      case Syntax::Kind::kGroup:
        break;
    }
    return plan_group(syntax.parts, positive);
  }

  /// The terms of a text without operators, combined by the mode.
  Matching side_by_side(std::string_view text, bool positive) {
    std::vector<std::string> words;
    analyzer_.analyze(text, words);
    std::vector<Formula> parts;
    parts.reserve(words.size());
    for (std::string& word : words) parts.push_back(make_term(add(std::move(word), positive)));
    return chain(mode_kind(), std::move(parts));
  }

 private:
  Node::Kind mode_kind() const { return mode_ == Mode::kAnd ? Node::Kind::kAnd : Node::Kind::kOr; }

  static Matching negated(Matching part) {
    return part ? Matching(make_not(std::move(*part))) : std::nullopt;
  }

  static Matching chain(Node::Kind kind, std::vector<Formula> parts) {
    return parts.empty() ? std::nullopt : Matching(make_chain(kind, std::move(parts)));
  }

  std::vector<Formula> plan_all(const std::vector<Syntax>& syntaxes, bool positive) {
    std::vector<Formula> parts;
    for (const Syntax& syntax : syntaxes) {
      if (Matching part = plan(syntax, positive)) parts.push_back(std::move(*part));
    }
    return parts;
  }

  /// Clauses side by side. What decides: those with `+` and those negated; if there is none with
  /// `+`, those without a sign as well, combined by the mode.
  Matching plan_group(const std::vector<Syntax>& clauses, bool positive) {
    std::vector<Formula> all;
    std::vector<Formula> unsigned_clauses;
    bool any_must = false;
    for (const Syntax& clause : clauses) {
      const bool must_not = clause.sign == Sign::kMustNot;
      Matching part = plan(clause, positive != must_not);
      if (!part) continue;
      const bool must = clause.sign == Sign::kMust;
      any_must = any_must || must;
      if (must_not) {
        all.push_back(make_not(std::move(*part)));
      } else if (must || clause.kind == Syntax::Kind::kNot) {
        all.push_back(std::move(*part));
      } else {
        unsigned_clauses.push_back(std::move(*part));
      }
    }
    if (!any_must && !unsigned_clauses.empty()) {
      all.insert(all.begin(), make_chain(mode_kind(), std::move(unsigned_clauses)));
    }
    return chain(Node::Kind::kAnd, std::move(all));
  }

  std::uint32_t add(std::string&& word, bool positive) {
    const auto next = static_cast<std::uint32_t>(terms_.size());
    const auto [place, is_new] = numbers_.emplace(std::move(word), next);
    if (is_new) terms_.push_back({place->first, 0});
    if (positive) ++terms_[place->second].occurrences;
    return place->second;
  }

  index::Analyzer& analyzer_;
  Mode mode_;
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

void check_parameters(float k1, float b) {
  if (!(k1 >= 0 && k1 <= kMaxK1)) {
    throw UsageError("BM25: k1 must be between 0 and 1e9, not " + std::to_string(k1));
  }
  if (!(b >= 0 && b <= 1)) {
    throw UsageError("BM25: b must be between 0 and 1, not " + std::to_string(b));
  }
}

/// Looks the term up and weighs it. The weight is computed in double and rounded once.
PlanTerm describe(const Planner::Term& term, const index::Index& index, float k1) {
  PlanTerm described;
  described.text = term.text;
  described.scored = term.occurrences > 0;
  if (!index.segments().empty()) {
    const index::Segment& segment = *index.segments().front();
    described.id = segment.find(term.text);
    if (described.id) described.document_frequency = segment.document_frequency(*described.id);
  }
  if (described.scored && described.id) {
    const double idf =
        inverse_document_frequency(index.statistics().documents, described.document_frequency);
    described.weight = static_cast<float>(idf * (double{k1} + 1.0) * term.occurrences);
  }
  return described;
}

/// Whether the formula is a chain of `kind`, or a single term, that has all terms of the plan, all
/// scored.
bool is_flat(const Formula& formula, Node::Kind kind, const std::vector<PlanTerm>& terms) {
  const auto is_term = [](const Formula& part) { return part.kind == Node::Kind::kTerm; };
  const auto scored = [](const PlanTerm& term) { return term.scored; };
  if (!std::all_of(terms.begin(), terms.end(), scored)) return false;
  if (is_term(formula)) return terms.size() == 1;
  return formula.kind == kind && formula.parts.size() == terms.size() &&
         std::all_of(formula.parts.begin(), formula.parts.end(), is_term);
}

void set_matching(Plan& plan, const Formula& formula) {
  plan.expression = to_postfix(formula);
  for (const std::uint32_t term : required_terms(formula)) plan.terms[term].required = true;
  plan.disjunction = is_flat(formula, Node::Kind::kOr, plan.terms);
  plan.conjunction = is_flat(formula, Node::Kind::kAnd, plan.terms);
  plan.matches_absent = holds(plan.expression, [](std::uint32_t) { return false; });
}

}  // namespace

Plan make_plan(const index::Index& index, index::Analyzer& analyzer, const Query& query,
               bool plain) {
  Plan plan;
  plan.want = query.want;
  plan.k = query.k;
  plan.k1 = query.k1.value_or(index.defaults().k1);
  plan.b = query.b.value_or(index.defaults().b);
  check_parameters(plan.k1, plan.b);
  Planner planner(analyzer, query.mode);
  const Matching formula =
      plain ? planner.side_by_side(query.text, true) : planner.plan(parse(query.text), true);
  for (const auto& term : planner.terms()) {
    plan.terms.push_back(describe(term, index, plan.k1));
  }
  if (formula) set_matching(plan, *formula);
  return plan;
}

namespace {

[[noreturn]] void fail_plan(const std::string& what) {
  throw UsageError("plan: " + what + "; make plans with make_plan() for the index they run on");
}

void check_term(const PlanTerm& term, const index::Index& index) {
  if (!(term.weight >= 0) || !std::isfinite(term.weight)) {
    fail_plan("the weight of '" + term.text + "' is not a number >= 0");
  }
  if (!term.id) return;
  const bool known =
      !index.segments().empty() && *term.id < index.segments().front()->statistics().terms;
  if (!known) fail_plan("the index has no term number " + std::to_string(*term.id));
  if (index.segments().front()->document_frequency(*term.id) != term.document_frequency) {
    fail_plan("the document frequency of '" + term.text + "' is another one in the index");
  }
}

void check_expression(const Plan& plan) {
  std::uint64_t depth = 0;
  for (const Node& node : plan.expression) {
    const bool is_term = node.kind == Node::Kind::kTerm;
    const std::uint64_t operands = node.kind == Node::Kind::kNot ? 1 : node.operand;
    if (is_term && node.operand >= plan.terms.size()) {
      fail_plan("the expression has a term number that is none");
    }
    if (!is_term && (operands == 0 || operands > depth)) {
      fail_plan("an operator of the expression lacks operands");
    }
    depth = is_term ? depth + 1 : depth - operands + 1;
    if (depth > kMaxStack) fail_plan("the expression needs too deep a stack");
  }
  if (!plan.expression.empty() && depth != 1) fail_plan("the expression has more than one value");
}

}  // namespace

void check_plan(const Plan& plan, const index::Index& index) {
  check_parameters(plan.k1, plan.b);
  for (const PlanTerm& term : plan.terms) check_term(term, index);
  check_expression(plan);
}

}  // namespace gannet::query
