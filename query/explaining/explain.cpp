#include "query/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <stop_token>
#include <utility>

#include "query/bounds/word_in_text.hpp"
#include "query/explaining/formula_numbers.hpp"
#include "query/explaining/mismatches.hpp"
#include "query/explaining/phrase_details.hpp"
#include "query/filter/filter_scan.hpp"
#include "query/plan/term_binding.hpp"
#include "query/postings/document_places.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

std::uint32_t frequency_in(const index::Segment& segment, index::TermId id, index::Docid docid) {
  if (id == kNoTerm) return 0;
  PostingStream stream(segment, id);
  if (!stream.seek(docid) || stream.docid() != docid) return 0;
  return stream.frequency(stream.posting());
}

bool passes(const Filter& filter, const index::Index& index, SegmentPlace place) {
  const auto documents =
      static_cast<std::uint32_t>(index.segments()[place.segment]->statistics().documents);
  std::vector<std::uint64_t> words(kFilterChunkWords);
  FilterScan().run(bind_filter(filter, index, place.segment), place.docid / kFilterChunk, documents,
                   words);
  const std::uint32_t bit = place.docid % kFilterChunk;
  return (words[bit / 64] >> bit % 64 & 1) != 0;
}

ExplainedTerm explain_term(const index::Segment& segment, const Plan& plan, const PlanTerm& term,
                           index::TermId id, index::Docid docid) {
  ExplainedTerm made{.term = label(plan, term),
                     .document_frequency = term.document_frequency,
                     .collection_frequency = term.collection_frequency,
                     .weight = term.weight,
                     .required = term.required,
                     .frequency = frequency_in(segment, id, docid),
                     .length = segment.text_lengths(term.field)[docid]};
  if (made.frequency == 0 || !term.scored() || !plan.words().empty()) return made;
  made.contribution = contribution(term.shared, term.constants, made.frequency, made.length);
  made.formula = formula_with_numbers(term, made.frequency, made.length);
  return made;
}

/// What one text adds to the sum of frequencies that BM25F scores.
std::string frequency_text(const WordInText& in_text, const ExplainedTerm& term) {
  return fmt::format("{} * {} / ({} + {} * {})", in_text.weight, term.frequency, in_text.least,
                     in_text.slope, term.length);
}

std::string alone_text(float factor, const WordInText& in_text, const ExplainedTerm& term) {
  return fmt::format("{0} * {1} * {2} / ({1} * {2} + {3} + {4} * {5})", factor, in_text.weight,
                     term.frequency, in_text.a, in_text.b, term.length);
}

ExplainedWord explain_word(const Plan& plan, const QueryWord& word,
                           const std::vector<ExplainedTerm>& terms) {
  ExplainedWord made{.document_frequency = word.document_frequency, .weight = word.weight};
  const float factor = word_factor(plan, word);
  const float k1 = plan.scorer().values[0];
  float frequency = 0;
  std::vector<std::string> parts;
  for (const WordTerm& text : word.terms) {
    made.terms.push_back(text.term);
    const ExplainedTerm& term = terms[text.term];
    if (term.frequency == 0) continue;
    const WordInText in_text = word_in_text(plan, text);
    frequency = codecs::rounded_add(frequency, in_text.frequency(term.frequency, term.length));
    if (parts.empty()) {
      made.contribution = in_text.score_alone(factor, term.frequency, term.length);
      made.formula = plan.terms()[text.term].constant
                         ? fmt::format("{}, for any of its terms", word.weight)
                         : alone_text(factor, in_text, term);
    }
    parts.push_back(frequency_text(in_text, term));
  }
  if (parts.size() < 2) return made;
  made.contribution = score_together(factor, k1, frequency);
  made.formula = fmt::format("{} * f / ({} + f), with f = {}", factor, k1, fmt::join(parts, " + "));
  return made;
}

/// The parts of the filter that all must pass.
std::vector<ExplainedFilter> explain_filter(const Filter& filter, const index::Index& index,
                                            SegmentPlace place) {
  if (filter.is_all()) return {};
  const std::vector<Filter> whole{filter};
  std::vector<ExplainedFilter> made;
  for (const Filter& part : filter.kind() == Filter::Kind::kAnd ? filter.parts() : whole) {
    made.push_back({to_string(part), passes(part, index, place)});
  }
  return made;
}

float sum_of(const Explanation& made) {
  float score = 0;
  for (const ExplainedWord& word : made.words) {
    score = codecs::rounded_add(score, word.contribution);
  }
  for (const ExplainedTerm& term : made.terms) {
    score = codecs::rounded_add(score, term.contribution);
  }
  return score;
}

DocumentFacts facts_of(const Plan& plan, const std::vector<ExplainedTerm>& terms,
                       const index::Index& index, SegmentPlace place) {
  DocumentFacts facts;
  for (const ExplainedTerm& term : terms) facts.terms.push_back(term.frequency > 0);
  for (const Filter& predicate : plan.predicates()) {
    facts.predicates.push_back(passes(predicate, index, place));
  }
  return facts;
}

}  // namespace

Explanation explain(const index::Index& index, const Plan& plan, index::Docid docid) {
  const SegmentPlace place = place_of(index, docid);
  const BoundPlans bound(std::span(&plan, 1), index, std::stop_token());
  const index::Segment& segment = bound.segment(0, place.segment);
  const auto ids = bound.ids(0, place.segment);
  Explanation made;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const PlanTerm& term = plan.terms()[i];
    made.terms.push_back(explain_term(segment, plan, term, ids[i], place.docid));
    if (term.phrase.empty()) continue;
    explain_phrase(*index.segments()[place.segment], plan, term, place.docid, made.terms.back());
  }
  for (const QueryWord& word : plan.words()) {
    made.words.push_back(explain_word(plan, word, made.terms));
  }
  made.filters = explain_filter(plan.filter().without_live(), index, place);
  made.score = sum_of(made);
  if (!index.is_live(docid)) made.mismatches.push_back({Mismatch::Kind::kDeleted, {}});
  for (const ExplainedFilter& filter : made.filters) {
    if (!filter.passes) made.mismatches.push_back({Mismatch::Kind::kFilter, {filter.filter}});
  }
  const DocumentFacts facts = facts_of(plan, made.terms, index, place);
  for (Mismatch& mismatch : expression_mismatches(plan, facts)) {
    made.mismatches.push_back(std::move(mismatch));
  }
  made.matches = made.mismatches.empty();
  return made;
}

std::string_view mismatch_name(Mismatch::Kind kind) {
  switch (kind) {
    case Mismatch::Kind::kDeleted:
      return "deleted";
    case Mismatch::Kind::kFilter:
      return "filter";
    case Mismatch::Kind::kMissing:
      return "missing";
    case Mismatch::Kind::kExcluded:
      return "excluded";
    case Mismatch::Kind::kNothing:
      break;
  }
  return "nothing";
}

std::string to_string(const Mismatch& mismatch) {
  const std::string names = fmt::format("{}", fmt::join(mismatch.names, ", "));
  switch (mismatch.kind) {
    case Mismatch::Kind::kDeleted:
      return "the document is deleted";
    case Mismatch::Kind::kFilter:
      return "the filter does not pass it: " + names;
    case Mismatch::Kind::kMissing:
      return mismatch.names.size() == 1 ? "a required term is missing: " + names
                                        : "it has none of these, and one is required: " + names;
    case Mismatch::Kind::kExcluded:
      return "it has what the query excludes: " + names;
    case Mismatch::Kind::kNothing:
      break;
  }
  return "the query matches no document";
}

}  // namespace gannet::query
