#include "query/bounds/word_lists.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

void append(const Plan& plan, const WordTerm& text, float factor, WordLists& lists) {
  lists.push_back(
      {text.term, false, factor, word_in_text(plan, text), Contribution(plan, text, factor)});
}

/// The first word's text with the term; the term with weight 1 if no word has it.
WordTerm word_text_of(const Plan& plan, std::uint32_t term) {
  for (const QueryWord& word : plan.words()) {
    const auto found = std::ranges::find(word.terms, term, &WordTerm::term);
    if (found != word.terms.end()) return *found;
  }
  return {term, 1};
}

}  // namespace

WordLists word_lists(const Plan& plan) {
  WordLists lists;
  for (const QueryWord& word : plan.words()) {
    const float factor = word_factor(plan, word);
    for (const WordTerm& text : word.terms) append(plan, text, factor, lists);
    lists.back().ends_word = true;
  }
  if (!plan.words().empty()) return lists;
  for (std::uint32_t t = 0; t < plan.terms().size(); ++t) {
    if (!plan.terms()[t].scored()) continue;
    append(plan, {t, 1}, plan.terms()[t].constants.factor, lists);
    lists.back().ends_word = true;
  }
  return lists;
}

Contribution unit_of_list(const Plan& plan, std::uint32_t term) {
  if (!scores_words(plan)) return Contribution::unit(plan, plan.terms()[term]);
  return Contribution::unit(plan, word_text_of(plan, term));
}

}  // namespace gannet::query
