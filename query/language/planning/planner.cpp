#include "query/language/planning/planner.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "query/language/expand_word.hpp"
#include "query/language/parse.hpp"
#include "query/language/planning/plan_terms.hpp"
#include "query/language/planning/word_runs.hpp"
#include "query/language/read_window.hpp"
#include "query/language/source_text.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/making/weight.hpp"
#include "query/plan/synonyms.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {
namespace {

/// What a part of a query says of a document.
struct Part {
  Formula formula;
  bool has_words = true;  ///< not made of predicates alone, whatever decides it
};

/// Nothing where analysis left no term.
using Matching = std::optional<Part>;

/// Whether a part of a query says which of its words must or must not occur.
bool has_operators(const Syntax& syntax) {
  using Kind = Syntax::Kind;
  return syntax.sign != Sign::kNone || syntax.kind == Kind::kAnd || syntax.kind == Kind::kNot ||
         std::ranges::any_of(syntax.parts, has_operators);
}

/// Turns syntax into a formula and collects the terms on the way.
class Planner {
 public:
  Planner(const index::Index& index, const index::Analyzer& analyzer, const Query& query,
          const ScorerSpec& scorer)
      : index_(index),
        analyzer_(analyzer),
        query_(query),
        mode_(query.mode),
        synonyms_(query.synonyms.get()),
        expander_(index, analyzer, query),
        texts_(searched_texts(query.search_fields, index.schema())),
        words_(scorer, index.schema()) {}

  /// What was collected on the way; the planner has nothing then. `formula` is set.
  PlannedQuery take(Matching found, bool operators) {
    PlannedQuery made{{}, terms_.take(), std::move(words_), std::move(predicates_), operators};
    if (found) made.formula = std::move(found->formula);
    return made;
  }

  /// Where a part of the query stands.
  struct Place {
    bool positive = true;                    ///< under an even number of negations
    double weight = 1;                       ///< of all that it stands in
    std::optional<std::uint32_t> text = {};  ///< if it names one
    Place negated() const { return {!positive, weight, text}; }
  };

  Matching plan(const Syntax& syntax, Place outside) {
    check_stop_();
    const Place place{outside.positive, outside.weight * double{syntax.weight},
                      syntax.text ? syntax.text : outside.text};
    switch (syntax.kind) {
      case Syntax::Kind::kWord:
        return side_by_side(syntax.word, place);
      case Syntax::Kind::kPredicate:
        return predicate(syntax.filter, false);
      case Syntax::Kind::kNot:
        return negated(plan(syntax.parts.front(), place.negated()));
      case Syntax::Kind::kAnd:
        return chain(Node::Kind::kAnd, plan_all(syntax.parts, place));
      case Syntax::Kind::kOr:
        return chain(Node::Kind::kOr, plan_all(syntax.parts, place));
      case Syntax::Kind::kSynonym:
        return part_of(one_term(syntax.parts, place));
      case Syntax::Kind::kWildcard:
      case Syntax::Kind::kRegex:
        return part_of(any_like(syntax, place));
      case Syntax::Kind::kFuzzy:
        return part_of(any_near(syntax, place));
      case Syntax::Kind::kPhrase:
      case Syntax::Kind::kWindow:
        return part_of(window(syntax, place));
      case Syntax::Kind::kGroup:
        break;
    }
    return plan_group(syntax.parts, place);
  }

  /// The terms of a text without operators, combined by the mode.
  Matching side_by_side(std::string_view text, Place place) {
    if (place.text) return part_of(side_by_side_in(SearchedText{*place.text, 1}, text, place));
    if (texts_.size() == 1) return part_of(side_by_side_in(texts_.front(), text, place));
    std::vector<Formula> parts;
    for (std::size_t begin = skip_space(text, 0); begin < text.size();) {
      std::size_t end = begin;
      while (end < text.size() && space_at(text, end) == 0) ++end;
      Words part = in_any_text(text.substr(begin, end - begin), place);
      if (part) parts.push_back(std::move(*part));
      begin = skip_space(text, end);
    }
    return part_of(combine(mode_kind(), std::move(parts)));
  }

