#include "query/cpu/word_scores.hpp"

#include <algorithm>

#include "codecs/core/rounding.hpp"
#include "query/cpu/window_search.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {

using codecs::rounded_add;
using codecs::rounded_div;
using codecs::rounded_mul;

WordScores::WordScores(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids)
    : k1_(plan.scorer().values[0]) {
  if (plan.want() != Want::kTopK || plan.words().empty()) return;
  for (const QueryWord& word : plan.words()) {
    const PlanTerm& first = plan.terms()[word.terms.front().term];
    const TermStatistics statistics{word.document_frequency, word.document_frequency};
    Word made{
        term_constants(plan.scorer_of(first), plan.collection_of(first), statistics, word.weight)
            .factor,
        {}};
    for (const WordTerm& term : word.terms) {
      if (ids[term.term] == kNoTerm) continue;
      made.parts.push_back(part_of(segment, plan, term, ids[term.term]));
    }
    if (!made.parts.empty()) words_.push_back(std::move(made));
  }
  sums_.resize(kWindow);
}

WordScores::Part WordScores::part_of(const index::Segment& segment, const Plan& plan,
                                     const WordTerm& term, index::TermId id) const {
  const PlanTerm& plan_term = plan.terms()[term.term];
  const double b = plan.scorer_of(plan_term).values[1];
  const double average = plan.collection_of(plan_term).average_length();
  return {PostingStream(segment, id),
          segment.text_lengths(plan_term.field).data(),
          term.weight,
          static_cast<float>(1.0 - b),
          static_cast<float>(average > 0 ? b / average : 0.0),
          plan_term.shared.a,
          plan_term.shared.b};
}

void WordScores::seek(index::Docid docid) {
  for (Word& word : words_) {
    for (Part& part : word.parts) part.stream.seek(docid);
  }
}

void WordScores::add(index::Docid begin, index::Docid end, Accumulators& window) {
  seek(begin);  // windows may have been left out: those where no word that decides has postings
  for (Word& word : words_) {
    for (Part& part : word.parts) gather(part, word.factor, begin, end);
    for (const std::uint32_t slot : found_) {
      const Sum& sum = sums_[slot];
      const float score = sum.texts == 1 ? sum.alone
                                         : rounded_div(rounded_mul(word.factor, sum.frequency),
                                                       rounded_add(k1_, sum.frequency));
      window.score(slot) = rounded_add(window.score(slot), score);
      window.touch(slot);
      sums_[slot] = {};
    }
    found_.clear();
  }
}

void WordScores::gather(Part& part, float factor, index::Docid begin, index::Docid end) {
  part.stream.take_until(
      end, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t posting) {
        const std::uint32_t* const frequencies = part.stream.frequencies(posting);
        for (std::uint32_t i = 0; i < n; ++i) {
          const auto length = static_cast<float>(part.lengths[docids[i]]);
          const float tf = rounded_mul(part.weight, static_cast<float>(frequencies[i]));
          const float norm = rounded_add(part.least, rounded_mul(part.slope, length));
          Sum& sum = sums_[docids[i] - begin];
          if (sum.texts++ == 0) {
            found_.push_back(docids[i] - begin);
            const float k = rounded_add(part.a, rounded_mul(part.b, length));
            sum.alone = rounded_div(rounded_mul(factor, tf), rounded_add(tf, k));
          }
          sum.frequency = rounded_add(sum.frequency, rounded_div(tf, norm));
        }
      });
}

std::uint64_t WordScores::tiles_decoded() const {
  std::uint64_t tiles = 0;
  for (const Word& word : words_) {
    for (const Part& part : word.parts) tiles += part.stream.tiles_decoded();
  }
  return tiles;
}

}  // namespace gannet::query
