// Scores of words by what they have in several texts together: BM25F.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/bounds/word_in_text.hpp"
#include "query/plan/plan.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

class Accumulators;

/// Adds a plan's words (Plan::words()) to the scores of a window's documents, one after the other
/// in the plan's order. Does nothing for a plan without, and where no scores are wanted. Not
/// thread-safe; needs segment and plan to stay.
class WordScores {
 public:
  WordScores(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids);

  /// What follows begins at `docid`, or behind it.
  void seek(index::Docid docid);
  /// Adds to the documents begin .. end - 1, of which the window has slots from 0 on.
  void add(index::Docid begin, index::Docid end, Accumulators& window);

  std::uint64_t tiles_decoded() const;

 private:
  /// A word in one of its texts.
  struct Part {
    PostingStream stream;
    const std::uint32_t* lengths;  ///< of the text, by document
    WordInText in_text;
  };
  struct Word {
    float factor;
    std::vector<Part> parts;
  };
  void gather(Part& part, float factor, index::Docid begin, index::Docid end);

  float k1_ = 0;
  std::vector<Word> words_;
  std::vector<WordSum> sums_;         ///< by slot; all 0 between words
  std::vector<std::uint32_t> found_;  ///< slots that the current word has
};

}  // namespace gannet::query
