#include "index/fields/types/base/iso_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gannet::index {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = kMillisecondsOfDay;

constexpr std::int64_t days_of(year_month_day date) {
  return sys_days(date).time_since_epoch().count();
}
static_assert(kFirstDay == days_of(year(1) / 1 / 1));
static_assert(kLastDay == days_of(year(9999) / 12 / 31));

/// Reads a text from front to back; every function is false if what it wants is not there.
class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  bool at_end() const { return left_.empty(); }
  bool next_is_digit() const { return !left_.empty() && left_[0] >= '0' && left_[0] <= '9'; }
  bool take(char c) {
    if (left_.empty() || left_[0] != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  /// Exactly `count` digits.
  bool number(int count, int& value) {
    value = 0;
    for (int i = 0; i < count; ++i) {
      if (!next_is_digit()) return false;
      value = 10 * value + digit();
    }
    return true;
  }
  int digit() {
    const int value = left_[0] - '0';
    left_.remove_prefix(1);
    return value;
  }

 private:
  std::string_view left_;
};

std::optional<std::int64_t> read_date(Reader& reader, std::string& why) {
  int y = 0;
  int m = 0;
  int d = 0;
  if (!reader.number(4, y) || !reader.take('-') || !reader.number(2, m) || !reader.take('-') ||
      !reader.number(2, d)) {
    why = "must begin with year, month and day, as in 2024-02-29";
    return std::nullopt;
  }
  const year_month_day date(year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d)));
  if (y == 0) {
    why = "must be of a year from 0001 to 9999";
    return std::nullopt;
  }
  if (!date.month().ok()) {
    why = "names a month that the calendar does not have";
    return std::nullopt;
  }
  if (!date.ok()) {
    why = "names a day that the calendar does not have";
    return std::nullopt;
  }
  return days_of(date);
}

/// Three digits behind a point; more are read and cut off.
bool read_fraction(Reader& reader, std::int64_t& milliseconds) {
  if (!reader.next_is_digit()) return false;
  for (std::int64_t scale = 100; reader.next_is_digit(); scale /= 10) {
    milliseconds += scale * reader.digit();
  }
  return true;
}

std::optional<std::int64_t> read_clock(Reader& reader, std::string& why) {
  int h = 0;
  int m = 0;
  int s = 0;
  std::int64_t fraction = 0;
  why = "must have hours and minutes behind the day, as in 2024-02-29T23:59 or ...T23:59:07.250Z";
  if (!reader.number(2, h) || !reader.take(':') || !reader.number(2, m)) return std::nullopt;
  if (reader.take(':')) {
    if (!reader.number(2, s)) return std::nullopt;
    const bool has_fraction = reader.take('.') || reader.take(',');
    if (has_fraction && !read_fraction(reader, fraction)) return std::nullopt;
  }
  if (h == 24) why = "has the hour 24; write 00:00 of the next day";
  if (s == 60) why = "has a leap second, which is not counted here; write the second before";
  if (h > 24 || m > 59 || s > 60) why = "has hours above 23, or minutes or seconds above 59";
  if (h > 23 || m > 59 || s > 59) return std::nullopt;
  return h * kHour + m * kMinute + s * 1000 + fraction;
}

/// How much the zone is before UTC.
std::optional<std::int64_t> read_zone(Reader& reader, std::string& why) {
  if (reader.at_end() || reader.take('Z')) return 0;
  why = "must end with a zone as Z or +01:00 behind the time, or with none";
  const bool east = reader.take('+');
  if (!east && !reader.take('-')) return std::nullopt;
  int h = 0;
  int m = 0;
  if (!reader.number(2, h)) return std::nullopt;
  const bool colon = reader.take(':');
  if ((colon || !reader.at_end()) && !reader.number(2, m)) return std::nullopt;
  if (h > 23 || m > 59) return std::nullopt;
  return (east ? 1 : -1) * (h * kHour + m * kMinute);
}

/// Damaged files may have any number: it is brought within the range.
std::string text_of_day(std::int64_t count) {
  const year_month_day date{sys_days{days{std::clamp(count, kFirstDay, kLastDay)}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text, std::string& why) {
  Reader reader(text);
  const auto date = read_date(reader, why);
  if (!date || reader.at_end()) return date;
  why = "must be a day without a time, as in 2024-02-29";
  return std::nullopt;
}

std::string date_text(std::int64_t count) { return text_of_day(count); }

std::optional<std::int64_t> parse_time(std::string_view text, std::string& why) {
  Reader reader(text);
  const auto date = read_date(reader, why);
  if (!date || reader.at_end()) return date ? std::optional(*date * kDay) : std::nullopt;
  if (!reader.take('T') && !reader.take(' ')) {
    why = "must have a T between day and time, as in 2024-02-29T23:59:07Z";
    return std::nullopt;
  }
  const auto clock = read_clock(reader, why);
  if (!clock) return std::nullopt;
  const auto zone = read_zone(reader, why);
  if (!zone) return std::nullopt;
  if (!reader.at_end()) {
    why = "has something behind the time that is no zone as Z or +01:00";
    return std::nullopt;
  }
  const std::int64_t time = *date * kDay + *clock - *zone;
  if (time < kFirstDay * kDay || time >= (kLastDay + 1) * kDay) {
    why = "is outside of the years 0001 to 9999 in UTC";
    return std::nullopt;
  }
  return time;
}

std::string time_text(std::int64_t milliseconds) {
  std::int64_t day = milliseconds / kDay;
  std::int64_t of_day = milliseconds % kDay;
  if (of_day < 0) {
    --day;
    of_day += kDay;
  }
  const std::string date = text_of_day(day);
  const std::string clock = fmt::format("{}T{:02}:{:02}:{:02}", date, of_day / kHour,
                                        of_day / kMinute % 60, of_day / 1000 % 60);
  return of_day % 1000 == 0 ? clock + "Z" : fmt::format("{}.{:03}Z", clock, of_day % 1000);
}

}  // namespace gannet::index