  /// With the pairs of neighbours that runs of words have, which the sequential dependence model
  /// scores. What has a pair has its words, so the same documents match. In a `bag` of words pairs
  /// are words more: bounds are best for an OR of all terms. Else they only add to the score.
  Matching with_pairs(Matching found, const std::vector<std::string_view>& runs, bool bag) {
    using Kind = WrittenWindow::Kind;
    const SequentialDependence& model = *query_.dependence;
    std::vector<Formula> pairs;
    for (const std::string_view run : runs) {
      add_pairs(run, {Kind::kPhrase, 0}, model.ordered, pairs);
      add_pairs(run, {Kind::kUnordered, model.window}, model.unordered, pairs);
    }
    const bool any_word = found && (found->formula.kind == Node::Kind::kOr ||
                                    found->formula.kind == Node::Kind::kTerm);
    if (!bag || !any_word || pairs.empty()) return found;
    pairs.insert(pairs.begin(), std::move(found->formula));
    return part_of(combine(Node::Kind::kOr, std::move(pairs)));
  }

  /// Terms that need no analysis, combined by the mode.
  Matching verbatim(const std::vector<VerbatimTerm>& terms) {
    std::vector<Formula> parts;
    parts.reserve(terms.size());
    for (const VerbatimTerm& term : terms) {
      if (const auto problem = weight_problem(term.weight)) {
        throw UsageError("query: the term '" + term.term + "': " + *problem);
      }
      const Place place{true, double{term.weight}};
      parts.push_back(alone(add(std::string(term.term), {}, place), {}, place));
    }
    return part_of(combine(mode_kind(), std::move(parts)));
  }

 private:
  /// The formula of words alone; nothing where analysis left no term.
  using Words = std::optional<Formula>;

  static Matching part_of(Words words) {
    return words ? Matching(Part{std::move(*words), true}) : std::nullopt;
  }

  static Words combine(Node::Kind kind, std::vector<Formula> parts) {
    return parts.empty() ? std::nullopt : Words(make_chain(kind, std::move(parts)));
  }

  Node::Kind mode_kind() const { return mode_ == Mode::kAnd ? Node::Kind::kAnd : Node::Kind::kOr; }

  Words side_by_side_in(const SearchedText& text, std::string_view words, Place place) {
    std::vector<Formula> parts;
    for (const std::uint32_t term : terms_in(text, words, place)) {
      parts.push_back(alone(term, text, place));
    }
    return combine(mode_kind(), std::move(parts));
  }

  /// What stands between white space, in any of the searched texts: each of its words there, as the
  /// text's own analyzer has it. Texts of which the analyzer drops all of it are left out.
  Words in_any_text(std::string_view words, Place place) {
    std::vector<std::vector<std::uint32_t>> terms;
    std::vector<SearchedText> texts;
    for (const SearchedText& text : texts_) {
      std::vector<std::uint32_t> own = terms_in(text, words, place);
      if (own.empty()) continue;
      terms.push_back(std::move(own));
      texts.push_back(text);
    }
    if (terms.empty()) return std::nullopt;
    const std::size_t size = terms.front().size();
    const bool parallel =
        std::ranges::all_of(terms, [&](const auto& own) { return own.size() == size; });
    return parallel ? word_by_word(terms, texts, place) : text_by_text(terms, texts, place);
  }

  /// All texts have as many words of it: each may be in another text.
  Words word_by_word(const std::vector<std::vector<std::uint32_t>>& terms,
                     const std::vector<SearchedText>& texts, Place place) {
    std::vector<Formula> words;
    for (std::size_t i = 0; i < terms.front().size(); ++i) {
      std::vector<Formula> any;
      std::vector<std::uint32_t> numbers;
      for (const auto& own : terms) {
        any.push_back(make_term(own[i]));
        numbers.push_back(own[i]);
      }
      if (place.positive) words_.add(numbers, texts, place.weight);
      words.push_back(make_chain(Node::Kind::kOr, std::move(any)));
    }
    return combine(mode_kind(), std::move(words));
  }

  Words text_by_text(const std::vector<std::vector<std::uint32_t>>& terms,
                     const std::vector<SearchedText>& texts, Place place) {
    std::vector<Formula> any;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      std::vector<Formula> all;
      for (const std::uint32_t term : terms[t]) all.push_back(alone(term, texts[t], place));
      any.push_back(make_chain(mode_kind(), std::move(all)));
    }
    return combine(Node::Kind::kOr, std::move(any));
  }

  /// A term that is a word in one text.
  Formula alone(std::uint32_t term, const SearchedText& text, Place place) {
    if (place.positive) words_.add({&term, 1}, {&text, 1}, place.weight);
    return make_term(term);
  }

  /// The terms that the text's analyzer makes of words.
  std::vector<std::string> analyzed(const SearchedText& text, std::string_view words) const {
    const bool main = text.text == index::kMainText;
    std::vector<std::string> terms;
    (main ? analyzer_ : index_.text_analyzer(text.text)).analyze(words, terms);
    // Where there are text fields, the main text has no such terms (text_terms.hpp).
    if (main && index_.schema().has_text()) {
      std::erase_if(terms, [](const std::string& term) { return term.front() == '\0'; });
    }
    return terms;
  }

