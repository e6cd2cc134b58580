#include "query/explaining/formula_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gannet::query {
namespace {

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.'; }

}  // namespace

std::string formula_with_numbers(const PlanTerm& term, std::uint32_t frequency,
                                 std::uint32_t length) {
  if (term.constant) return fmt::format("{}, for any of its terms", term.weight);
  const std::array<std::pair<std::string_view, std::string>, 7> numbers{{
      {"factor", fmt::format("{}", term.constants.factor)},
      {"term.a", fmt::format("{}", term.constants.a)},
      {"term.b", fmt::format("{}", term.constants.b)},
      {"plan.a", fmt::format("{}", term.shared.a)},
      {"plan.b", fmt::format("{}", term.shared.b)},
      {"tf", fmt::format("{}", frequency)},
      {"length", fmt::format("{}", length)},
  }};
  std::string_view formula = find_scorer(term.shared.scorer)->formula;
  std::string text;
  while (!formula.empty()) {
    const auto end = std::ranges::find_if_not(formula, in_name);
    const std::string_view name(formula.begin(), end);
    const auto found = std::ranges::find(numbers, name, &decltype(numbers)::value_type::first);
    text += found != numbers.end() ? std::string_view(found->second) : name;
    formula.remove_prefix(name.size());
    if (formula.empty()) break;
    text += formula.front();
    formula.remove_prefix(1);
  }
  return text;
}

}  // namespace gannet::query
