#include "query/explaining/phrase_details.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "query/phrases/marked_places.hpp"
#include "query/phrases/window_groups.hpp"
#include "query/postings/document_places.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query {
namespace {

std::string text_of_word(const PhraseWord& word) {
  if (!word.text.empty()) return word.text;
  return word.any_of.size() == 1 ? word.any_of.front() : union_text(word.any_of);
}

std::vector<ExplainedPhraseWord> idf_of_words(const Plan& plan, const PlanTerm& term) {
  std::vector<ExplainedPhraseWord> made;
  const ScorerSpec scorer = plan.scorer_of(term);
  const CollectionStatistics collection = plan.collection_of(term);
  for (const PhraseWord& word : term.phrase.words) {
    const std::uint64_t documents = std::max(term.document_frequency, word.document_frequency);
    const TermConstants own = term_constants(scorer, collection, {documents, documents}, 1);
    made.push_back({text_of_word(word), word.document_frequency, own.factor});
  }
  return made;
}

/// The places of each word in a document, and which words may stand at the same ones.
class PhrasePlaces {
 public:
  PhrasePlaces(const index::Segment& segment, const PlanTerm& term, index::Docid docid) {
    for (const PhraseWord& word : term.phrase.words) {
      std::vector<std::uint32_t>& numbers = terms_.emplace_back();
      std::vector<std::uint32_t>& own = places_.emplace_back();
      for (const std::string& one : word.any_of) {
        const auto [entry, is_new] =
            known_.try_emplace(one, Known{static_cast<std::uint32_t>(known_.size()), {}});
        if (is_new) {
          entry->second.places = places_in(segment, index::text_key(term.field, one), docid);
        }
        numbers.push_back(entry->second.number);
        own.insert(own.end(), entry->second.places.begin(), entry->second.places.end());
      }
      std::ranges::sort(own);
    }
  }

  std::vector<std::uint32_t> begins(const WindowShape& shape, std::size_t most) const {
    const std::vector<std::span<const std::uint32_t>> words(places_.begin(), places_.end());
    return marked_places(shape, words, window_groups(terms_), most).begins;
  }

 private:
  struct Known {
    std::uint32_t number;
    std::vector<std::uint32_t> places;
  };
  std::map<std::string, Known> known_;
  std::vector<std::vector<std::uint32_t>> terms_;   ///< by word
  std::vector<std::vector<std::uint32_t>> places_;  ///< by word
};

}  // namespace

void explain_phrase(const index::Segment& segment, const Plan& plan, const PlanTerm& term,
                    index::Docid docid, ExplainedTerm& made) {
  if (term.adds_idf()) made.phrase_words = idf_of_words(plan, term);
  if (made.frequency == 0) return;
  made.positions =
      PhrasePlaces(segment, term, docid).begins(term.phrase.window, kExplainedPositions);
}

}  // namespace gannet::query
