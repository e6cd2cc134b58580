// Words of a query that stand near each other, as one term of a plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/phrases/window_shape.hpp"

namespace gannet::query {

/// A word of a phrase or window.
struct PhraseWord {
  /// What it is called, such as `pow*`; empty: by its terms.
  std::string text = {};
  /// The terms that it may be: mostly one; several if it has synonyms. Ascending and distinct.
  std::vector<std::string> any_of = {};
  /// Documents of the collection that have any of them, deleted documents included. 0 is taken for
  /// what the phrase has; make_plan() leaves it 0 if the scorer does not use it.
  std::uint64_t document_frequency = 0;
  bool operator==(const PhraseWord&) const = default;
};

/// A phrase or window: two words or more, as many as the window has places.
struct Phrase {
  std::vector<PhraseWord> words = {};
  WindowShape window = {};
  bool operator==(const Phrase&) const = default;
  bool empty() const { return words.empty(); }
};

/// What its term is called: `"heat transfer"~3`; a place without a word is `?`: a word was dropped
/// there. Different phrases may be called alike, since terms may have any characters.
std::string phrase_text(const Phrase& phrase);

/// Equal for equal windows of words with equal terms, and different for others.
std::string phrase_key(const Phrase& phrase);

/// What is wrong with it, or nothing: the number of words, places or terms, or the distance.
std::string phrase_problem(const Phrase& phrase);

}  // namespace gannet::query
