// From query text to a syntax tree. Knows operators, not terms: words are analysed by the planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/language/written_window.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {

/// What `+` or `-` in front of a clause says about it.
enum class Sign : std::uint8_t { kNone, kMust, kMustNot };

/// A node of the syntax tree. It points into the text that was parsed.
struct Syntax {
  enum class Kind : std::uint8_t {
    kWord,       ///< `word`; no parts
    kPredicate,  ///< `filter`, spelled as `word`; no parts
    kGroup,      ///< clauses side by side, each with its sign; none for an empty text
    kAnd,        ///< two parts or more
    kOr,         ///< two parts or more
    kNot,        ///< one part
    kSynonym,    ///< one word or more, which count as one term: SYNONYM(car auto)
    kWildcard,   ///< `word` with wildcards: aero*, w?ng; no parts
    kRegex,      ///< `word` is a regular expression, with its slashes; no parts
    kFuzzy,      ///< `word` with `~` and perhaps a number behind it; no parts
    kPhrase,     ///< `word` is the words of the phrase, with blanks between; no parts
    kWindow,     ///< one word or more near each other; `word` is the operator, as #od2 or NEAR/3
  };
  Kind kind;
  Sign sign = Sign::kNone;  ///< of a clause of a group; kNone everywhere else
  std::string_view word;
  std::vector<Syntax> parts;
  float weight = 1;  ///< of a word, pattern or group: `word^2.5`, `(group)^2.5`
  Filter filter = {};
  /// Of a word or group: the text that it is searched in, `title:word`, `title:(a b)`.
  std::optional<std::uint32_t> text = {};
  WrittenWindow window = {};  ///< of a phrase or window
};

/// Parentheses may be nested so deep, so that no query exhausts the stack.
inline constexpr std::size_t kMaxNesting = 200;

/// Parses a query (README.md has the grammar) to a group of clauses. What begins with the name of
/// one of the schema's fields is a predicate; of a text field, a word or group that is searched
/// there.
/// Throws UsageError, with the column (in characters, from 1), for unbalanced, empty or too deeply
/// nested parentheses, for an operator without an operand, and for syntax that the language does
/// not know (unsupported.hpp), for a weight that is out of range, and for predicates out of form
/// (predicate.hpp), for regular expressions that TermPattern::regex() refuses; CancelledError when
/// the StopScope's token asks for it. Thread-safe.
Syntax parse(std::string_view text, const index::Schema& schema = {});

/// The same for a filter, which has no words.
Syntax parse_predicates(std::string_view text, const index::Schema& schema);

}  // namespace gannet::query
