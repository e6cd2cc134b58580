// Dates and times as ISO 8601 spells them, years 0001 to 9999 of the Gregorian calendar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::index {

inline constexpr std::int64_t kMillisecondsOfDay = 86'400'000;
/// 0001-01-01 and 9999-12-31, in days since 1970-01-01.
inline constexpr std::int64_t kFirstDay = -719'162;
inline constexpr std::int64_t kLastDay = 2'932'896;

/// Days since 1970-01-01 of `2024-02-29`. If it is no date, nothing, and `why` says what it must
/// be.
std::optional<std::int64_t> parse_date(std::string_view text, std::string& why);
std::string date_text(std::int64_t days);

/// Milliseconds since 1970-01-01T00:00Z of a date (midnight), or of a date, `T` or a blank, hh:mm
/// or hh:mm:ss, a point or comma and digits behind it, and a zone: `Z`, `+hh:mm`, `+hhmm`, `+hh`;
/// without one it is UTC. Digits behind the third are cut off. Times that UTC has outside of the
/// years 0001 to 9999 are refused, as are 24:00 and leap seconds.
std::optional<std::int64_t> parse_time(std::string_view text, std::string& why);
/// `2024-02-29T23:59:07Z`, with three digits behind a point if there are milliseconds.
std::string time_text(std::int64_t milliseconds);

}  // namespace gannet::index
