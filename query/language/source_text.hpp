// A text that a user wrote, for messages that say where in it a mistake is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::query {

struct SourceText {
  std::string_view text;
  std::string_view subject = "query";  ///< what it is, for messages

  /// Throws UsageError: "query, column 7: what". `position` is in bytes, columns are in characters.
  [[noreturn]] void fail(std::size_t position, const std::string& what) const;
};

/// White space of the query language.
inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

}  // namespace gannet::query
