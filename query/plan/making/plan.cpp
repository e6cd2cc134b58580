#include "query/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/text/words/seeded_hash.hpp"
#include "query/plan/making/clauses.hpp"
#include "query/plan/making/expression.hpp"
#include "query/plan/making/formula.hpp"
#include "query/plan/making/weight.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {
namespace {

[[noreturn]] void fail(const std::string& what) { throw UsageError("plan: " + what); }

void check_scorer(const ScorerSpec& scorer) {
  if (const auto problem = scorer_problem(scorer)) throw UsageError("scorer " + *problem);
}

void check_texts(const std::vector<QueryTerm>& terms) {
  std::unordered_set<std::string, index::SeededHash> keys;
  for (const QueryTerm& term : terms) {
    if (!keys.insert(term.key()).second) fail("the term '" + term.text + "' is there twice");
  }
}

void check_unions(const std::vector<QueryTerm>& terms) {
  for (const QueryTerm& term : terms) {
    const std::vector<std::string>& any_of = term.any_of;
    if (any_of.empty()) continue;
    const std::size_t least = term.constant || !term.phrase.empty() ? 1 : 2;
    if (any_of.size() < least || any_of.size() > MadeList::kMaxTerms) {
      fail(fmt::format("a union has {} to {} terms, not {}", least, MadeList::kMaxTerms,
                       any_of.size()));
    }
    if (std::ranges::adjacent_find(any_of, std::greater_equal<>()) != any_of.end()) {
      fail("the terms of a union are not ascending and distinct");
    }
  }
}

void check_phrases(const std::vector<QueryTerm>& terms) {
  for (const QueryTerm& term : terms) {
    if (term.phrase.empty()) continue;
    if (const std::string problem = phrase_problem(term.phrase); !problem.empty()) fail(problem);
    if (term.constant) fail("a phrase has no constant score");
    if (term.any_of != phrase_term(term.phrase).any_of) {
      fail("the terms of a phrase are not those of its words");
    }
  }
}

void check_fields(const Plan::Parts& parts) {
  for (const QueryTerm& term : parts.terms) {
    if (term.field == index::kMainText) continue;
    if (term.field >= parts.texts.size() || parts.texts[term.field].name.empty()) {
      fail("the term '" + term.text + "' is of a text field that there is not");
    }
  }
  for (const PlanText& text : parts.texts) {
    if (text.statistics.documents > parts.collection.documents) {
      fail("more documents have the text '" + text.name + "' than there are");
    }
  }
}

void check_words(const Plan::Parts& parts) {
  if (!parts.words.empty() && parts.scorer.id != ScorerId::kBm25F) {
    fail("only bm25f scores words by their sums over texts");
  }
  for (const QueryWord& word : parts.words) {
    if (word.terms.empty()) fail("a word has no term");
    if (word.document_frequency > parts.collection.documents) {
      fail("more documents have a word than there are");
    }
    if (word.weight == 0 || weight_problem(word.weight)) fail("a word's weight is out of range");
    for (const WordTerm& term : word.terms) {
      if (term.term >= parts.terms.size()) fail("a word has a term number that is none");
      if (parts.terms[term.term].constant && (word.terms.size() > 1 || term.weight != 1)) {
        fail("a term of constant score is a word of its own");
      }
      if (!(term.weight > 0 && term.weight <= index::kMaxTextWeight)) {
        fail("the weight of a text is out of range");
      }
    }
  }
}

void check_statistics(const Plan::Parts& parts) {
  if (parts.collection.documents > kMaxDocuments) fail("there cannot be so many documents");
  for (const QueryTerm& term : parts.terms) {
    if (term.document_frequency > parts.collection.documents) {
      fail("more documents have the term '" + term.text + "' than there are");
    }
    if (term.collection_frequency != 0 && term.collection_frequency < term.document_frequency) {
      fail("the term '" + term.text + "' occurs less often than there are documents that have it");
    }
    if (const auto problem = weight_problem(term.weight)) {
      fail("the term '" + term.text + "': " + *problem);
    }
    for (const PhraseWord& word : term.phrase.words) {
      if (word.document_frequency <= parts.collection.documents) continue;
      fail("more documents have a word of '" + term.text + "' than there are");
    }
  }
}

/// How many values a node takes from the stack.
std::uint64_t operands(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kAnd:
    case Node::Kind::kOr:
      return node.operand;
    case Node::Kind::kNot:
      return 1;
    case Node::Kind::kTerm:
    case Node::Kind::kNever:
    case Node::Kind::kPredicate:
      break;
  }
  return 0;
}

