#include "tests/soak/expressions/reference.hpp"

#include <algorithm>
#include <cmath>

#include "codecs/core/rounding.hpp"
#include "query/scoring/scorer.hpp"
#include "tests/support/query/formulas.hpp"

namespace gannet::oracle {
namespace {

using Kind = Expression::Kind;
using Set = std::vector<std::uint8_t>;  ///< a byte for each document

/// What a part of a query says of the documents.
struct Part {
  Set set;
  bool has_words;  ///< not of predicates alone
};
/// Nothing if analysis left nothing of it.
using Found = std::optional<Part>;

/// A word, or several that count as one, in a text.
struct Term {
  std::uint32_t text;
  std::vector<Word> words;
  double weight;
};

/// A word of BM25F: its terms in several texts, with the texts' weights.
struct TextsOfWord {
  std::vector<std::pair<std::size_t, float>> terms;  ///< by ascending number of the term
  double weight;
};

struct SearchedText {
  std::uint32_t text;
  float weight;
};

struct Place {
  bool positive = true;
  double weight = 1;
  std::optional<std::uint32_t> text = {};
};

Set negation(Set set) {
  for (std::uint8_t& in : set) in ^= 1;
  return set;
}

void intersect(const Set& more, Set& set) {
  for (std::size_t d = 0; d < set.size(); ++d) set[d] &= more[d];
}

void unite(const Set& more, Set& set) {
  for (std::size_t d = 0; d < set.size(); ++d) set[d] |= more[d];
}

/// Adds the documents that have a word so often.
void add_having(const std::vector<std::uint32_t>& frequencies, Set& set) {
  for (std::size_t d = 0; d < set.size(); ++d) {
    if (frequencies[d] > 0) set[d] = 1;
  }
}

bool passes(const Predicate& predicate, const Document& document) {
  switch (predicate.kind) {
    case Predicate::Kind::kAll:
      return true;
    case Predicate::Kind::kHasYear:
      return document.year.has_value();
    case Predicate::Kind::kHasTags:
      return !document.tags.empty();
    case Predicate::Kind::kHasText:
      return !document.texts[predicate.text].empty();
    case Predicate::Kind::kTags:
      return document.tags.find_first_of(predicate.tags) != std::string::npos;
    case Predicate::Kind::kYear:
      return document.year && (!predicate.least || *predicate.least <= *document.year) &&
             (!predicate.greatest || *document.year <= *predicate.greatest);
  }
  return false;
}

/// Goes through a query from left to right, and remembers its terms.
class Evaluation {
 public:
  Evaluation(const Reference& reference, const Question& question)
      : reference_(reference), question_(question), scorer_(scorer_of(question)) {
    const std::uint32_t texts = reference.collection().texts;
    for (const auto& [text, weight] : question.texts) texts_.push_back({text, weight});
    for (std::uint32_t t = 0; texts_.empty() || (question.texts.empty() && t < texts); ++t) {
      texts_.push_back({t, t == 1 ? kFirstFieldWeight : 1});
    }
  }

  Found group(const Expression& group, const Place& place) {
    std::vector<Part> decide;
    std::vector<Part> without_sign;
    bool any_must = false;
    bool has_words = false;
    for (const Expression& part : group.parts) {
      const bool alone = part.kind != Kind::kAnd && part.kind != Kind::kOr;
      const bool must = alone && part.nots == 0 && part.sign == '+';
      const bool must_not = alone && negative(part);
      Found found = chained(part, place);
      if (!found) continue;
      any_must = any_must || must;
      has_words = has_words || found->has_words;
      const bool restricts = !found->has_words;
      (must || must_not || restricts ? decide : without_sign).push_back(std::move(*found));
    }
    if (!any_must && !without_sign.empty()) {
      decide.push_back(*combined(question_.mode == query::Mode::kAnd, std::move(without_sign)));
    }
    Found all = combined(true, std::move(decide));
    if (all) all->has_words = has_words;
    return all;
  }

  std::vector<float> scores() const;
  std::vector<double> approximate() const;

 private:
  std::size_t documents() const { return reference_.collection().documents.size(); }
  bool is_bm25f() const { return scorer_.id == query::ScorerId::kBm25F; }

  static bool negative(const Expression& part) {
    return (part.nots + (part.sign == '-' ? 1 : 0)) % 2 == 1;
  }

  /// A part of an AND, of an OR or of a group.
  Found chained(const Expression& part, const Place& place) {
    if (!negative(part)) return operand(part, place);
    Found found = operand(part, {!place.positive, place.weight, place.text});
    if (found) found->set = negation(std::move(found->set));
    return found;
  }

