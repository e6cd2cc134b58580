#include "query/filter/value_span.hpp"

#include <algorithm>
#include <chrono>

#include "index/fields/key_map.hpp"

namespace gannet::query {
namespace {

using index::FieldSpec;
using index::FieldType;

/// Whether `text` is made of digits where `form` has a 0, and of the form's characters elsewhere.
bool has_form(std::string_view text, std::string_view form) {
  return text.size() == form.size() &&
         std::equal(text.begin(), text.end(), form.begin(), [](char c, char wanted) {
           return wanted == '0' ? c >= '0' && c <= '9' : c == wanted;
         });
}

int value_of_digits(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  return number;
}

/// `2024-02-29` for `2024-02`; a month that there is not has 28 days.
std::string last_day(std::string_view month) {
  using namespace std::chrono;
  const year_month_day_last last{
      year(value_of_digits(month.substr(0, 4))),
      month_day_last(std::chrono::month(static_cast<unsigned>(value_of_digits(month.substr(5)))))};
  const unsigned day = last.month().ok() ? static_cast<unsigned>(last.day()) : 28;
  return std::string(month) + "-" + std::to_string(day);
}

/// The first and the last day that a text of a year, a month or a day names.
struct Days {
  std::string first;
  std::string last;
};

std::optional<Days> days_of(std::string_view text) {
  const std::string spelled(text);
  if (has_form(text, "0000")) return Days{spelled + "-01-01", spelled + "-12-31"};
  if (has_form(text, "0000-00")) return Days{spelled + "-01", last_day(text)};
  if (has_form(text, "0000-00-00")) return Days{spelled, spelled};
  return std::nullopt;
}

std::optional<KeySpan> span_between(const FieldSpec& field, std::string_view first,
                                    std::string_view last, std::string* why) {
  const auto from = index::key_of(field, first, why);
  const auto to = from ? index::key_of(field, last, why) : std::nullopt;
  return to ? std::optional(KeySpan{*from, *to}) : std::nullopt;
}

std::optional<KeySpan> calendar_span(const FieldSpec& field, std::string_view text,
                                     std::string* why) {
  const std::optional<Days> days = days_of(text);
  const bool time = field.type == FieldType::kTime;
  std::optional<KeySpan> span = days ? span_between(field, days->first + (time ? "T00:00" : ""),
                                                    days->last + (time ? "T23:59:59.999" : ""), why)
                                     : span_between(field, text, text, why);
  if (!span && why != nullptr) *why += "; a filter takes a year (2024) or a month (2024-02), too";
  return span;
}

}  // namespace

std::optional<KeySpan> keys_of(const FieldSpec& field, std::string_view text, std::string* why) {
  if (field.type == FieldType::kDate || field.type == FieldType::kTime) {
    return calendar_span(field, text, why);
  }
  const auto key = index::key_of(field, text, why);
  if (!key) return std::nullopt;
  const bool is_float = field.type == FieldType::kFloat32 || field.type == FieldType::kFloat64;
  if (is_float && index::value_number(field, *key) == 0) return span_between(field, "-0", "0", why);
  return KeySpan{*key, *key};
}

}  // namespace gannet::query