/// A value on the stack: its outermost operator, and how deep operators are nested under it. A
/// chain of ANDs or of ORs is read into one level, so it does not count; a NOT of a NOT is a level
/// of its own until the expression is in normal form.
struct Value {
  Node::Kind kind;
  std::uint32_t depth;
};

void check_expression(std::span<const Node> expression, std::size_t terms, std::size_t predicates) {
  std::vector<Value> stack;
  for (const Node& node : expression) {
    if (node.kind == Node::Kind::kTerm && node.operand >= terms) {
      fail("the expression has a term number that is none");
    }
    if (node.kind == Node::Kind::kPredicate && node.operand >= predicates) {
      fail("the expression has a predicate number that is none");
    }
    const bool leaf = node.kind == Node::Kind::kTerm || node.kind == Node::Kind::kNever ||
                      node.kind == Node::Kind::kPredicate;
    const std::uint64_t taken = operands(node);
    if (!leaf && (taken == 0 || taken > stack.size())) {
      fail("an operator of the expression lacks operands");
    }
    Value made{node.kind, 0};
    for (std::uint64_t i = 0; i < taken; ++i, stack.pop_back()) {
      const bool chain = node.kind != Node::Kind::kNot && stack.back().kind == node.kind;
      const std::uint32_t more = chain ? 0 : 1;
      made.depth = std::max(made.depth, stack.back().depth + more);
    }
    if (made.depth > Plan::kMaxDepth) fail("the expression is nested too deep");
    stack.push_back(made);
  }
  if (stack.size() > 1) fail("the expression has more than one value");
}

/// Whether the formula is a chain of `kind`, or a single term, that has all terms of the plan, all
/// scored.
bool is_flat(const Formula& formula, Node::Kind kind, const std::vector<PlanTerm>& terms) {
  const auto is_term = [](const Formula& part) { return part.kind == Node::Kind::kTerm; };
  if (!std::ranges::all_of(terms, &PlanTerm::scored)) return false;
  if (is_term(formula)) return terms.size() == 1;
  return formula.kind == kind && formula.parts.size() == terms.size() &&
         std::ranges::all_of(formula.parts, is_term);
}

CollectionStatistics collection_of_term(const Plan::Parts& parts, const QueryTerm& term) {
  if (term.field == index::kMainText) return parts.collection;
  const index::TextStatistics& text = parts.texts[term.field].statistics;
  return {parts.collection.documents, text.tokens, text.documents};
}

ScorerSpec scorer_of_term(const Plan::Parts& parts, const QueryTerm& term) {
  if (parts.scorer.texts.empty()) return parts.scorer;
  const bool main = term.field == index::kMainText;
  return scorer_of_text(parts.scorer, main ? index::kContentsField : parts.texts[term.field].name);
}

/// The constants of a phrase as the sums of its words', added up in double.
TermConstants summed_constants(const ScorerSpec& scorer, const CollectionStatistics& collection,
                               const QueryTerm& term, const TermStatistics& own, float weight) {
  double factor = 0, a = 0, b = 0;
  for (const PhraseWord& word : term.phrase.words) {
    const std::uint64_t documents = std::max(own.documents, word.document_frequency);
    const TermConstants one = term_constants(scorer, collection, {documents, documents}, weight);
    factor += double{one.factor};
    a += double{one.a};
    b += double{one.b};
  }
  return {static_cast<float>(factor), static_cast<float>(a), static_cast<float>(b)};
}

void set_constants(const ScorerSpec& scorer, const CollectionStatistics& collection,
                   PlanTerm& term) {
  const TermStatistics statistics{term.document_frequency,
                                  std::max(term.document_frequency, term.collection_frequency)};
  const ScorerInfo* const info = find_scorer(scorer.id);
  if (term.phrase.empty() || info == nullptr || !info->adds_idf) {
    term.constants = term_constants(scorer, collection, statistics, term.weight);
    return;
  }
  term.constants = summed_constants(scorer, collection, term, statistics, term.weight);
  term.of_words = summed_constants(scorer, collection, term, statistics, 1.0f);
}

}  // namespace

