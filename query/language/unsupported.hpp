// Syntax of other query languages, which this one refuses instead of reading it as plain words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

/// What a word has that the language does not know.
struct Unsupported {
  /// Of the first character that is the matter, in bytes from the word's beginning.
  std::size_t position;
  /// What it means elsewhere, and what to write instead.
  std::string message;
  bool is_field = false;
};

/// Looks for syntax of phrases, prefixes, wildcards, fuzzy words, fields and symbolic
/// operators in `word`; `next` is the character behind it, or 0. Characters in places where they
/// mean nothing elsewhere are plain text: C++, e-mail, what?, 5", 12:30, std::vector,
/// http://host/?q=1, ~/x. With `has_fields`, who writes comparisons and ranges (`year:>2000`) means
/// a field.
std::optional<Unsupported> find_unsupported(std::string_view word, char next,
                                            bool has_fields = false);

}  // namespace gannet::query
