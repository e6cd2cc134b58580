// BM25F: BM25 over several texts. Source: Robertson, Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009, section 3.6; a b for each text: Zaragoza, Craswell, Taylor,
// Saria, Robertson, "Microsoft Cambridge at TREC-13", 2004.
#pragma once

#include "query/scoring/scorers/bm25.hpp"

namespace gannet::query {

/// weight * idf * (k1 + 1) * tf' / (k1 + tf'), where tf' is the sum over the texts that have the
/// word of text weight * tf / (1 - b + b * length / average length).
///
/// idf is that of the documents that have the word in any of the searched texts; k1, idf and norm
/// are BM25's. What a word gets in several texts together is word_score.hpp's; a word in one text
/// of weight 1 gets what BM25 gives, which is all that a posting by itself knows. The idf of a
/// phrase is that of the documents that have the phrase in any of the texts.
struct Bm25F : Bm25 {
  static constexpr ScorerId id = ScorerId::kBm25F;
  static constexpr std::string_view name = "bm25f";
  static constexpr std::string_view summary =
      "BM25F, frequencies added up over texts (Robertson and Zaragoza 2009)";
  static constexpr bool adds_idf = false;

  static PlanConstants plan_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection) {
    PlanConstants constants = Bm25::plan_constants(values, collection);
    constants.scorer = id;
    return constants;
  }
  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 0, 0}}; }
};

}  // namespace gannet::query