/// A pattern may be spelled as some term is, and so may a phrase; no character begins with these
/// bytes.
std::string QueryTerm::key() const {
  if (!phrase.empty()) return "\xfe" + index::text_key(field, phrase_key(phrase));
  return (constant ? "\xff" : "") + index::text_key(field, text);
}

TermKeys QueryTerm::keys() const {
  const bool alone = any_of.empty() && !constant;
  TermKeys keys{alone ? key() : std::string(), {}, field, constant};
  if (!phrase.empty()) {
    keys.window = phrase.window;
    for (const PhraseWord& word : phrase.words) {
      std::vector<std::string>& own = keys.phrase.emplace_back();
      for (const std::string& one : word.any_of) own.push_back(index::text_key(field, one));
    }
    return keys;
  }
  for (const std::string& word : any_of) keys.any_of.push_back(index::text_key(field, word));
  return keys;
}

QueryTerm phrase_term(Phrase phrase) {
  QueryTerm term;
  term.text = phrase_text(phrase);
  for (const PhraseWord& word : phrase.words) {
    term.any_of.insert(term.any_of.end(), word.any_of.begin(), word.any_of.end());
  }
  std::ranges::sort(term.any_of);
  term.any_of.erase(std::unique(term.any_of.begin(), term.any_of.end()), term.any_of.end());
  term.phrase = std::move(phrase);
  return term;
}

std::string union_text(std::span<const std::string> any_of) {
  std::string text = "SYNONYM(";
  for (const std::string& word : any_of) text += (&word == any_of.data() ? "" : " ") + word;
  return text + ")";
}

Plan::Plan(Parts parts) {
  check_texts(parts.terms);
  check_expression(parts.expression, parts.terms.size(), parts.predicates.size());
  if (parts.expression.empty()) {
    *this = Plan(std::move(parts), nullptr, {}, false);
  } else {
    const Formula formula = from_postfix(parts.expression);
    *this = Plan(std::move(parts), &formula, {}, false);
  }
}

Plan::Plan(Parts parts, const Formula* formula, TermBinding binding, bool has_operators)
    : want_(parts.want), k_(parts.k) {
  auto made = std::make_shared<Content>();
  made->parts = std::move(parts);
  made->binding = std::move(binding);
  made->has_operators = has_operators;
  check_scorer(made->parts.scorer);
  check_statistics(made->parts);
  check_unions(made->parts.terms);
  check_phrases(made->parts.terms);
  check_fields(made->parts);
  check_words(made->parts);
  made->weigh();
  if (formula != nullptr) made->derive(*formula);
  set(std::move(made));
}

/// Lives as long as the program: plans may be used while other objects are destroyed.
const Plan::Content& Plan::nothing() {
  static const Content& content = *new Content;
  return content;
}

Plan Plan::with(Content content) const {
  Plan plan = *this;
  plan.set(std::make_shared<const Content>(std::move(content)));
  return plan;
}

Plan Plan::with_k(std::uint32_t k) const {
  Plan plan = *this;
  plan.k_ = k;
  return plan;
}

Plan Plan::with_page(const PageStart& page) const {
  Plan plan = *this;
  plan.page_ = page;
  return plan;
}

Plan Plan::with_want(Want want) const {
  Plan plan = *this;
  plan.want_ = want;
  return plan;
}

Plan Plan::with_live() const {
  Content live = content();
  live.parts.filter = std::move(live.parts.filter) && Filter::live();
  return with(std::move(live));
}

PlanStatistics Plan::statistics() const {
  PlanStatistics statistics{collection(), {}, {}, {}, {}};
  for (const PlanText& text : texts()) statistics.texts.push_back(text.statistics);
  for (const PlanTerm& term : terms()) {
    statistics.terms.push_back({term.document_frequency, term.collection_frequency});
    for (const PhraseWord& word : term.phrase.words) {
      statistics.phrase_words.push_back(word.document_frequency);
    }
  }
  for (const QueryWord& word : words()) statistics.words.push_back(word.document_frequency);
  return statistics;
}

