// What terms a user means who does not write one out: prefixes, wildcards, regular expressions, and
// words that are spelled alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "query/inexact/byte_nfa.hpp"

namespace gannet::query {

/// A text of a pattern as terms have it, such as in small letters. Null: as it is.
using FoldText = std::function<std::string(std::string_view)>;

/// A regular expression is malformed; `position`: where, in bytes of it.
struct PatternError : UsageError {
  PatternError(const std::string& message, std::size_t at) : UsageError(message), position(at) {}
  std::size_t position;
};

/// A set of terms, as an automaton over their bytes in UTF-8. A term matches as a whole, and the
/// decision takes time linear in its length, whatever the pattern is. Immutable; any number of
/// threads may use one.
class TermPattern {
 public:
  /// Edits that a fuzzy word may have.
  static constexpr std::uint32_t kMaxEdits = 2;
  /// Those of a word of so many characters where no number is said: fewer of short words, as
  /// Elasticsearch's "fuzziness: AUTO" has it.
  static constexpr std::uint32_t usual_edits(std::size_t characters) {
    return characters < 3 ? 0 : characters < 6 ? 1 : 2;
  }
  /// A repetition in a regular expression, x{m,n}, names no larger number.
  static constexpr std::uint32_t kMaxRepeats = 1'000;
  /// How deep groups of a regular expression may be nested.
  static constexpr std::size_t kMaxNesting = 100;

  /// `*` is any number of characters, `?` is one. The texts between are folded, each by itself.
  /// Throws PatternTooLarge.
  static TermPattern wildcard(std::string_view pattern, const FoldText& fold = {});

  /// A regular expression, of
  ///   - characters, which stand for themselves, with the accents (U+0300 .. U+036F) behind them;
  ///     `\` in front of a mark of ASCII takes it as it is;
  ///   - `.`, any character; `[a-z_]`, one of these; `[^a-z]`, one that is none of these;
  ///   - `x*`, `x+`, `x?`, `x{3}`, `x{2,}`, `x{2,5}`, up to kMaxRepeats;
  ///   - `xy`, `x|y`, `(x)`, up to kMaxNesting deep.
  /// Marks that mean more in Lucene (`~ & @ # < > "`), anchors (`^ $`) and letters behind a
  /// backslash are refused. Characters are folded, each with its accents; of a class those that
  /// folding makes one character of. Throws PatternError, PatternTooLarge.
  static TermPattern regex(std::string_view pattern, const FoldText& fold = {});

  /// Terms within `edits` (up to kMaxEdits) of `word` as edit_distance() counts, whose first
  /// `prefix` characters are those of the word. As Lucene has it, the distance must be less than
  /// the length of either: `a~1` is not b. Throws UsageError for more edits, PatternTooLarge.
  static TermPattern fuzzy(std::string_view word, std::uint32_t edits, std::uint32_t prefix = 0);

  const ByteNfa& automaton() const { return nfa_; }
  /// Of a term that the automaton accepts: whether its distance to a fuzzy word is less than the
  /// length of either. True for other patterns.
  bool is_long_enough(std::string_view term) const;
  /// Whether a term matches. O(length of the term * size of the automaton).
  bool matches(std::string_view term) const;

 private:
  ByteNfa nfa_;
  std::u32string word_;  ///< of a fuzzy word, else empty
};

}  // namespace gannet::query