  static Found combined(bool all, std::vector<Part> parts) {
    if (parts.empty()) return {};
    Part sum = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      all ? intersect(parts[i].set, sum.set) : unite(parts[i].set, sum.set);
      sum.has_words = sum.has_words || parts[i].has_words;
    }
    return sum;
  }

  Found chain(const Expression& part, const Place& place) {
    std::vector<Part> parts;
    for (const Expression& one : part.parts) {
      if (Found found = chained(one, place)) parts.push_back(std::move(*found));
    }
    return combined(part.kind == Kind::kAnd, std::move(parts));
  }

  Found operand(const Expression& part, const Place& outside) {
    const Place place{outside.positive, outside.weight * double{part.weight},
                      part.text ? part.text : outside.text};
    switch (part.kind) {
      case Kind::kDropped:
        return {};
      case Kind::kPredicate: {
        Part found{Set(documents()), false};
        for (std::size_t d = 0; d < documents(); ++d) {
          found.set[d] = passes(part.predicate, reference_.collection().documents[d]) ? 1 : 0;
        }
        return found;
      }
      case Kind::kAnd:
      case Kind::kOr:
        return chain(part, place);
      case Kind::kGroup:
        return group(part, place);
      case Kind::kSynonym: {
        std::vector<Word> any;
        for (const Word word : part.words) {
          const std::vector<Word> more = synonyms(word);
          any.insert(any.end(), more.begin(), more.end());
        }
        return words({any}, place);
      }
      case Kind::kWord:
        break;
    }
    std::vector<std::vector<Word>> each;
    for (const Word word : part.words) each.push_back(synonyms(word));
    return words(each, place);
  }

  std::vector<Word> synonyms(Word word) const {
    std::vector<Word> all;
    if (question_.synonyms) all = synonyms_of(word);
    return all.empty() ? std::vector<Word>{word} : all;
  }

  /// Words side by side, each of which may be in any of the texts.
  Found words(const std::vector<std::vector<Word>>& each, const Place& place) {
    const std::vector<SearchedText> texts =
        place.text ? std::vector<SearchedText>{{*place.text, 1}} : texts_;
    std::vector<std::vector<std::size_t>> terms(each.size());  // by word and text
    for (const SearchedText& text : texts) {
      for (std::size_t i = 0; i < each.size(); ++i) terms[i].push_back(add(each[i], text, place));
    }
    std::vector<Part> parts;
    for (const std::vector<std::size_t>& word : terms) {
      add_word(word, texts, place);
      Part found{Set(documents()), true};
      for (const std::size_t term : word) {
        const std::vector<std::uint32_t> own = frequencies(terms_[term]);
        add_having(own, found.set);
      }
      parts.push_back(std::move(found));
    }
    return combined(question_.mode == query::Mode::kAnd, std::move(parts));
  }

  float weight_of(const SearchedText& text) const {
    for (const query::TextParameters& own : scorer_.texts) {
      if (own.text == name_of_text(text.text) && own.weight) return *own.weight;
    }
    return text.weight;
  }

  std::size_t add(std::vector<Word> words, const SearchedText& text, const Place& place) {
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::size_t i = 0;
    while (i < terms_.size() && (terms_[i].text != text.text || terms_[i].words != words)) ++i;
    if (i == terms_.size()) terms_.push_back({text.text, std::move(words), 0});
    const double own = is_bm25f() ? (weight_of(text) > 0 ? 1 : 0) : double{text.weight};
    if (place.positive) terms_[i].weight += place.weight * own;
    return i;
  }

  void add_word(const std::vector<std::size_t>& terms, const std::vector<SearchedText>& texts,
                const Place& place) {
    if (!is_bm25f() || !place.positive || place.weight == 0) return;
    TextsOfWord word{{}, 0};
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const float weight = weight_of(texts[i]);
      if (weight > 0) word.terms.emplace_back(terms[i], weight);
    }
    if (word.terms.empty()) return;
    std::ranges::sort(word.terms);
    std::size_t i = 0;
    while (i < words_.size() && words_[i].terms != word.terms) ++i;
    if (i == words_.size()) words_.push_back(std::move(word));
    words_[i].weight += place.weight;
  }

  std::vector<std::uint32_t> frequencies(const Term& term) const {
    std::vector<std::uint32_t> sum(documents());
    for (const Word word : term.words) {
      const std::vector<std::uint32_t>& own = reference_.frequencies(term.text, word);
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += own[d];
    }
    return sum;
  }

  const query::CollectionStatistics& statistics(std::uint32_t text) const {
    return reference_.statistics(text);
  }

