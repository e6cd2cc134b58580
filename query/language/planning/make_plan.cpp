// From a query to a plan, with what the index knows of its terms.
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "query/language/planning/planner.hpp"
#include "query/language/take_filter.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/making/plan_times.hpp"
#include "query/plan/plan.hpp"
#include "query/texts/count_any.hpp"

namespace gannet::query {
namespace {

/// What the whole index knows of term number `term` of the binding. How often it occurs is counted
/// only `with_occurrences`: that reads a part of its list.
TermStatistics statistics_of(const index::Index& index, const TermBinding& binding,
                             std::size_t term, bool with_occurrences) {
  TermStatistics sum;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const index::TermId id = binding.ids(s)[term];
    if (id == kNoTerm) continue;
    const index::Segment& segment = binding.segment(s, *index.segments()[s]);
    sum.documents += segment.document_frequency(id);
    if (with_occurrences) sum.occurrences += segment.collection_frequency(id);
  }
  return sum;
}

/// Documents of the index that have any of the terms that a word of a phrase may be.
std::uint64_t documents_of(const index::Index& index, const PhraseWord& word, std::uint32_t text) {
  std::uint64_t documents = 0;
  for (const auto& segment : index.segments()) {
    std::vector<index::TermId> ids;
    for (const std::string& term : word.any_of) {
      if (const auto id = segment->find(index::text_key(text, term))) ids.push_back(*id);
    }
    documents += count_any(segment, std::move(ids));
  }
  return documents;
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

std::vector<PlanText> texts_of(const index::Index& index) {
  std::vector<PlanText> texts;
  if (!index.schema().has_text()) return texts;
  for (std::uint32_t i = 0; i < index.schema().fields().size(); ++i) {
    const index::FieldSpec& field = index.schema().fields()[i];
    texts.push_back(field.is_text() ? PlanText{field.name, index.text_statistics(i)} : PlanText{});
  }
  return texts;
}

/// Sets what the index knows of the terms.
void count_documents(const index::Index& index, const TermBinding& binding,
                     const ScorerSpec& scorer, std::vector<QueryTerm>& terms) {
  const ScorerInfo* const info = find_scorer(scorer.id);
  const bool with_occurrences = info != nullptr && info->needs_occurrences;
  const bool adds_idf = info != nullptr && info->adds_idf;
  StopCheck check_stop;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    check_stop();
    QueryTerm& term = terms[i];
    const TermStatistics known = statistics_of(index, binding, i, with_occurrences);
    term.document_frequency = known.documents;
    term.collection_frequency = known.occurrences;
    if (!adds_idf) continue;
    for (PhraseWord& word : term.phrase.words) {
      word.document_frequency = documents_of(index, word, term.field);
    }
  }
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
  check_filter(query.filter, index.schema());
  parts.filter = query.filter;
  PlannedQuery planned = plan_query(index, analyzer, query, parts.scorer, plain);
  if (planned.formula && !planned.predicates.empty()) {
    parts.filter = std::move(parts.filter) &&
                   take_filter(*planned.formula, planned.predicates, parts.predicates);
  }
  if (index.deleted_documents() > 0) parts.filter = std::move(parts.filter) && Filter::live();
  const PlanTimes::Clock::time_point analyzed = PlanTimes::Clock::now();
  parts.terms = std::move(planned.terms);
  std::vector<TermKeys> keys;
  keys.reserve(parts.terms.size());
  for (const QueryTerm& term : parts.terms) keys.push_back(term.keys());
  TermBinding binding(keys, index);
  count_documents(index, binding, parts.scorer, parts.terms);
  parts.texts = texts_of(index);
  parts.words = planned.words.words(index, binding);
  Plan plan(std::move(parts), planned.formula ? &*planned.formula : nullptr, std::move(binding),
            planned.has_operators);
  if (times != nullptr) times->add(start, analyzed);
  return plan;
}

}  // namespace gannet::query
