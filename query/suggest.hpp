// What a word that is being typed may become.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

struct SuggestOptions {
  /// The largest number of completions.
  std::uint32_t completions = 10;
  /// Whose terms complete the word: index::kMainText, or the number of a text field.
  std::uint32_t text = index::kMainText;
};

/// A term that begins with a word.
struct Completion {
  std::string term = {};                 ///< as the lexicon has it: a stem, where terms are stems
  std::string text = {};                 ///< what was typed, with the term for its last word
  std::uint64_t document_frequency = 0;  ///< with deleted documents that no merge removed yet
  bool operator==(const Completion&) const = default;
};

/// The terms of a text that begin with the last word of `typed`, those of most documents first,
/// terms of equally many documents in bytewise order. The word is the last token that the text's
/// analyzer finds, folded as prefixes in queries are (`aero*`) and not stemmed. Nothing if no token
/// ends where `typed` ends, as behind a space.
///
/// Looks at the document frequencies of all terms that begin with the word, which are an array, and
/// reads few of the terms: O(terms that begin so) at some nanoseconds each, and O(log terms) a
/// completion and segment. Where many terms of several segments have equal frequencies all of them
/// are read. Throws UsageError for a text that is none, FormatError for a damaged lexicon,
/// CancelledError as the thread's StopScope says. Thread-safe.
std::vector<Completion> suggest(const index::Index& index, std::string_view typed,
                                const SuggestOptions& options = {});

}  // namespace gannet::query
