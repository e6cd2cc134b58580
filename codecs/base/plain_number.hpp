// Numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gannet {

/// The number that is all of `text`, as std::from_chars() reads it: no blanks, no plus sign, in
/// any locale; of real numbers also inf and nan. Nothing if it is none or does not fit.
template <class Number>
std::optional<Number> plain_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace gannet
