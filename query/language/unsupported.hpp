// Forms of other query languages, which this one refuses instead of reading them as plain words.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "query/language/word_shapes.hpp"

namespace gannet::query {

/// A form that means something elsewhere and nothing here.
struct RefusedForm {
  std::string_view example;
  /// The grammars that have it: L, Lucene's classic and standard parsers; E, Elasticsearch's
  /// query_string; T, tantivy; R, Terrier's user language and matching ops (and Indri's, whose they
  /// are); others by name; none: a near miss of this language.
  std::string_view languages;
  /// What it means there, and what to write here.
  std::string_view message;
  FindShape find;
  /// The character that may be just text, for the advice to put a space in its place; or 0.
  char text = 0;
  /// Filters say the same of it; of all else they say that it is no predicate.
  bool in_filters = false;
};

/// All of them, in the order in which they are looked for. The manual's page on queries lists them.
std::span<const RefusedForm> refused_forms();

/// What a word has that the language does not know.
struct Unsupported {
  /// Of the first character that is the matter, in bytes from the word's beginning.
  std::size_t position;
  /// What it means elsewhere, and what to write instead.
  std::string message;
};

/// Looks for refused forms in a word. Characters in places where they mean nothing elsewhere are
/// plain text: C++, AT&T, e-mail, what?, 5", 3/4, 12:30, std::vector, http://host/?q=1, ~/x. Takes
/// time linear in the word's length.
std::optional<Unsupported> find_unsupported(const WordPlace& place);
/// The same for what stands in a filter.
std::optional<Unsupported> find_unsupported_in_filter(const WordPlace& place);

/// The mark by which a value of a keyword, which stands without quotation marks, would be more than
/// a string elsewhere: `wi?g`, `wing~1`, `/aero.+/`, `a&&tag:b`, `!a`; in a list `-a`. Nothing if
/// there is none.
std::optional<Unsupported> find_unsupported_value(std::string_view value, bool in_list);

}  // namespace gannet::query
