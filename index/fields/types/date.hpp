// Days of the calendar.
#pragma once

#include "index/fields/types/base/calendar.hpp"
#include "index/fields/types/base/iso_time.hpp"

namespace gannet::index::types {

/// Days since 1970-01-01, signed; ISO 8601: 2024-02-29.
struct Date : Calendar<Date> {
  static constexpr FieldTraits traits{.sums = Sums::kMean, .bins = true, .day = 1};
  static constexpr std::string_view names = "date";
  static constexpr const char* day_begin = "";
  static constexpr const char* day_end = "";

  static std::optional<std::int64_t> parse(std::string_view text, std::string& why) {
    return parse_date(text, why);
  }
  static std::string text(const FieldSpec&, std::uint64_t key) { return date_text(signed_of(key)); }
  static KeySpan limits(const FieldSpec&) {
    return {key_of_signed(kFirstDay), key_of_signed(kLastDay)};
  }
  static std::string bin_widths(const FieldSpec&) {
    return "whole number > 0 of days, or year, month or day";
  }
};

}  // namespace gannet::index::types
