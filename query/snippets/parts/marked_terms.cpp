#include "query/snippets/parts/marked_terms.hpp"

#include <algorithm>

#include "query/scoring/scorer.hpp"

namespace gannet::query {
namespace {

constexpr double kMax = 1 << 20;

/// Whether each term stands under an even number of negations somewhere.
std::vector<bool> positive_terms(const Plan& plan) {
  std::vector<bool> positive(plan.terms().size());
  // Read backwards, postfix has each operator before its operands.
  std::vector<bool> wanted{true};
  const std::vector<Node>& nodes = plan.expression();
  for (auto node = nodes.rbegin(); node != nodes.rend() && !wanted.empty(); ++node) {
    const bool sign = wanted.back();
    wanted.pop_back();
    if (node->kind == Node::Kind::kTerm) {
      if (sign) positive[node->operand] = true;
    } else if (node->kind == Node::Kind::kNot) {
      wanted.push_back(!sign);
    } else if (node->kind == Node::Kind::kAnd || node->kind == Node::Kind::kOr) {
      wanted.insert(wanted.end(), node->operand, sign);
    }
  }
  return positive;
}

/// What each term adds to the score of a document of average length that has it once.
std::vector<double> contributions(const Plan& plan) {
  const double average = plan.collection().average_length();
  const auto length = static_cast<std::uint32_t>(std::clamp(average, 1.0, 1e9));
  std::vector<double> added;
  for (const PlanTerm& term : plan.terms()) {
    added.push_back(term.scored() ? contribution(term.shared, term.constants, 1, length) : 0);
  }
  return added;
}

}  // namespace

MarkedTerms::MarkedTerms(const Plan& plan) : worth_(plan.terms().size()) {
  const std::vector<bool> positive = positive_terms(plan);
  const std::vector<double> added = contributions(plan);
  const double largest = added.empty() ? 0 : *std::max_element(added.begin(), added.end());
  for (std::uint32_t i = 0; i < worth_.size(); ++i) {
    const PlanTerm& term = plan.terms()[i];
    if (term.field != index::kMainText) continue;  // the text that is marked is the main one
    if (!term.scored() && !positive[i]) continue;
    for (const std::string& word : term.words()) numbers_.emplace(word, i);
    const double share = largest > 0 ? added[i] / largest : 0;
    // In this order of arguments what is no number becomes 1.
    worth_[i] = static_cast<std::uint64_t>(std::min(std::max(1.0, share * kMax), kMax));
  }
}

}  // namespace gannet::query
