// The lists whose contributions make up the scores of BM25F, word by word.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <cstdint>

#include "query/bounds/contribution.hpp"
#include "query/bounds/word_in_text.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// A word in one of its texts. A term that is in two words has two of these.
struct WordList {
  std::uint32_t term;         ///< number in Plan::terms()
  bool ends_word;             ///< the last one of its word
  float factor;               ///< of the word
  WordInText in_text;         ///< constants of the text
  Contribution contribution;  ///< of the list by itself
};
/// Most plans need no allocation.
using WordLists = boost::container::small_vector<WordList, 8>;

/// Whether the scorer of the plan is BM25F.
inline bool scores_words(const Plan& plan) { return scores_words(plan.scorer().id); }

/// The lists of a plan of BM25F in the order in which contributions add up: those of a word follow
/// one another, in the order of their terms. A plan without words() has a word of one text for each
/// scored term, which gives the same scores, bit for bit. Takes as many steps as there are lists.
WordLists word_lists(const Plan& plan);

/// How many lists a plan is searched with where there are the terms for which has(term) holds: one
/// for each, but for each word() that has the term.
template <class F>
std::size_t count_lists(const Plan& plan, F has) {
  std::size_t lists = 0;
  for (std::uint32_t t = 0; t < plan.terms().size(); ++t) lists += has(t) ? 1 : 0;
  if (plan.words().empty()) return lists;
  boost::container::small_vector<std::uint8_t, 64> again(plan.terms().size(), 0);
  for (const QueryWord& word : plan.words()) {
    for (const WordTerm& text : word.terms) {
      lists += again[text.term] != 0 && has(text.term) ? 1 : 0;
      again[text.term] = 1;
    }
  }
  return lists;
}
/// The same with all terms.
inline std::size_t count_lists(const Plan& plan) {
  return count_lists(plan, [](std::uint32_t) { return true; });
}

/// The contributions, at weight 1, that bounds of a term's list are made of: those of the first
/// word with the term if the scorer is BM25F, so that plans with words() and plans without share
/// them.
Contribution unit_of_list(const Plan& plan, std::uint32_t term);
/// unit_of_list(plan, term).statistics(), in less time.
inline TermStatistics unit_statistics(const Plan& plan, std::uint32_t term) {
  return scores_words(plan) ? TermStatistics{} : Contribution::statistics_of(plan.terms()[term]);
}

}  // namespace gannet::query
