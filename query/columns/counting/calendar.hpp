// Years, months, days and hours of the Gregorian calendar in UTC, for any 64-bit date or time.
#pragma once

#include <cstdint>
#include <string>

#include "query/columns/column_query.hpp"

namespace gannet::query {

/// Months since January 1970 of a day, counted from 1970-01-01.
std::int64_t month_of_day(std::int64_t day);

/// The name of a bin: its number of years, months, days or hours since 1970 began, as `2024`,
/// `2024-03`, `2024-03-01`, `2024-03-01T05:00Z`. Years before 0 and beyond 9999 have a sign and at
/// least five digits.
std::string calendar_text(HistogramStep step, std::int64_t number);

}  // namespace gannet::query
