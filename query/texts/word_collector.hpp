// The words of a query that BM25F scores over several texts, gathered while the query is planned.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "query/plan/plan.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {

/// Keeps nothing for scorers that score every term by itself.
class WordCollector {
 public:
  /// Throws UsageError if the scorer has parameters of a text that there is not.
  WordCollector(const ScorerSpec& scorer, const index::Schema& schema);

  /// What a term of a text is multiplied by besides its weight in the query: the text's, unless
  /// words are scored over their texts; then 1, or 0 if that of the text is.
  double term_weight(const SearchedText& text) const;

  /// Adds an occurrence of a word: terms[i] is it in texts[i].
  void add(std::span<const std::uint32_t> terms, std::span<const SearchedText> texts,
           double weight);

  /// Adds an occurrence of a term of constant score, which is a word of its own.
  void add_constant(std::uint32_t term, double weight);

  /// The weight of a text for such terms.
  float weight_of(const SearchedText& text) const;

  /// All words, with the documents that have them; none if each is in one text of weight 1, which
  /// scoring term by term gives the same.
  std::vector<QueryWord> words(const index::Index& index, const TermBinding& binding) const;

 private:
  void add_word(std::vector<WordTerm> word, double weight);

  const ScorerSpec& scorer_;
  const index::Schema& schema_;
  std::vector<std::vector<WordTerm>> words_;
  std::vector<double> weights_;
  /// Of words, by their terms with the weights of the texts: `w title:w` may be two words.
  std::map<std::vector<std::pair<std::uint32_t, float>>, std::size_t> numbers_;
};

}  // namespace gannet::query
