// Lines of fields between white space, as TREC's tools read them.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"

namespace gannet::corpora {

/// The first fields of a line.
template <std::size_t N>
struct LeadingFields {
  std::array<std::string_view, N> fields;
  bool more = false;  ///< the line has others behind them
};

/// Splits a line at runs of blanks and tabs into its first N fields; nothing if it has fewer.
template <std::size_t N>
std::optional<LeadingFields<N>> split_leading_fields(std::string_view line) {
  LeadingFields<N> leading;
  std::size_t count = 0;
  for (std::size_t begin = line.find_first_not_of(" \t\r"); begin != std::string_view::npos;) {
    if (count == N) {
      leading.more = true;
      break;
    }
    const std::size_t end = line.find_first_of(" \t\r", begin);
    leading.fields[count++] = line.substr(begin, end - begin);
    begin = end == std::string_view::npos ? end : line.find_first_not_of(" \t\r", end);
  }
  if (count != N) return std::nullopt;
  return leading;
}

/// Splits a line at runs of blanks and tabs into exactly N fields; nothing if it has more or fewer.
template <std::size_t N>
std::optional<std::array<std::string_view, N>> split_fields(std::string_view line) {
  const auto leading = split_leading_fields<N>(line);
  if (!leading || leading->more) return std::nullopt;
  return leading->fields;
}

/// The decimal number that is all of `text`, within the range of Number; else nothing. Neither
/// "nan" nor "inf" is one: they have no place in an order.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  const std::optional<Number> number = plain_number<Number>(text);
  if constexpr (std::floating_point<Number>) {
    if (number && !std::isfinite(*number)) return std::nullopt;
  }
  return number;
}

[[noreturn]] inline void fail_line(std::string_view name, std::uint64_t line,
                                   const std::string& what) {
  throw InputError(std::string(name) + ":" + std::to_string(line) + ": " + what);
}

}  // namespace gannet::corpora
