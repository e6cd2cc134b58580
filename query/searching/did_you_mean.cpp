#include "query/did_you_mean.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "query/inexact/code_points.hpp"
#include "query/inexact/edit_distance.hpp"
#include "query/inexact/matching_terms.hpp"
#include "query/inexact/term_pattern.hpp"
#include "query/language/parse.hpp"
#include "query/searching/documents_with.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {
namespace {

/// What an edit counts.
constexpr std::uint64_t kEditFactor = 100;
constexpr std::size_t kCandidates = 5;  ///< of a word
constexpr std::size_t kBeam = 8;

/// count * kEditFactor^edits, or the largest number.
std::uint64_t times_edits(std::uint64_t count, std::uint32_t edits) {
  for (; edits > 0 && count > 0; --edits) {
    if (count > std::numeric_limits<std::uint64_t>::max() / kEditFactor) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    count *= kEditFactor;
  }
  return count;
}

/// Documents that have words, which were edited to get there.
struct Weighed {
  std::uint64_t documents = 0;
  std::uint32_t edits = 0;

  /// Whether documents / kEditFactor^edits is larger. Exact: of numbers of documents, which have
  /// 32 bits, one is times_edits.
  bool outweighs(const Weighed& other) const {
    const std::uint32_t common = std::min(edits, other.edits);
    return times_edits(documents, other.edits - common) >
           times_edits(other.documents, edits - common);
  }
};

/// What may stand in a word's place.
struct Replacement {
  std::string word = {};
  Weighed weighed = {};
};

bool is_likelier(const Replacement& a, const Replacement& b) {
  if (a.weighed.outweighs(b.weighed)) return true;
  if (b.weighed.outweighs(a.weighed)) return false;
  if (a.weighed.edits != b.weighed.edits) return a.weighed.edits < b.weighed.edits;
  return a.word < b.word;
}

/// A word of the query.
struct QueryToken {
  std::size_t begin = 0;
  std::string word = {};
  std::uint64_t documents = 0;
  std::vector<Replacement> choices = {};  ///< of a word in question, itself included if it is known

  std::size_t end() const { return begin + word.size(); }
};

/// Words of a query that are searched in all of its texts, and may occur.
class WordParts {
 public:
  static std::vector<std::string_view> of(const Syntax& syntax) {
    WordParts parts;
    parts.add(syntax);
    return std::move(parts.all_);
  }

 private:
  void add(const Syntax& syntax) {
    if (syntax.text || syntax.sign == Sign::kMustNot || syntax.kind == Syntax::Kind::kNot ||
        syntax.kind == Syntax::Kind::kSynonym || syntax.kind == Syntax::Kind::kWindow) {
      return;
    }
    if (syntax.kind == Syntax::Kind::kWord) all_.push_back(syntax.word);
    for (const Syntax& part : syntax.parts) add(part);
  }

  std::vector<std::string_view> all_;
};

class Corrector {
 public:
  Corrector(const Searcher& searcher, const Query& query, bool plain, const SearchOptions& options)
      : searcher_(searcher),
        query_(query),
        plain_(plain),
        options_(options),
        index_(searcher.index()),
        main_(index_.analyzer()),
        texts_(searched_texts(query.search_fields, index_.schema())) {}

  std::optional<Correction> correct() {
    const StopScope scope(options_.stop);
    find_tokens();
    count_tokens();
    for (QueryToken& token : tokens_) find_choices(token);
    const bool any = std::ranges::any_of(tokens_, has_choices);
    return any ? correction(chosen()) : std::nullopt;
  }

 private:
  /// A choice for each of the first words in question.
  struct Choices {
    std::vector<std::size_t> numbers = {};  ///< of the words' choices
    std::vector<std::string> words = {};
    Weighed weighed = {};
    std::uint64_t rarest = std::numeric_limits<std::uint64_t>::max();  ///< documents
  };

  static bool has_choices(const QueryToken& token) { return !token.choices.empty(); }

  static bool is_better_choice(const Choices& a, const Choices& b) {
    if (a.weighed.outweighs(b.weighed)) return true;
    if (b.weighed.outweighs(a.weighed)) return false;
    if (a.weighed.edits != b.weighed.edits) return a.weighed.edits < b.weighed.edits;
    if (a.rarest != b.rarest) return a.rarest > b.rarest;
    return a.words < b.words;
  }

