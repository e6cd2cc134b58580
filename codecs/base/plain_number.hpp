// Parsing of numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gannet {

/// Parses all of `text` as a decimal number, by the rules of std::from_chars(): no blanks, no plus
/// sign, independent of the locale; floating-point types also accept inf and nan. Returns nullopt
/// if `text` is not such a number or Number cannot represent it. Thread-safe.
template <class Number>
std::optional<Number> plain_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace gannet
