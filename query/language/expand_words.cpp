// The inexact words of a batch of queries, expanded once for all shards of a collection.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <iterator>
#include <optional>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/language/expand_word.hpp"
#include "query/language/parse.hpp"
#include "query/language/read_window.hpp"
#include "query/plan/word_expansions.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {
namespace {

using WrittenWord = WordExpansions::Word;

/// Where a word stands first.
struct FirstUse {
  const Query* query = nullptr;
  Syntax syntax;  ///< without parts
};

/// The different inexact words of queries.
class InexactWords {
 public:
  /// `analyzer`: of the main text.
  InexactWords(const index::Index& index, const index::Analyzer& analyzer)
      : index_(index), analyzer_(analyzer) {}

  void add(const Query& query) {
    query_ = &query;
    texts_ = searched_texts(query.search_fields, index_.schema());
    add(parse(query.text, index_.schema()), std::nullopt);
  }
  const std::map<WrittenWord, FirstUse>& words() const { return words_; }

 private:
  void add(const Syntax& syntax, std::optional<std::uint32_t> outside) {
    const std::optional<std::uint32_t> text = syntax.text ? syntax.text : outside;
    for (const Syntax& part : syntax.parts) add(part, text);
    const bool inexact = syntax.kind == Syntax::Kind::kWildcard ||
                         syntax.kind == Syntax::Kind::kRegex || syntax.kind == Syntax::Kind::kFuzzy;
    if (!inexact && syntax.kind != Syntax::Kind::kPhrase) return;
    if (text) return add_in(*text, syntax);
    for (const SearchedText& searched : texts_) add_in(searched.text, syntax);
  }

  void add_in(std::uint32_t text, const Syntax& syntax) {
    const std::optional<Syntax> word =
        syntax.kind == Syntax::Kind::kPhrase ? prefix_of_phrase(syntax, analyzer_of(text)) : syntax;
    if (!word) return;
    words_.emplace(
        WrittenWord{text, std::string(word->word), query_->max_expansions, query_->fuzzy_prefix},
        FirstUse{query_, *word});
  }

  const index::Analyzer& analyzer_of(std::uint32_t text) const {
    return text == index::kMainText ? analyzer_ : index_.text_analyzer(text);
  }

  const index::Index& index_;
  const index::Analyzer& analyzer_;
  const Query* query_ = nullptr;
  std::vector<SearchedText> texts_;
  std::map<WrittenWord, FirstUse> words_;
};

/// Nothing for a word that no term can be spelled like, or that is no pattern.
std::optional<WordExpansions::Terms> terms_of(const index::Index& index,
                                              const index::Analyzer& analyzer,
                                              const WrittenWord& word, const FirstUse& at) {
  try {
    const WordExpander expander(index, analyzer, *at.query);
    std::optional<MatchingTerms> found = expander.find_terms(at.syntax, word.text);
    if (!found) return std::nullopt;
    return WordExpansions::Terms{std::move(found->terms), found->found};
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

WordExpansions expand_words(const index::Index& index, std::span<const Query> queries,
                            const std::stop_token& stop) {
  const index::Analyzer analyzer(index.analyzer());
  InexactWords words(index, analyzer);
  for (const Query& query : queries) {
    const StopScope scope(stop);
    throw_if_stopped(stop);
    try {
      if (query.terms.empty()) words.add(query);
    } catch (const UsageError&) {
      continue;  // its plan tells
    }
  }
  std::vector<const std::pair<const WrittenWord, FirstUse>*> distinct;
  for (const auto& word : words.words()) distinct.push_back(&word);
  std::vector<std::optional<WordExpansions::Terms>> terms(distinct.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, distinct.size()), [&](const auto& range) {
    const StopScope scope(stop);
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      throw_if_stopped(stop);
      terms[i] = terms_of(index, analyzer, distinct[i]->first, distinct[i]->second);
    }
  });
  WordExpansions made;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    if (terms[i]) made.add(distinct[i]->first, std::move(*terms[i]));
  }
  return made;
}

}  // namespace gannet::query