  const index::Analyzer& analyzer_of(std::uint32_t text) const {
    return text == index::kMainText ? main_ : index_.text_analyzer(text);
  }

  std::vector<std::string> analyzed(std::uint32_t text, std::string_view words) const {
    std::vector<std::string> terms;
    analyzer_of(text).analyze(words, terms);
    return terms;
  }

  /// Words that analysis drops in all texts are none.
  void find_tokens() {
    const std::string_view text = query_.text;
    std::vector<std::string_view> parts{text};
    if (!plain_) parts = WordParts::of(parse(text, index_.schema()));
    for (const std::string_view part : parts) {
      analyzer_of(texts_.front().text).tokenize(part, [&](std::string_view, std::string_view at) {
        const bool is_term = std::ranges::any_of(texts_, [&](const SearchedText& searched) {
          return !analyzed(searched.text, at).empty();
        });
        const auto begin = static_cast<std::size_t>(at.data() - text.data());
        const bool overlaps = !tokens_.empty() && begin < tokens_.back().end();
        if (is_term && !overlaps) tokens_.push_back({begin, std::string(at)});
      });
    }
  }

  /// How many documents have all words, of each set of words.
  std::vector<std::uint64_t> counts(const std::vector<std::vector<std::string>>& sets) const {
    std::vector<Query> queries;
    for (const std::vector<std::string>& words : sets) {
      Query& query = queries.emplace_back();
      for (const std::string& word : words) query.text += (query.text.empty() ? "" : " ") + word;
      query.mode = Mode::kAnd;
      query.search_fields = query_.search_fields;
      query.want = Want::kCount;
    }
    const std::vector<Plan> plans = searcher_.plan(queries, true, options_);
    const Results results = searcher_.search(plans, nullptr, options_);
    return {results.counts.begin(), results.counts.end()};
  }

  void count_tokens() {
    std::vector<std::vector<std::string>> words;
    for (const QueryToken& token : tokens_) words.push_back({token.word});
    const std::vector<std::uint64_t> documents = counts(words);
    for (std::size_t i = 0; i < tokens_.size(); ++i) tokens_[i].documents = documents[i];
  }

  bool is_in_question(const QueryToken& token) const {
    if (times_edits(token.documents, 1) > index_.statistics().documents) return false;
    return std::ranges::none_of(token.word, [](char c) { return '0' <= c && c <= '9'; });
  }

  void find_choices(QueryToken& token) const {
    if (!is_in_question(token)) return;
    std::vector<Replacement> candidates = likeliest(near_terms(token.word));
    std::vector<std::vector<std::string>> words;
    for (const Replacement& candidate : candidates) words.push_back({candidate.word});
    const std::vector<std::uint64_t> documents = counts(words);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Replacement& candidate = candidates[i];
      candidate.weighed.documents = documents[i];
      const bool enough =
          documents[i] > 0 && documents[i] >= times_edits(token.documents, candidate.weighed.edits);
      if (enough) token.choices.push_back(std::move(candidate));
    }
    const bool itself = !token.choices.empty() && token.documents > 0;
    if (itself) token.choices.push_back({token.word, {token.documents, 0}});
  }

  /// The terms of all texts that are near a word, with their documents by the lexicon: of several
  /// texts the largest number.
  std::map<std::string, Weighed> near_terms(const std::string& word) const {
    std::map<std::string, Weighed> near;
    for (const SearchedText& searched : texts_) {
      const std::vector<std::string> own = analyzed(searched.text, word);
      if (own.size() != 1) continue;
      const std::u32string points = code_points(own.front());
      const std::uint32_t edits = TermPattern::usual_edits(points.size());
      const bool is_text =
          std::ranges::all_of(points, [](char32_t c) { return c <= kLastCodePoint; });
      if (edits == 0 || !is_text) continue;
      const TermPattern pattern = TermPattern::fuzzy(own.front(), edits);
      constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
      for (std::string& term : matching_terms(index_, searched.text, pattern, kAll).terms) {
        if (term == own.front()) continue;
        const Weighed found{documents_with(index_, index::text_key(searched.text, term)),
                            edit_distance(points, code_points(term))};
        const auto [entry, is_new] = near.emplace(std::move(term), found);
        if (!is_new && found.outweighs(entry->second)) entry->second = found;
      }
    }
    return near;
  }

