#include "query/texts/word_collector.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "query/texts/count_any.hpp"

namespace gannet::query {

WordCollector::WordCollector(const ScorerSpec& scorer, const index::Schema& schema)
    : scorer_(scorer), schema_(schema) {
  for (const TextParameters& own : scorer.texts) {
    if (own.text != index::kContentsField && !find_text(schema, own.text)) {
      throw UsageError("scorer bm25f: the index has no text '" + own.text + "'");
    }
  }
}

float WordCollector::weight_of(const SearchedText& text) const {
  const TextParameters* const own = parameters_of_text(scorer_, text_name(schema_, text.text));
  return own != nullptr && own->weight ? *own->weight : text.weight;
}

double WordCollector::term_weight(const SearchedText& text) const {
  if (scorer_.id != ScorerId::kBm25F) return double{text.weight};
  return weight_of(text) > 0 ? 1 : 0;
}

void WordCollector::add(std::span<const std::uint32_t> terms, std::span<const SearchedText> texts,
                        double weight) {
  if (scorer_.id != ScorerId::kBm25F || weight == 0) return;
  std::vector<WordTerm> word;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const float text_weight = weight_of(texts[i]);
    if (text_weight > 0) word.push_back({terms[i], text_weight});
  }
  add_word(std::move(word), weight);
}

void WordCollector::add_constant(std::uint32_t term, double weight) {
  if (scorer_.id != ScorerId::kBm25F || weight == 0) return;
  add_word({{term, 1}}, weight);
}

void WordCollector::add_word(std::vector<WordTerm> word, double weight) {
  if (word.empty()) return;
  std::ranges::sort(word, {}, &WordTerm::term);
  std::vector<std::pair<std::uint32_t, float>> key;
  for (const WordTerm& term : word) key.emplace_back(term.term, term.weight);
  const auto [entry, is_new] = numbers_.emplace(std::move(key), words_.size());
  if (is_new) {
    words_.push_back(std::move(word));
    weights_.push_back(0);
  }
  weights_[entry->second] += weight;
}

std::vector<QueryWord> WordCollector::words(const index::Index& index,
                                            const TermBinding& binding) const {
  const auto is_plain = [](const std::vector<WordTerm>& word) {
    return word.size() == 1 && word.front().weight == 1;
  };
  std::vector<QueryWord> words;
  if (std::ranges::all_of(words_, is_plain)) return words;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::vector<std::uint32_t> terms;
    for (const WordTerm& term : words_[i]) terms.push_back(term.term);
    words.push_back({words_[i], static_cast<float>(weights_[i]), count_any(index, binding, terms)});
  }
  return words;
}

}  // namespace gannet::query
