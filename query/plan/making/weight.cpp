#include "query/plan/making/weight.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "query/plan/plan.hpp"

namespace gannet::query {
namespace {

bool looks_like_number(std::string_view text) {
  return text.find_first_not_of("0123456789.+-eE") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

/// The number that is all of `text`; infinity if it is too large for a float.
std::optional<float> parse_float(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  // Out of the range of double: too small or too large, which from_chars does not tell apart.
  if (error == std::errc::result_out_of_range) return INFINITY;
  return static_cast<float>(number);
}

}  // namespace

std::optional<std::string> weight_problem(float weight) {
  if (weight == 0 || (weight >= kMinWeight && weight <= kMaxWeight)) return std::nullopt;
  return fmt::format("a weight must be 0, or between 1e-6 and 1e9, not {}", weight);
}

std::optional<WeightSuffix> find_weight(std::string_view word) {
  const std::size_t at = word.rfind('^');
  if (at == std::string_view::npos || !looks_like_number(word.substr(at + 1))) return std::nullopt;
  const std::string_view text = word.substr(at + 1);
  const std::optional<float> weight = parse_float(text);
  if (!weight) {
    return WeightSuffix{at, 1,
                        "'" + std::string(text) +
                            "' is no weight; write a number as in word^2.5; if '^' is just text, "
                            "put a space in its place"};
  }
  if (const auto problem = weight_problem(*weight)) {
    return WeightSuffix{at, 1, *problem + (*weight < 0 ? "; to exclude a word, write -word" : "")};
  }
  return WeightSuffix{at, *weight == 0 ? 0 : *weight};  // -0 is 0
}

}  // namespace gannet::query