Plan Plan::with_statistics(const PlanStatistics& statistics) const {
  std::size_t phrase_words = 0;
  for (const PlanTerm& term : terms()) phrase_words += term.phrase.words.size();
  if (statistics.texts.size() != texts().size() || statistics.terms.size() != terms().size() ||
      statistics.words.size() != words().size() || statistics.phrase_words.size() != phrase_words) {
    fail("the statistics are those of another plan");
  }
  Content other = content();
  Parts& parts = other.parts;
  parts.collection = statistics.collection;
  for (std::size_t i = 0; i < statistics.texts.size(); ++i) {
    parts.texts[i].statistics = statistics.texts[i];
  }
  for (std::size_t i = 0; i < statistics.words.size(); ++i) {
    parts.words[i].document_frequency = statistics.words[i];
  }
  auto of_word = statistics.phrase_words.begin();
  for (std::size_t i = 0; i < terms().size(); ++i) {
    QueryTerm& term = parts.terms.emplace_back(terms()[i]);
    term.document_frequency = statistics.terms[i].documents;
    term.collection_frequency = statistics.terms[i].occurrences;
    for (PhraseWord& word : term.phrase.words) word.document_frequency = *of_word++;
  }
  check_statistics(parts);
  check_fields(parts);
  check_words(parts);
  other.terms.clear();
  other.weigh();
  for (std::size_t i = 0; i < terms().size(); ++i) other.terms[i].required = terms()[i].required;
  return with(std::move(other));
}

bool Plan::can_match(std::span<const index::TermId> ids) const {
  for (std::size_t i = 0; i < clauses().size(); ++i) {
    const auto is_there = [&](std::uint32_t term) { return ids[term] != kNoTerm; };
    if (std::ranges::none_of(clauses()[i], is_there)) return false;
  }
  return true;
}

void Plan::set(std::shared_ptr<const Content> content) {
  content_ = std::move(content);
  const auto is_live = [](const Filter& part) { return part.kind() == Filter::Kind::kLive; };
  const Filter& all = filter();
  live_ = is_live(all) ||
          (all.kind() == Filter::Kind::kAnd && std::ranges::any_of(all.parts(), is_live));
}

void Plan::bind(const index::Index& index) {
  std::vector<TermKeys> keys;
  for (const PlanTerm& term : terms()) keys.push_back(term.keys());
  Content bound = content();
  bound.binding = TermBinding(keys, index);
  *this = with(std::move(bound));
}

void Plan::Content::weigh() {
  const ScorerSpec main = scorer_of_text(parts.scorer, index::kContentsField);
  constants = plan_constants(main, parts.collection);
  terms.reserve(parts.terms.size());
  for (QueryTerm& given : parts.terms) {
    PlanTerm term{std::move(given), {}, false, constants};
    has_text_fields = has_text_fields || term.field != index::kMainText;
    has_unions = has_unions || !term.any_of.empty() || term.constant;
    has_phrases = has_phrases || !term.phrase.empty();
    if (term.constant) {
      const ConstantScore score = constant_score(parts.scorer.id, term.weight);
      term.shared = score.plan;
      term.constants = score.term;
    } else if (term.field == index::kMainText) {
      set_constants(main, parts.collection, term);
    } else {
      const ScorerSpec scorer = scorer_of_term(parts, term);
      const CollectionStatistics collection = collection_of_term(parts, term);
      term.shared = plan_constants(scorer, collection);
      set_constants(scorer, collection, term);
    }
    terms.push_back(std::move(term));
  }
  parts.terms.clear();
}

CollectionStatistics Plan::collection_of(const QueryTerm& term) const {
  return collection_of_term(content().parts, term);
}

ScorerSpec Plan::scorer_of(const QueryTerm& term) const {
  return scorer_of_term(content().parts, term);
}

void Plan::Content::derive(const Formula& formula) {
  parts.expression = to_postfix(formula);
  FormulaClauses found = clauses_of(formula);
  clauses = std::move(found.clauses);
  clauses_decide = found.decide;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].size() > 1) continue;
    terms[clauses[i].front()].required = true;
    has_required = true;
  }
  disjunction = is_flat(formula, Node::Kind::kOr, terms);
  conjunction = is_flat(formula, Node::Kind::kAnd, terms);
  matches_absent = can_hold(parts.expression, [](std::uint32_t) { return PossibleStack::kFalse; });
}

}  // namespace gannet::query
