#include "tools/options/table/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "index/text/words/suggest.hpp"

namespace gannet::tools {
namespace {

/// "0 to 9", "0 on".
template <class T>
std::string range_text(T least, T most) {
  if (most == std::numeric_limits<T>::max() || std::isinf(static_cast<double>(most))) {
    return fmt::format("{} on", least);
  }
  return fmt::format("{} to {}", least, most);
}

template <class T, class Range>
T number_value(std::string_view label, const Range& range, std::string_view typed,
               std::string_view what) {
  const auto number = corpora::parse_number<T>(typed);
  if (number && *number >= range.least && *number <= range.most) return *number;
  throw UsageError(fmt::format("{}: '{}' is no {} from {}", label, typed, what,
                               range_text<T>(range.least, range.most)));
}

}  // namespace

Names offered_names(const Option& option) {
  if (const auto* const choice = std::get_if<Choice>(&option.type)) return choice->names();
  const auto* const text = std::get_if<Text>(&option.type);
  return text != nullptr && text->names != nullptr ? text->names() : Names{};
}

bool takes_several(const Option& option) {
  if (const auto* const choice = std::get_if<Choice>(&option.type)) return choice->several;
  const auto* const text = std::get_if<Text>(&option.type);
  return text != nullptr && text->several;
}

Kind kind_of(const Option& option) {
  if (const auto* const text = std::get_if<Text>(&option.type)) return text->kind;
  const auto* const texts = std::get_if<Texts>(&option.type);
  return texts == nullptr ? Kind::kAny : texts->kind;
}

std::string sentence_of(const Option& option) {
  std::string text(option.sentence);
  for (std::size_t end; (end = text.find('\n')) != std::string::npos;) {
    text.replace(end, text.find_first_not_of(" \n", end) - end, " ");
  }
  const std::size_t place = text.find("{}");
  if (place != std::string::npos) {
    text.replace(place, 2, option.rest != nullptr ? option.rest() : range_of(option));
  }
  return text;
}

std::string range_of(const Option& option) {
  if (const auto* const whole = std::get_if<Whole>(&option.type)) {
    return range_text(whole->least, whole->most);
  }
  if (const auto* const real = std::get_if<Real>(&option.type)) {
    return range_text(real->least, real->most);
  }
  const auto* const choice = std::get_if<Choice>(&option.type);
  return choice == nullptr ? "" : fmt::format("{}", fmt::join(choice->names(), ", "));
}

std::string_view type_of(const Option& option) {
  constexpr std::string_view kTypes[] = {"flag",    "text",   "texts", "size",
                                         "integer", "number", "choice"};
  const auto* const choice = std::get_if<Choice>(&option.type);
  return choice != nullptr && choice->several ? "choices" : kTypes[option.type.index()];
}

std::size_t choice_named(std::string_view label, const Names& names, std::string_view typed) {
  const auto found = std::ranges::find(names, typed);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw UsageError(fmt::format("{}: '{}' is none of {}{}", label, typed, fmt::join(names, ", "),
                               index::did_you_mean(typed, names)));
}

std::uint64_t whole_value(std::string_view label, const Whole& range, std::string_view typed) {
  return number_value<std::uint64_t>(label, range, typed, "whole number");
}

double checked_real(std::string_view label, const Real& range, double number) {
  if (number >= range.least && number <= range.most) return number;
  throw UsageError(fmt::format("{}: '{}' is no number from {}", label, number,
                               range_text(range.least, range.most)));
}

double real_value(std::string_view label, const Real& range, std::string_view typed) {
  return number_value<double>(label, range, typed, "number");
}

std::uint64_t parse_size(std::string_view label, std::string_view typed) {
  double number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(typed.data() + typed.size() - end));
  if (unit.ends_with('B') && unit.size() > 1) unit.remove_suffix(1);
  if (unit.ends_with('i') && unit.size() > 1) unit.remove_suffix(1);
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t power =
      unit.size() == 1 ? kUnits.find(static_cast<char>(unit[0] & ~0x20)) : std::string_view::npos;
  const bool valid = error == std::errc{} && std::isfinite(number) && number >= 0 &&
                     (unit.empty() || power != std::string_view::npos);
  const double bytes =
      unit.empty() ? number : std::ldexp(number, 10 * (static_cast<int>(power & 7) + 1));
  if (!valid || bytes > std::ldexp(1.0, 62)) {
    throw UsageError(fmt::format("{}: '{}' is not a size (such as 512M or 2G)", label, typed));
  }
  return static_cast<std::uint64_t>(bytes);
}

void check_value(std::string_view label, const Option& option, std::string_view typed) {
  if (std::holds_alternative<Size>(option.type)) parse_size(label, typed);
  if (const auto* const whole = std::get_if<Whole>(&option.type)) whole_value(label, *whole, typed);
  if (const auto* const real = std::get_if<Real>(&option.type)) real_value(label, *real, typed);
  const auto* const choice = std::get_if<Choice>(&option.type);
  if (choice == nullptr) return;
  if (!choice->several) {
    choice_named(label, choice->names(), typed);
    return;
  }
  const Names parts = split_commas(typed);
  if (parts.empty())
    throw UsageError(fmt::format("{}: none of {} is named", label, range_of(option)));
  const Names names = choice->names();
  Names unknown = parts;
  std::erase_if(unknown, [&](const std::string& part) {
    return std::ranges::find(names, part) != names.end();
  });
  if (unknown.size() == 1) choice_named(label, names, unknown[0]);
  if (unknown.empty()) return;
  for (std::string& part : unknown) {
    part = fmt::format("'{}'{}", part, index::did_you_mean(part, names));
  }
  throw UsageError(fmt::format("{}: {} are none of {}", label, fmt::join(unknown, ", "),
                               fmt::join(names, ", ")));
}

void check_range(std::string_view label, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) {
    throw UsageError(
        fmt::format("{}: '{}' is no whole number from {} to {}", label, value, low, high));
  }
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace gannet::tools
