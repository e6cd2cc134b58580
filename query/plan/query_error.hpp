// Where in a query or a filter a mistake is, for programs that show it there.
#pragma once

#include <cstddef>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::query {

/// A text that the query language does not know. The message names the column, too.
struct QueryError : UsageError {
  /// `at`: in the text, in characters, from 1.
  QueryError(const std::string& message, std::size_t at) : UsageError(message), column(at) {}

  std::size_t column;
};

/// Throws `error` with a message that says more, as QueryError if it is one.
[[noreturn]] inline void rethrow_at(const UsageError& error, const std::string& message) {
  if (const auto* const known = dynamic_cast<const QueryError*>(&error)) {
    throw QueryError(message, known->column);
  }
  throw UsageError(message);
}

}  // namespace gannet::query
