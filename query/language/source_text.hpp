// A text that a user wrote, for messages that say where in it a mistake is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::query {

struct SourceText {
  std::string_view text;
  std::string_view subject = "query";  ///< what it is, for messages

  /// Throws QueryError: "query, column 7: what". `position` is in bytes, columns are in characters.
  [[noreturn]] void fail(std::size_t position, const std::string& what) const;
};

/// Bytes of the white space character that begins at byte `at`; 0 if none does, or the text ends
/// there. White space of the query language is what Unicode calls so (U+00A0, U+3000, ...), and
/// the marks without a width that texts bring along: U+200B and U+FEFF.
std::size_t space_at(std::string_view text, std::size_t at);

/// The first byte from `at` on that is not white space; the text's size if there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

}  // namespace gannet::query