  std::vector<std::uint32_t> terms_in(const SearchedText& text, std::string_view words,
                                      Place place) {
    std::vector<std::uint32_t> terms;
    for (std::string& word : analyzed(text, words)) {
      terms.push_back(add_with_synonyms(std::move(word), text, place));
    }
    return terms;
  }

  /// The texts that something is searched in.
  std::vector<SearchedText> texts_of(Place place) const {
    return place.text ? std::vector<SearchedText>{{*place.text, 1}} : texts_;
  }

  /// A wildcard or regular expression: in each of the searched texts one term of constant score.
  Words any_like(const Syntax& syntax, Place place) {
    std::vector<Formula> any;
    for (const SearchedText& text : texts_of(place)) {
      auto word = expander_.expand(syntax, text.text);
      if (!word) continue;
      any.push_back(make_term(add_constant(std::move(*word), text, place)));
    }
    if (any.empty()) expander_.fail_spelling(syntax);
    return combine(Node::Kind::kOr, std::move(any));
  }

  std::uint32_t add_constant(ExpandedWord&& word, const SearchedText& text, Place place) {
    const double weight = place.positive ? place.weight * double{words_.weight_of(text)} : 0;
    const std::uint32_t number = terms_.add({.text = std::move(word.spelling),
                                             .field = text.text,
                                             .any_of = std::move(word.terms),
                                             .constant = true},
                                            weight);
    if (place.positive) words_.add_constant(number, weight);
    return number;
  }

  /// A term in the texts that have it, with its weight in a fuzzy word.
  struct NearTerm {
    std::vector<std::uint32_t> numbers;
    std::vector<SearchedText> texts;
    double weight = 0;
  };

  /// A fuzzy word: any of the terms that are near it, each scored as itself by its weight.
  Words any_near(const Syntax& syntax, Place place) {
    std::vector<Formula> any;
    std::map<std::string, NearTerm> near;
    std::optional<std::pair<std::string, SearchedText>> spelled;
    for (const SearchedText& text : texts_of(place)) {
      auto word = expander_.expand(syntax, text.text);
      if (!word) continue;
      for (std::size_t i = 0; i < word->terms.size(); ++i) {
        const Place at{place.positive, place.weight * double{word->weights[i]}, place.text};
        const std::uint32_t number = add(std::string(word->terms[i]), text, at);
        any.push_back(make_term(number));
        NearTerm& own = near[word->terms[i]];
        own.numbers.push_back(number);
        own.texts.push_back(text);
        own.weight = std::max(own.weight, at.weight);
      }
      if (!spelled) spelled.emplace(std::move(word->spelling), text);
    }
    if (!spelled) expander_.fail_spelling(syntax);
    for (const auto& [term, own] : near) {
      if (place.positive) words_.add(own.numbers, own.texts, own.weight);
    }
    if (!any.empty()) return combine(Node::Kind::kOr, std::move(any));
    if (spelled->first.empty()) return std::nullopt;
    // The word itself is near it, so no document has the word.
    return make_term(add(std::move(spelled->first), spelled->second, place));
  }

  /// A phrase or window: in each of the searched texts one term.
  Words window(const Syntax& syntax, Place place) {
    const WindowReader reader(index_, analyzer_, query_, expander_);
    std::vector<std::vector<std::uint32_t>> terms;
    std::vector<SearchedText> texts;
    for (const SearchedText& text : texts_of(place)) {
      Phrase phrase = reader.read(syntax, text.text);
      if (phrase.empty()) continue;
      const bool is_word = phrase.words.size() == 1;
      terms.push_back({is_word ? add_word(std::move(phrase.words.front()), text, place)
                               : add_phrase(std::move(phrase), text, place)});
      texts.push_back(text);
    }
    return terms.empty() ? std::nullopt : word_by_word(terms, texts, place);
  }

  /// Adds a window for each two neighbours of a run of words, in all searched texts: one word in
  /// those texts whose analyzers make the pair of the same characters.
  void add_pairs(std::string_view run, const WrittenWindow& window, double weight,
                 std::vector<Formula>& formulas) {
    if (weight == 0) return;
    struct InTexts {
      std::vector<Phrase> phrases = {};
      std::vector<SearchedText> texts = {};
    };
    const WindowReader reader(index_, analyzer_, query_, expander_);
    std::map<std::pair<const char*, const char*>, InTexts> pairs;  // in the order of the run
    for (const SearchedText& text : texts_) {
      for (WindowReader::Pair& pair : reader.pairs(run, text.text, window)) {
        InTexts& own = pairs[{pair.begin, pair.end}];
        own.phrases.push_back(std::move(pair.phrase));
        own.texts.push_back(text);
      }
    }
    for (auto& [bytes, own] : pairs) {
      add_pair(std::move(own.phrases), own.texts, weight, formulas);
    }
  }