  std::vector<Replacement> likeliest(const std::map<std::string, Weighed>& near) const {
    std::vector<Replacement> all;
    for (const auto& [term, weighed] : near) all.push_back({term, weighed});
    std::ranges::sort(all, is_likelier);
    std::vector<Replacement> kept;
    for (Replacement& candidate : all) {
      if (kept.size() == kCandidates) break;
      if (stays_itself(candidate.word)) kept.push_back(std::move(candidate));
    }
    return kept;
  }

  /// Whether the term, as a word of a query, is that term in some text, and nothing else.
  bool stays_itself(const std::string& term) const {
    const bool is_term = std::ranges::any_of(texts_, [&](const SearchedText& searched) {
      return analyzed(searched.text, term) == std::vector<std::string>{term};
    });
    if (!is_term || plain_) return is_term;
    try {
      const Syntax syntax = parse(term, index_.schema());
      return syntax.parts.size() == 1 && syntax.parts.front().kind == Syntax::Kind::kWord &&
             syntax.parts.front().word == term;
    } catch (const UsageError&) {
      return false;
    }
  }

  /// Those that go on, for all words in question.
  Choices chosen() const {
    std::vector<std::string> others;
    for (const QueryToken& token : tokens_) {
      if (!has_choices(token) && token.documents > 0) others.push_back(token.word);
    }
    std::vector<Choices> beam{Choices{}};
    for (const QueryToken& token : tokens_) {
      if (!has_choices(token)) continue;
      beam = longer(beam, token);
      weigh(beam, others);
      std::ranges::sort(beam, is_better_choice);
      if (beam.size() > kBeam) beam.resize(kBeam);
    }
    return std::move(beam.front());
  }

  static std::vector<Choices> longer(const std::vector<Choices>& beam, const QueryToken& token) {
    std::vector<Choices> all;
    for (const Choices& begun : beam) {
      for (std::size_t i = 0; i < token.choices.size(); ++i) {
        const Replacement& choice = token.choices[i];
        Choices& more = all.emplace_back(begun);
        more.numbers.push_back(i);
        more.words.push_back(choice.word);
        more.weighed.edits += choice.weighed.edits;
        more.rarest = std::min(more.rarest, choice.weighed.documents);
      }
    }
    return all;
  }

  void weigh(std::vector<Choices>& choices, const std::vector<std::string>& others) const {
    std::vector<std::vector<std::string>> sets;
    for (const Choices& one : choices) {
      std::vector<std::string>& words = sets.emplace_back(others);
      words.insert(words.end(), one.words.begin(), one.words.end());
    }
    const std::vector<std::uint64_t> documents = counts(sets);
    for (std::size_t i = 0; i < choices.size(); ++i) choices[i].weighed.documents = documents[i];
  }

  /// Nothing if all words stay.
  std::optional<Correction> correction(const Choices& choices) const {
    Correction made{.documents = choices.weighed.documents};
    std::size_t copied = 0;
    auto next = choices.numbers.begin();
    for (const QueryToken& token : tokens_) {
      if (!has_choices(token)) continue;
      const Replacement& choice = token.choices[*next++];
      if (choice.weighed.edits == 0) continue;
      made.text += query_.text.substr(copied, token.begin - copied) + choice.word;
      copied = token.end();
      made.words.push_back({token.begin, token.word, choice.word, choice.weighed.edits,
                            token.documents, choice.weighed.documents});
    }
    if (made.words.empty()) return std::nullopt;
    made.text += query_.text.substr(copied);
    return made;
  }

  const Searcher& searcher_;
  const Query& query_;
  bool plain_;
  const SearchOptions& options_;
  const index::Index& index_;
  index::Analyzer main_;
  std::vector<SearchedText> texts_;
  std::vector<QueryToken> tokens_;
};

}  // namespace

std::optional<Correction> did_you_mean(const Searcher& searcher, const Query& query, bool plain,
                                       const SearchOptions& options) {
  if (!query.terms.empty()) return std::nullopt;
  return within_limits(options, [&](const SearchOptions& limited) {
    return Corrector(searcher, query, plain, limited).correct();
  });
}

}  // namespace gannet::query