  query::ScorerSpec scorer_in(std::uint32_t text) const {
    query::ScorerSpec own = scorer_;
    for (const query::TextParameters& parameters : scorer_.texts) {
      if (parameters.text == name_of_text(text) && parameters.b) own.values[1] = *parameters.b;
    }
    return own;
  }

  static query::TermStatistics statistics(const std::vector<std::uint32_t>& frequencies) {
    query::TermStatistics made;
    for (const std::uint32_t frequency : frequencies) {
      made.documents += frequency > 0 ? 1 : 0;
      made.occurrences += frequency;
    }
    return made;
  }

  /// Words of one text of weight 1 are scored term by term.
  bool scores_words() const {
    return std::ranges::any_of(words_, [](const TextsOfWord& word) {
      return word.terms.size() > 1 || word.terms.front().second != 1;
    });
  }

  void add_term_scores(const Term& term, std::vector<float>& sums) const;
  void add_word_scores(const TextsOfWord& word, std::vector<float>& sums) const;
  void add_approximate(const Term& term, std::vector<double>& sums) const;
  void add_approximate(const TextsOfWord& word, std::vector<double>& sums) const;
  /// In how many documents one of the word's texts has it.
  std::uint64_t having(const TextsOfWord& word) const;

  const Reference& reference_;
  const Question& question_;
  query::ScorerSpec scorer_;
  std::vector<SearchedText> texts_;
  std::vector<Term> terms_;
  std::vector<TextsOfWord> words_;
};

void Evaluation::add_term_scores(const Term& term, std::vector<float>& sums) const {
  const std::vector<std::uint32_t> own = frequencies(term);
  const query::TermStatistics known = statistics(own);
  if (known.documents == 0) return;
  const query::ScorerSpec scorer = scorer_in(term.text);
  const query::CollectionStatistics collection = statistics(term.text);
  const query::PlanConstants shared = query::plan_constants(scorer, collection);
  const query::TermConstants constants =
      query::term_constants(scorer, collection, known, static_cast<float>(term.weight));
  const std::vector<std::uint32_t>& lengths = reference_.lengths(term.text);
  for (std::size_t d = 0; d < sums.size(); ++d) {
    if (own[d] == 0) continue;
    const float more = query::contribution(shared, constants, own[d], lengths[d]);
    sums[d] = codecs::rounded_add(sums[d], more);
  }
}

std::uint64_t Evaluation::having(const TextsOfWord& word) const {
  Set any(documents());
  for (const auto& [number, weight] : word.terms) {
    const std::vector<std::uint32_t> own = frequencies(terms_[number]);
    add_having(own, any);
  }
  return static_cast<std::uint64_t>(std::ranges::count(any, 1));
}

/// What a document has of a word: in one text as BM25 scores it, in several the sum of its
/// frequencies, each for the length of its text.
void Evaluation::add_word_scores(const TextsOfWord& word, std::vector<float>& sums) const {
  using codecs::rounded_add;
  using codecs::rounded_div;
  using codecs::rounded_mul;
  const std::uint64_t df = having(word);
  if (df == 0) return;
  const std::uint32_t first = terms_[word.terms.front().first].text;
  const float factor = query::term_constants(scorer_in(first), statistics(first), {df, df},
                                             static_cast<float>(word.weight))
                           .factor;
  std::vector<float> together(sums.size());
  std::vector<float> alone(sums.size());
  std::vector<std::uint32_t> texts(sums.size());
  for (const auto& [number, weight] : word.terms) {
    const std::uint32_t text = terms_[number].text;
    const query::ScorerSpec scorer = scorer_in(text);
    const query::CollectionStatistics collection = statistics(text);
    const query::PlanConstants shared = query::plan_constants(scorer, collection);
    const double b = scorer.values[1];
    const double average = collection.average_length();
    const auto least = static_cast<float>(1 - b);
    const auto slope = static_cast<float>(average > 0 ? b / average : 0);
    const std::vector<std::uint32_t> own = frequencies(terms_[number]);
    for (std::size_t d = 0; d < sums.size(); ++d) {
      if (own[d] == 0) continue;
      const auto length = static_cast<float>(reference_.lengths(text)[d]);
      const float tf = rounded_mul(weight, static_cast<float>(own[d]));
      const float k = rounded_add(shared.a, rounded_mul(shared.b, length));
      alone[d] = rounded_div(rounded_mul(factor, tf), rounded_add(tf, k));
      const float norm = rounded_add(least, rounded_mul(slope, length));
      together[d] = rounded_add(together[d], rounded_div(tf, norm));
      ++texts[d];
    }
  }
  for (std::size_t d = 0; d < sums.size(); ++d) {
    if (texts[d] == 0) continue;
    const float sum =
        rounded_div(rounded_mul(factor, together[d]), rounded_add(scorer_.values[0], together[d]));
    sums[d] = rounded_add(sums[d], texts[d] == 1 ? alone[d] : sum);
  }
}

