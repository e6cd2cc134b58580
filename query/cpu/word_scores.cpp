#include "query/cpu/word_scores.hpp"

#include <algorithm>

#include "codecs/core/rounding.hpp"
#include "query/cpu/window_search.hpp"

namespace gannet::query {

using codecs::rounded_add;

WordScores::WordScores(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids)
    : k1_(plan.scorer().values[0]) {
  if (plan.want() != Want::kTopK || plan.words().empty()) return;
  for (const QueryWord& word : plan.words()) {
    Word made{word_factor(plan, word), {}};
    for (const WordTerm& term : word.terms) {
      if (ids[term.term] == kNoTerm) continue;
      made.parts.push_back({PostingStream(segment, ids[term.term]),
                            segment.text_lengths(plan.terms()[term.term].field).data(),
                            word_in_text(plan, term)});
    }
    if (!made.parts.empty()) words_.push_back(std::move(made));
  }
  sums_.resize(kScoreWindow);
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
      window.score(slot) = rounded_add(window.score(slot), sums_[slot].score(word.factor, k1_));
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
          WordSum& sum = sums_[docids[i] - begin];
          if (sum.texts == 0) found_.push_back(docids[i] - begin);
          sum.add(part.in_text, factor, frequencies[i], part.lengths[docids[i]]);
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
