// What dates and times have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/base/numbers.hpp"

namespace gannet::index {

/// The first and the last day that a text of a year, a month or a day names.
struct Days {
  std::string first;
  std::string last;
};
/// Of 2024, 2024-02 and 2024-02-29; nothing for other forms. The days need not be in the calendar.
std::optional<Days> days_of(std::string_view text);

namespace types {

/// Keys are signed units since 1970. `T` says besides: parse(text, why), the units; day_begin and
/// day_end, what a day's text and its first or last unit have between them.
template <class T>
struct Calendar : Defaults<T> {
  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view text,
                                          std::string& why) {
    const std::optional<std::int64_t> units = T::parse(text, why);
    return units ? std::optional(key_of_signed(*units)) : std::nullopt;
  }
  static std::optional<KeySpan> span(const FieldSpec& field, std::string_view text,
                                     std::string& why) {
    const auto days = days_of(text);
    const std::string first = days ? days->first + T::day_begin : std::string(text);
    const std::string last = days ? days->last + T::day_end : std::string(text);
    const auto from = key(field, first, why);
    const auto to = from ? key(field, last, why) : std::nullopt;
    if (to) return KeySpan{*from, *to};
    why += "; a filter takes a year (2024) or a month (2024-02), too";
    return std::nullopt;
  }
  static double number(const FieldSpec&, std::uint64_t key) {
    return static_cast<double>(signed_of(key));
  }
  static std::uint64_t zero_key(const FieldSpec&) { return kSignBit; }
  static std::string filter_examples(const std::string& name) {
    return name + "2024 for a year, " + name + "2024-02 for a month, or a range as in " + name +
           "[2024-01-01 TO 2024-02-29]";
  }
};

}  // namespace types
}  // namespace gannet::index
