#include "query/columns/counting/calendar.hpp"

#include <fmt/format.h>

namespace gannet::query {
namespace {

/// The calendar repeats itself after 400 years.
constexpr std::int64_t kCycleDays = 146'097;
/// From 0000-03-01 to 1970-01-01. Years that begin in March have their leap day at the end.
constexpr std::int64_t kDaysToEpoch = 719'468;

constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
constexpr std::int64_t remainder_of(std::int64_t a, std::int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}

struct Civil {
  std::int64_t year;
  int month;  ///< 1 .. 12
  int day;    ///< 1 .. 31
};

/// Splits off cycles before it adds anything, so that no day overflows.
Civil civil_of(std::int64_t day) {
  std::int64_t cycle = floor_of(day, kCycleDays) + kDaysToEpoch / kCycleDays;
  std::int64_t rest = remainder_of(day, kCycleDays) + kDaysToEpoch % kCycleDays;
  cycle += rest / kCycleDays;
  rest %= kCycleDays;  // days since a 1st of March in a year that 400 divides
  // Of its days, those that are leap days come after each 4 * 365, but for hundredth years.
  const std::int64_t year = (rest - rest / 1'460 + rest / 36'524 - rest / 146'096) / 365;
  const std::int64_t of_year = rest - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;  // from March, by 31 30 31 30 31 days
  const auto day_of_month = static_cast<int>(of_year - (153 * month + 2) / 5 + 1);
  const auto civil_month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  return {cycle * 400 + year + (civil_month <= 2 ? 1 : 0), civil_month, day_of_month};
}

std::string year_text(std::int64_t year) {
  return year >= 0 && year <= 9'999 ? fmt::format("{:04}", year) : fmt::format("{:+06}", year);
}

std::string day_text(std::int64_t day) {
  const Civil civil = civil_of(day);
  return fmt::format("{}-{:02}-{:02}", year_text(civil.year), civil.month, civil.day);
}

}  // namespace

std::int64_t month_of_day(std::int64_t day) {
  const Civil civil = civil_of(day);
  return (civil.year - 1970) * 12 + civil.month - 1;
}

std::string calendar_text(HistogramStep step, std::int64_t number) {
  switch (step) {
    case HistogramStep::kYear:
      return year_text(1970 + number);
    case HistogramStep::kMonth:
      return fmt::format("{}-{:02}", year_text(1970 + floor_of(number, 12)),
                         remainder_of(number, 12) + 1);
    case HistogramStep::kHour:
      return fmt::format("{}T{:02}:00Z", day_text(floor_of(number, 24)), remainder_of(number, 24));
    case HistogramStep::kDay:
    case HistogramStep::kWidth:
      break;
  }
  return day_text(number);
}

}  // namespace gannet::query