std::vector<float> Evaluation::scores() const {
  std::vector<float> sums(documents());
  if (is_bm25f() && scores_words()) {
    for (const TextsOfWord& word : words_) add_word_scores(word, sums);
    return sums;
  }
  for (const Term& term : terms_) {
    if (static_cast<float>(term.weight) > 0) add_term_scores(term, sums);
  }
  return sums;
}

void Evaluation::add_approximate(const Term& term, std::vector<double>& sums) const {
  const std::vector<std::uint32_t> own = frequencies(term);
  const query::TermStatistics known = statistics(own);
  const query::CollectionStatistics collection = statistics(term.text);
  for (std::size_t d = 0; d < sums.size(); ++d) {
    if (own[d] == 0) continue;
    sums[d] +=
        term.weight *
        test::formula(
            question_.scorer,
            {static_cast<double>(collection.documents), static_cast<double>(collection.tokens),
             static_cast<double>(known.documents), static_cast<double>(known.occurrences),
             static_cast<double>(own[d]), static_cast<double>(reference_.lengths(term.text)[d])});
  }
}

void Evaluation::add_approximate(const TextsOfWord& word, std::vector<double>& sums) const {
  const auto df = static_cast<double>(having(word));
  const double idf = std::log(1 + (static_cast<double>(sums.size()) - df + 0.5) / (df + 0.5));
  const double k1 = scorer_.values[0];
  const double factor = scorer_.values[3] == 0 ? k1 + 1 : 1;  // Robertson's norm, or Lucene's
  std::vector<double> together(sums.size());
  for (const auto& [number, weight] : word.terms) {
    const std::uint32_t text = terms_[number].text;
    const double b = scorer_in(text).values[1];
    const double average = statistics(text).average_length();
    const std::vector<std::uint32_t> own = frequencies(terms_[number]);
    for (std::size_t d = 0; d < sums.size(); ++d) {
      const double norm = 1 - b + b * reference_.lengths(text)[d] / average;
      if (own[d] > 0) together[d] += double{weight} * own[d] / norm;
    }
  }
  for (std::size_t d = 0; d < sums.size(); ++d) {
    if (together[d] > 0) sums[d] += word.weight * idf * factor * together[d] / (k1 + together[d]);
  }
}

std::vector<double> Evaluation::approximate() const {
  std::vector<double> sums(documents());
  if (is_bm25f()) {
    for (const TextsOfWord& word : words_) add_approximate(word, sums);
    return sums;
  }
  if (!question_.parameters.empty() || reference_.collection().texts > 1) return {};
  for (const Term& term : terms_) add_approximate(term, sums);
  return sums;
}

}  // namespace

Reference::Reference(const Collection& collection) : collection_(collection) {
  for (std::uint32_t t = 0; t < collection.texts; ++t) {
    std::vector<std::uint32_t>& lengths = lengths_.emplace_back();
    for (const Document& document : collection.documents) {
      lengths.push_back(static_cast<std::uint32_t>(document.texts[t].size()));
    }
    query::CollectionStatistics& made = statistics_.emplace_back();
    made.documents = lengths.size();
    for (const std::uint32_t length : lengths) {
      made.tokens += length;
      if (t > 0 && length > 0) ++made.having;
    }
  }
}

const std::vector<std::uint32_t>& Reference::frequencies(std::uint32_t text, Word word) const {
  const auto [entry, is_new] = frequencies_.try_emplace({text, word});
  if (is_new) {
    for (const Document& document : collection_.documents) {
      const auto count = std::ranges::count(document.texts[text], word);
      entry->second.push_back(static_cast<std::uint32_t>(count));
    }
  }
  return entry->second;
}

Reference::Answer Reference::answer(const Question& question) const {
  Evaluation evaluation(*this, question);
  const Found found = evaluation.group(question.query, {});
  Answer answer;
  answer.matches = found ? found->set : Set(collection_.documents.size());
  answer.scores = evaluation.scores();
  answer.approximate = evaluation.approximate();
  if (question.filter) {
    Evaluation filter(*this, question);
    if (const Found passing = filter.group(*question.filter, {})) {
      intersect(passing->set, answer.matches);
    }
  }
  for (std::size_t d = 0; d < collection_.documents.size(); ++d) {
    if (collection_.documents[d].deleted) answer.matches[d] = 0;
  }
  return answer;
}

}  // namespace gannet::oracle
