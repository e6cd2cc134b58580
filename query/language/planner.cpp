// From a parsed query to a plan: words are analysed, clauses become a formula.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "codecs/error.hpp"
#include "query/detail/plan_times.hpp"
#include "query/filter/filter.hpp"
#include "query/language/formula.hpp"
#include "query/language/parse.hpp"
#include "query/language/take_filter.hpp"
#include "query/language/weight.hpp"
#include "query/plan.hpp"

namespace gannet::query {
namespace {

/// A formula, or nothing where analysis left no term.
using Matching = std::optional<Formula>;

/// Turns syntax into a formula and collects the terms on the way.
class Planner {
 public:
  Planner(index::Analyzer& analyzer, Mode mode) : analyzer_(analyzer), mode_(mode) {}

  /// A term's text and the sum of the weights with which it adds to the score.
  struct Term {
    std::string text;
    double weight = 0;
  };
  const std::vector<Term>& terms() const { return terms_; }
  /// Of the formula's leaves.
  const std::vector<Filter>& predicates() const { return predicates_; }

  /// Where a part of the query stands.
  struct Place {
    bool positive = true;  ///< under an even number of negations
    double weight = 1;     ///< of all that it stands in
    Place negated() const { return {!positive, weight}; }
  };

  Matching plan(const Syntax& syntax, Place outside) {
    const Place place{outside.positive, outside.weight * double{syntax.weight}};
    switch (syntax.kind) {
      case Syntax::Kind::kWord:
        return side_by_side(syntax.word, place);
      case Syntax::Kind::kPredicate:
        return predicate(syntax.filter);
      case Syntax::Kind::kNot:
        return negated(plan(syntax.parts.front(), place.negated()));
      case Syntax::Kind::kAnd:
        return chain(Node::Kind::kAnd, plan_all(syntax.parts, place));
      case Syntax::Kind::kOr:
        return chain(Node::Kind::kOr, plan_all(syntax.parts, place));
      case Syntax::Kind::kGroup:
        break;
    }
    return plan_group(syntax.parts, place);
  }

  /// The terms of a text without operators, combined by the mode.
  Matching side_by_side(std::string_view text, Place place) {
    std::vector<std::string> words;
    analyzer_.analyze(text, words);
    std::vector<Formula> parts;
    parts.reserve(words.size());
    for (std::string& word : words) parts.push_back(make_term(add(std::move(word), place)));
    return chain(mode_kind(), std::move(parts));
  }

  /// Terms that need no analysis, combined by the mode.
  Matching verbatim(const std::vector<VerbatimTerm>& terms) {
    std::vector<Formula> parts;
    parts.reserve(terms.size());
    for (const VerbatimTerm& term : terms) {
      if (const auto problem = weight_problem(term.weight)) {
        throw UsageError("query: the term '" + term.term + "': " + *problem);
      }
      parts.push_back(make_term(add(std::string(term.term), {true, double{term.weight}})));
    }
    return chain(mode_kind(), std::move(parts));
  }

 private:
  Node::Kind mode_kind() const { return mode_ == Mode::kAnd ? Node::Kind::kAnd : Node::Kind::kOr; }

  static bool is_predicate(const Formula& part) { return part.kind == Node::Kind::kPredicate; }

  Formula predicate(Filter filter) {
    predicates_.push_back(std::move(filter));
    return make_predicate(static_cast<std::uint32_t>(predicates_.size() - 1));
  }

  Matching negated(Matching part) {
    if (!part) return part;
    if (is_predicate(*part)) return predicate(!predicates_[part->term]);
    return make_not(std::move(*part));
  }

  Matching chain(Node::Kind kind, std::vector<Formula> parts) {
    join_predicates(kind, parts);
    return parts.empty() ? std::nullopt : Matching(make_chain(kind, std::move(parts)));
  }

  /// What predicates decide together is one predicate.
  void join_predicates(Node::Kind kind, std::vector<Formula>& parts) {
    if (std::ranges::count_if(parts, is_predicate) < 2) return;
    const bool all = kind == Node::Kind::kAnd;
    Filter joined = all ? Filter::all() : Filter::none();
    for (const Formula& part : parts) {
      if (!is_predicate(part)) continue;
      const Filter& filter = predicates_[part.term];
      joined = all ? std::move(joined) && filter : std::move(joined) || filter;
    }
    std::erase_if(parts, is_predicate);
    parts.push_back(predicate(std::move(joined)));
  }

  std::vector<Formula> plan_all(const std::vector<Syntax>& syntaxes, Place place) {
    std::vector<Formula> parts;
    for (const Syntax& syntax : syntaxes) {
      if (Matching part = plan(syntax, place)) parts.push_back(std::move(*part));
    }
    return parts;
  }

