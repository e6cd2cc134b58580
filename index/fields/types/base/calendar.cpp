#include "index/fields/types/base/calendar.hpp"

#include <algorithm>
#include <chrono>

namespace gannet::index {
namespace {

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

}  // namespace

std::optional<Days> days_of(std::string_view text) {
  const std::string spelled(text);
  if (has_form(text, "0000")) return Days{spelled + "-01-01", spelled + "-12-31"};
  if (has_form(text, "0000-00")) return Days{spelled + "-01", last_day(text)};
  if (has_form(text, "0000-00-00")) return Days{spelled, spelled};
  return std::nullopt;
}

}  // namespace gannet::index
