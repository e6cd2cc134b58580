// Plans as text.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "query/plan/making/formula.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {
namespace {

void explain_words(const Plan& plan, std::string& out) {
  out += "words, each scored over its texts together\n";
  for (const QueryWord& word : plan.words()) {
    out += " ";
    for (const WordTerm& term : word.terms) {
      out += " " + label(plan, plan.terms()[term.term]);
      if (term.weight != 1) fmt::format_to(std::back_inserter(out), " (weight {})", term.weight);
    }
    fmt::format_to(std::back_inserter(out), ": in {} documents", word.document_frequency);
    if (word.weight != 1) fmt::format_to(std::back_inserter(out), ", weight {}", word.weight);
    out += "\n";
  }
}

/// `3 terms (aero, aerob, aerodynam)`; of many the first ones.
void explain_terms(const std::vector<std::string>& terms, std::string& out) {
  constexpr std::size_t kShown = 20;
  fmt::format_to(std::back_inserter(out), "{} term{}", terms.size(), terms.size() == 1 ? "" : "s");
  if (terms.empty()) return;
  out += " (";
  for (std::size_t i = 0; i < std::min(terms.size(), kShown); ++i) {
    out += (i > 0 ? ", " : "") + terms[i];
  }
  out += terms.size() > kShown ? ", ...)" : ")";
}

void explain_term(const PlanTerm& term, const Plan& plan, std::string& out) {
  out += "  " + label(plan, term);
  if (term.scored() && term.weight != 1) {
    fmt::format_to(std::back_inserter(out), "^{}", term.weight);
  }
  out += ": ";
  if (term.document_frequency > 0) {
    fmt::format_to(std::back_inserter(out), "in {} documents", term.document_frequency);
  } else {
    out += "in no document";
  }
  if (term.adds_idf()) {
    out += ", of words in ";
    for (const PhraseWord& word : term.phrase.words) {
      fmt::format_to(std::back_inserter(out), "{}{}", &word == term.phrase.words.data() ? "" : ", ",
                     word.document_frequency);
    }
    out += " documents";
  }
  if (term.constant) {
    out += ", for ";
    explain_terms(term.any_of, out);
    if (term.scored()) fmt::format_to(std::back_inserter(out), ", adds {}", term.weight);
    if (!term.scored()) out += ", not scored";
  } else if (term.scored() && plan.words().empty()) {
    fmt::format_to(std::back_inserter(out), ", factor {}", term.constants.factor);
  } else if (!term.scored()) {
    out += ", not scored";
  }
  out += term.required ? ", required\n" : "\n";
}

void explain_formula(const Formula& formula, const Plan& plan, std::size_t indent,
                     std::string& out) {
  out.append(indent, ' ');
  switch (formula.kind) {
    case Node::Kind::kTerm:
      out += label(plan, plan.terms()[formula.term]) + "\n";
      return;
    case Node::Kind::kAnd:
      out += "AND\n";
      break;
    case Node::Kind::kOr:
      out += "OR\n";
      break;
    case Node::Kind::kNot:
      out += "NOT\n";
      break;
    case Node::Kind::kPredicate:
      out += to_string(plan.predicates()[formula.term]) + "\n";
      return;
    case Node::Kind::kNever:
      out += "nothing\n";
      return;
  }
  for (const Formula& part : formula.parts) explain_formula(part, plan, indent + 2, out);
}

std::string explain_want(const Plan& plan) {
  switch (plan.want()) {
    case Want::kCount:
      return "number of matching documents\n";
    case Want::kDocids:
      return "docids of matching documents\n";
    case Want::kTopK:
      break;
  }
  const std::string_view from = plan.page().first() ? "" : " behind a cursor";
  return fmt::format("best {} by {}{}\n", plan.k(), to_string(plan.scorer()), from);
}

}  // namespace

std::string label(const Plan& plan, const PlanTerm& term) {
  return term.field == index::kMainText ? term.text
                                        : plan.texts()[term.field].name + ":" + term.text;
}

std::string to_string(const Plan& plan) {
  std::string out = explain_want(plan);
  out += "terms\n";
  for (const PlanTerm& term : plan.terms()) explain_term(term, plan, out);
  if (!plan.words().empty()) explain_words(plan, out);
  out += "matches\n";
  if (plan.expression().empty()) {
    out += "  nothing\n";
  } else {
    explain_formula(from_postfix(plan.expression()), plan, 2, out);
  }
  if (!plan.filter().is_all()) out += "filter\n  " + to_string(plan.filter()) + "\n";
  return out;
}

}  // namespace gannet::query
