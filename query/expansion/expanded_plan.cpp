#include "query/expansion/expanded_plan.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "index/text/words/seeded_hash.hpp"

namespace gannet::query {
namespace {

/// What a query's own weights are multiplied by: the query's scale and its share.
double factor_of(const Plan& plan, const Expansion& expansion) {
  const bool rm3 = expansion.method == ExpansionMethod::kRm3;
  double norm = 0;
  for (const PlanTerm& term : plan.terms()) {
    const double weight = term.weight;
    norm += rm3 ? weight : weight * weight;
  }
  if (!rm3) norm = std::sqrt(norm);
  if (norm == 0) return 0;
  return (rm3 ? expansion.weight : expansion.alpha) / norm;
}

double feedback_factor(const Expansion& expansion) {
  return expansion.method == ExpansionMethod::kRm3 ? 1 - expansion.weight : expansion.beta;
}

/// A weight as plans have them.
float plan_weight(double weight, bool of_the_query) {
  const auto rounded = static_cast<float>(weight);
  if (rounded >= kMinWeight) return rounded;
  return of_the_query && weight > 0 ? kMinWeight : 0;
}

/// How often a term occurs in the index; 0, which a plan takes for "at least its document
/// frequency", if the scorer does not ask.
std::uint64_t occurrences_of(const index::Index& index, const std::string& text,
                             const ScorerSpec& scorer) {
  const ScorerInfo* const info = find_scorer(scorer.id);
  if (info == nullptr || !info->needs_occurrences) return 0;
  std::uint64_t sum = 0;
  for (const auto& segment : index.segments()) {
    if (const auto id = segment->find(text)) sum += segment->collection_frequency(*id);
  }
  return sum;
}

std::vector<Node> any_of(std::size_t terms) {
  std::vector<Node> expression;
  for (std::uint32_t i = 0; i < terms; ++i) expression.push_back({Node::Kind::kTerm, i});
  if (terms > 1) expression.push_back({Node::Kind::kOr, static_cast<std::uint32_t>(terms)});
  return expression;
}

}  // namespace

Plan expanded_plan(const index::Index& index, const Plan& plan, const Expansion& expansion,
                   std::span<const ExpansionTerm> terms) {
  Plan::Parts parts{plan.want(), plan.k(),      plan.scorer(),     plan.collection(), {},
                    {},          plan.filter(), plan.predicates(), plan.texts(),      {}};
  const bool bag = plan.disjunction() && !plan.has_operators();
  const double query_factor = factor_of(plan, expansion);
  const double factor = feedback_factor(expansion);
  std::unordered_map<std::string_view, double, index::SeededHash> given;
  for (const ExpansionTerm& term : terms) given.emplace(term.text, factor * term.weight);

  for (const PlanTerm& own : plan.terms()) {
    QueryTerm term = own;
    if (own.scored()) {
      const double of_query = query_factor * double{own.weight};
      const auto found = own.field == index::kMainText ? given.find(own.text) : given.end();
      const double of_feedback = found == given.end() ? 0 : found->second;
      term.weight = plan_weight(of_query + of_feedback, of_query > 0);
    }
    if (own.field == index::kMainText) given.erase(own.text);
    // A bag of words has no place for what does not count any more.
    if (bag && term.weight == 0) continue;
    parts.terms.push_back(std::move(term));
  }
  for (const ExpansionTerm& term : terms) {
    const auto found = given.find(term.text);
    if (found == given.end()) continue;
    const float weight = plan_weight(found->second, false);
    if (weight == 0) continue;
    parts.terms.push_back({term.text, term.document_frequency, weight,
                           occurrences_of(index, term.text, plan.scorer())});
  }
  if (parts.terms.empty()) return plan;  // all weights were too small
  parts.expression = bag ? any_of(parts.terms.size()) : plan.expression();
  Plan expanded(std::move(parts));
  expanded.bind(index);
  return expanded.with_page(plan.page());
}

}  // namespace gannet::query