  void add_pair(std::vector<Phrase> pair, std::span<const SearchedText> texts, double weight,
                std::vector<Formula>& formulas) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      numbers.push_back(add_phrase(std::move(pair[t]), texts[t], Place{true, weight}));
      formulas.push_back(make_term(numbers.back()));
    }
    words_.add(numbers, texts, weight);
  }

  /// What is left of a phrase of one word.
  std::uint32_t add_word(PhraseWord&& word, const SearchedText& text, Place place) {
    if (word.text.empty()) return add_any(std::move(word.any_of), text, place);
    return add_constant({.spelling = std::move(word.text), .terms = std::move(word.any_of)}, text,
                        place);
  }

  std::uint32_t add_phrase(Phrase&& phrase, const SearchedText& text, Place place) {
    QueryTerm term = phrase_term(std::move(phrase));
    term.field = text.text;
    return terms_.add(std::move(term), weight_of(text, place));
  }

  /// What the words of SYNONYM(...) are in each of the searched texts: one term.
  Words one_term(const std::vector<Syntax>& words, Place place) {
    const std::vector<SearchedText> asked = texts_of(place);
    std::vector<std::vector<std::uint32_t>> terms;
    std::vector<SearchedText> texts;
    for (const SearchedText& text : asked) {
      std::vector<std::string> any_of;
      for (const Syntax& word : words) append_one(word.word, text, any_of);
      if (any_of.empty()) continue;
      terms.push_back({add_any(std::move(any_of), text, place)});
      texts.push_back(text);
    }
    return terms.empty() ? std::nullopt : word_by_word(terms, texts, place);
  }

  /// Appends the term of a word of SYNONYM(...), with its synonyms; nothing if analysis drops it.
  void append_one(std::string_view word, const SearchedText& text,
                  std::vector<std::string>& any_of) const {
    std::vector<std::string> terms = analyzed(text, word);
    if (terms.size() > 1) {
      throw UsageError("query: SYNONYM(...): '" + std::string(word) + "' is " +
                       std::to_string(terms.size()) + " words of this index; write words alone");
    }
    for (std::string& term : terms) {
      std::vector<std::string> more;
      if (synonyms_ != nullptr) more = synonyms_->of(text.text, term);
      if (more.empty()) more.push_back(std::move(term));
      std::ranges::move(more, std::back_inserter(any_of));
    }
  }

  /// The word, or the one term that it and its synonyms are.
  std::uint32_t add_with_synonyms(std::string&& word, const SearchedText& text, Place place) {
    std::vector<std::string> any_of;
    if (synonyms_ != nullptr) any_of = synonyms_->of(text.text, word);
    if (any_of.empty()) return add(std::move(word), text, place);
    return add_any(std::move(any_of), text, place);
  }

  /// One term for one or more.
  std::uint32_t add_any(std::vector<std::string>&& any_of, const SearchedText& text, Place place) {
    std::ranges::sort(any_of);
    any_of.erase(std::unique(any_of.begin(), any_of.end()), any_of.end());
    if (any_of.size() == 1) return add(std::move(any_of.front()), text, place);
    std::string called = union_text(any_of);
    return terms_.add({.text = std::move(called), .field = text.text, .any_of = std::move(any_of)},
                      weight_of(text, place));
  }

  static bool is_predicate(const Part& part) { return part.formula.kind == Node::Kind::kPredicate; }

  Part predicate(Filter filter, bool has_words) {
    predicates_.push_back(std::move(filter));
    return {make_predicate(static_cast<std::uint32_t>(predicates_.size() - 1)), has_words};
  }

  Matching negated(Matching part) {
    if (!part) return part;
    if (is_predicate(*part)) return predicate(!predicates_[part->formula.term], part->has_words);
    return Part{make_not(std::move(part->formula)), part->has_words};
  }

  Matching chain(Node::Kind kind, std::vector<Part> parts) {
    if (parts.empty()) return std::nullopt;
    const bool has_words = std::ranges::any_of(parts, &Part::has_words);
    join_predicates(kind, parts);
    std::vector<Formula> formulas;
    for (Part& part : parts) formulas.push_back(std::move(part.formula));
    return Part{make_chain(kind, std::move(formulas)), has_words};
  }

  /// What predicates decide together is one predicate.
  void join_predicates(Node::Kind kind, std::vector<Part>& parts) {
    if (std::ranges::count_if(parts, is_predicate) < 2) return;
    const bool all = kind == Node::Kind::kAnd;
    Filter joined = all ? Filter::all() : Filter::none();
    for (const Part& part : parts) {
      if (!is_predicate(part)) continue;
      const Filter& filter = predicates_[part.formula.term];
      joined = all ? std::move(joined) && filter : std::move(joined) || filter;
    }
    std::erase_if(parts, is_predicate);
    parts.push_back(predicate(std::move(joined), false));
  }

  std::vector<Part> plan_all(const std::vector<Syntax>& syntaxes, Place place) {
    std::vector<Part> parts;
    for (const Syntax& syntax : syntaxes) {
      if (Matching part = plan(syntax, place)) parts.push_back(std::move(*part));
    }
    return parts;
  }

  /// Clauses side by side. What decides: those with `+`, those negated and those of predicates
  /// alone; if there is none with `+`, those without a sign as well, combined by the mode. A clause
  /// with a word in it is never one of predicates alone, even if its word only adds to the score.
  Matching plan_group(const std::vector<Syntax>& clauses, Place place) {
    std::vector<Part> all;
    std::vector<Part> unsigned_clauses;
    bool any_must = false;
    bool has_words = false;
    for (const Syntax& clause : clauses) {
      const bool must_not = clause.sign == Sign::kMustNot;
      Matching part = plan(clause, must_not ? place.negated() : place);
      if (!part) continue;
      const bool must = clause.sign == Sign::kMust;
      any_must = any_must || must;
      has_words = has_words || part->has_words;
      if (must_not) {
        all.push_back(*negated(std::move(part)));
      } else if (must || clause.kind == Syntax::Kind::kNot || !part->has_words) {
        all.push_back(std::move(*part));
      } else {
        unsigned_clauses.push_back(std::move(*part));
      }
    }
    if (!any_must && !unsigned_clauses.empty()) {
      all.insert(all.begin(), *chain(mode_kind(), std::move(unsigned_clauses)));
    }
    Matching group = chain(Node::Kind::kAnd, std::move(all));
    if (group) group->has_words = has_words;
    return group;
  }

  std::uint32_t add(std::string&& word, const SearchedText& text, Place place) {
    return terms_.add({.text = std::move(word), .field = text.text}, weight_of(text, place));
  }

  /// With which a term adds to the score where it stands.
  double weight_of(const SearchedText& text, Place place) const {
    return place.positive ? place.weight * words_.term_weight(text) : 0;
  }

  const index::Index& index_;
  const index::Analyzer& analyzer_;
  const Query& query_;
  Mode mode_;
  const Synonyms* synonyms_;
  WordExpander expander_;
  std::vector<SearchedText> texts_;
  WordCollector words_;
  PlanTerms terms_;
  std::vector<Filter> predicates_;
  StopCheck check_stop_;
};

