// The error of a malformed query or filter, with its position, for programs that show it there.
#pragma once

#include <cstddef>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::query {

/// A query or filter text is malformed. The message names the column, too.
struct QueryError : UsageError {
  /// `at`: the column of the mistake, in characters (Unicode code points) from 1.
  QueryError(const std::string& message, std::size_t at) : UsageError(message), column(at) {}

  std::size_t column;
};

/// Throws an error with the message `message`: a QueryError with the column of `error` if `error`
/// is one, else a UsageError.
[[noreturn]] inline void rethrow_at(const UsageError& error, const std::string& message) {
  if (const auto* const known = dynamic_cast<const QueryError*>(&error)) {
    throw QueryError(message, known->column);
  }
  throw UsageError(message);
}

}  // namespace gannet::query