  /// Clauses side by side. What decides: those with `+`, those negated and those of predicates
  /// only; if there is none with `+`, those without a sign as well, combined by the mode.
  Matching plan_group(const std::vector<Syntax>& clauses, Place place) {
    std::vector<Formula> all;
    std::vector<Formula> unsigned_clauses;
    bool any_must = false;
    for (const Syntax& clause : clauses) {
      const bool must_not = clause.sign == Sign::kMustNot;
      Matching part = plan(clause, must_not ? place.negated() : place);
      if (!part) continue;
      const bool must = clause.sign == Sign::kMust;
      any_must = any_must || must;
      if (must_not) {
        all.push_back(*negated(std::move(part)));
      } else if (must || clause.kind == Syntax::Kind::kNot || is_predicate(*part)) {
        all.push_back(std::move(*part));
      } else {
        unsigned_clauses.push_back(std::move(*part));
      }
    }
    if (!any_must && !unsigned_clauses.empty()) {
      all.insert(all.begin(), *chain(mode_kind(), std::move(unsigned_clauses)));
    }
    return chain(Node::Kind::kAnd, std::move(all));
  }

  std::uint32_t add(std::string&& word, Place place) {
    const auto next = static_cast<std::uint32_t>(terms_.size());
    const auto [entry, is_new] = numbers_.emplace(std::move(word), next);
    if (is_new) terms_.push_back({entry->first, 0});
    if (place.positive) terms_[entry->second].weight += place.weight;
    return entry->second;
  }

  index::Analyzer& analyzer_;
  Mode mode_;
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Filter> predicates_;
};

/// What the whole index knows of term number `term` of the binding. How often it occurs is counted
/// only `with_occurrences`: that reads a part of its list.
TermStatistics statistics_of(const index::Index& index, const TermBinding& binding,
                             std::size_t term, bool with_occurrences) {
  TermStatistics sum;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::TermId id = binding.ids(s)[term];
    if (id == kNoTerm) continue;
    sum.documents += index.segments()[s]->document_frequency(id);
    if (with_occurrences) sum.occurrences += index.segments()[s]->collection_frequency(id);
  }
  return sum;
}

}  // namespace

ScorerSpec default_scorer(const index::Index& index) {
  if (index.defaults().payload.impacts) return standard_scorer(ScorerId::kImpact);
  return bm25(index.defaults().k1, index.defaults().b);
}

namespace {

void check_payload(const index::Index& index, const ScorerSpec& scorer) {
  if (!index.defaults().payload.impacts || scorer.id == ScorerId::kImpact) return;
  throw UsageError("the index holds impacts, weights from a model, which " + to_string(scorer) +
                   " would take for frequencies; score with 'impact', its default");
}

Matching plan_query(Planner& planner, const Query& query, bool plain, const index::Schema& schema) {
  if (!query.terms.empty()) return planner.verbatim(query.terms);
  return plain ? planner.side_by_side(query.text, {}) : planner.plan(parse(query.text, schema), {});
}

}  // namespace

Plan make_plan(const index::Index& index, index::Analyzer& analyzer, const Query& query, bool plain,
               PlanTimes* times) {
  const PlanTimes::Clock::time_point start = PlanTimes::Clock::now();
  Plan::Parts parts;
  parts.want = query.want;
  parts.k = query.k;
  parts.scorer = query.scorer ? *query.scorer : default_scorer(index);
  check_payload(index, parts.scorer);
  parts.collection = {index.statistics().documents, index.statistics().tokens};
  Planner planner(analyzer, query.mode);
  check_filter(query.filter, index.schema());
  parts.filter = query.filter;
  Matching formula = plan_query(planner, query, plain, index.schema());
  if (formula && !planner.predicates().empty()) {
    parts.filter =
        std::move(parts.filter) && take_filter(*formula, planner.predicates(), parts.predicates);
  }
  const PlanTimes::Clock::time_point analyzed = PlanTimes::Clock::now();
  const auto& terms = planner.terms();
  std::vector<std::string_view> texts;
  texts.reserve(terms.size());
  for (const auto& term : terms) texts.push_back(term.text);
  TermBinding binding(texts, index);
  const ScorerInfo* const scorer = find_scorer(parts.scorer.id);
  const bool with_occurrences = scorer != nullptr && scorer->needs_occurrences;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const TermStatistics known = statistics_of(index, binding, i, with_occurrences);
    parts.terms.push_back(
        {terms[i].text, known.documents, static_cast<float>(terms[i].weight), known.occurrences});
  }
  Plan plan(std::move(parts), formula ? &*formula : nullptr, std::move(binding));
  if (times != nullptr) times->add(start, analyzed);
  return plan;
}

}  // namespace gannet::query