[[noreturn]] void fail_without_order() {
  throw UsageError(
      "sdm scores words that stand side by side; terms with weights have no order: give the text "
      "of "
      "the query");
}

}  // namespace

PlannedQuery plan_query(const index::Index& index, const index::Analyzer& analyzer,
                        const Query& query, const ScorerSpec& scorer, bool plain) {
  Planner planner(index, analyzer, query, scorer);
  const bool all = query.mode == Mode::kAnd;
  if (!query.terms.empty()) {
    if (query.dependence) fail_without_order();
    return planner.take(planner.verbatim(query.terms), all);
  }
  if (query.dependence) {
    if (const auto problem = dependence_problem(*query.dependence)) throw UsageError(*problem);
  }
  const bool dependent = query.dependence && query.want == Want::kTopK;
  const Planner::Place place{true, dependent ? query.dependence->terms : 1};
  if (plain) {
    Matching found = planner.side_by_side(query.text, place);
    if (dependent) found = planner.with_pairs(std::move(found), {query.text}, !all);
    return planner.take(std::move(found), all);
  }
  const Syntax syntax = parse(query.text, index.schema());
  Matching found = planner.plan(syntax, place);
  const bool operators = all || has_operators(syntax);
  if (dependent) found = planner.with_pairs(std::move(found), word_runs(syntax), !operators);
  return planner.take(std::move(found), operators);
}

}  // namespace gannet::query
