#include "tools/output/plan_json.hpp"

#include <string>

#include "query/plan/making/formula.hpp"

namespace gannet::tools {
namespace {

using NodeKind = query::Node::Kind;

Json term_json(const query::Plan& plan, const query::PlanTerm& term) {
  Json json{{"term", query::label(plan, term)},
            {"document_frequency", term.document_frequency},
            {"scored", term.scored()},
            {"required", term.required}};
  if (term.constant) json["any_of"] = term.any_of;
  if (!term.scored()) return json;
  json["weight"] = shortest(term.weight);
  // A term of BM25F is scored with the others of its word.
  if (plan.words().empty()) json["factor"] = shortest(term.constants.factor);
  return json;
}

Json word_json(const query::Plan& plan, const query::QueryWord& word) {
  Json terms = Json::array();
  for (const query::WordTerm& term : word.terms) {
    terms.push_back(
        {{"term", query::label(plan, plan.terms()[term.term])}, {"weight", shortest(term.weight)}});
  }
  return {{"terms", std::move(terms)},
          {"document_frequency", word.document_frequency},
          {"weight", shortest(word.weight)}};
}

Json formula_json(const query::Plan& plan, const query::Formula& formula) {
  switch (formula.kind) {
    case NodeKind::kTerm:
      return {{"op", "term"}, {"term", query::label(plan, plan.terms()[formula.term])}};
    case NodeKind::kPredicate:
      return {{"op", "filter"}, {"filter", query::to_string(plan.predicates()[formula.term])}};
    case NodeKind::kNever:
      return {{"op", "nothing"}};
    case NodeKind::kAnd:
    case NodeKind::kOr:
    case NodeKind::kNot:
      break;
  }
  Json parts = Json::array();
  for (const query::Formula& part : formula.parts) parts.push_back(formula_json(plan, part));
  const bool conjunction = formula.kind == NodeKind::kAnd;
  return {{"op", conjunction                     ? "and"
                 : formula.kind == NodeKind::kOr ? "or"
                                                 : "not"},
          {"of", std::move(parts)}};
}

const char* want_name(query::Want want) {
  switch (want) {
    case query::Want::kCount:
      return "count";
    case query::Want::kDocids:
      return "ids";
    case query::Want::kTopK:
      break;
  }
  return "hits";
}

}  // namespace

Json json_of(const query::Plan& plan) {
  Json terms = Json::array();
  for (const query::PlanTerm& term : plan.terms()) terms.push_back(term_json(plan, term));
  Json json{{"want", want_name(plan.want())}, {"terms", std::move(terms)}};
  if (!plan.words().empty()) {
    Json& words = json["words"] = Json::array();
    for (const query::QueryWord& word : plan.words()) words.push_back(word_json(plan, word));
  }
  json["matches"] = plan.expression().empty()
                        ? Json{{"op", "nothing"}}
                        : formula_json(plan, query::from_postfix(plan.expression()));
  return json;
}

}  // namespace gannet::tools
