#include "query/snippets/parts/marked_terms.hpp"

#include <algorithm>

#include "query/phrases/marked_places.hpp"
#include "query/phrases/window_groups.hpp"
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
  for (std::uint32_t i = 0; i < plan.terms().size(); ++i) item_terms_.push_back(i);
  for (std::uint32_t i = 0; i < plan.terms().size(); ++i) {
    const PlanTerm& term = plan.terms()[i];
    if (term.field != index::kMainText) continue;  // the text that is marked is the main one
    if (!term.scored() && !positive[i]) continue;
    const double share = largest > 0 ? added[i] / largest : 0;
    // In this order of arguments what is no number becomes 1.
    worth_[i] = static_cast<std::uint64_t>(std::min(std::max(1.0, share * kMax), kMax));
    if (!term.phrase.empty()) {
      add_window(term.phrase, i);
      continue;
    }
    for (const std::string& word : term.words()) words_[number_of(word)].items.push_back(i);
  }
}

std::uint32_t MarkedTerms::number_of(const std::string& term) {
  const auto next = static_cast<std::uint32_t>(words_.size());
  const auto [entry, is_new] = numbers_.try_emplace(term, next);
  if (is_new) words_.push_back({.text = term});
  return entry->second;
}

void MarkedTerms::add_window(const Phrase& phrase, std::uint32_t term) {
  const auto number = static_cast<std::uint32_t>(windows_.size());
  Window& window = windows_.emplace_back();
  window.shape = phrase.window;
  std::vector<std::uint32_t> items;  // by place
  const auto first = static_cast<std::uint32_t>(worth_.size());
  for (std::size_t i = 0; i < phrase.words.size(); ++i) {
    const std::vector<std::string>& any_of = phrase.words[i].any_of;
    std::vector<std::uint32_t>& own = window.words.emplace_back();
    for (const std::string& word : any_of) own.push_back(number_of(word));
    const auto before = std::find(window.words.begin(), window.words.end() - 1, own);
    if (before + 1 != window.words.end()) {
      items.push_back(items[static_cast<std::size_t>(before - window.words.begin())]);
      continue;
    }
    items.push_back(static_cast<std::uint32_t>(worth_.size()));
    item_terms_.push_back(term);
    worth_.push_back(0);
    for (const std::uint32_t word : own) words_[word].in_windows.push_back({number, items.back()});
  }
  const std::uint64_t share = worth_[term] / (worth_.size() - first);
  std::fill(worth_.begin() + first, worth_.end(), std::max<std::uint64_t>(1, share));
  window.groups = window_groups(window.words);
}

}  // namespace gannet::query
