// Moments.
#pragma once

#include "index/fields/types/base/calendar.hpp"
#include "index/fields/types/base/iso_time.hpp"

namespace gannet::index::types {

/// Milliseconds since 1970-01-01T00:00Z, signed; ISO 8601 with or without zone (UTC). What is finer
/// than a millisecond is cut off.
struct Time : Calendar<Time> {
  static constexpr FieldTraits traits{.sums = Sums::kMean, .bins = true, .day = kMillisecondsOfDay};
  static constexpr std::string_view names = "time";
  static constexpr const char* day_begin = "T00:00";
  static constexpr const char* day_end = "T23:59:59.999";

  static std::optional<std::int64_t> parse(std::string_view text, std::string& why) {
    return parse_time(text, why);
  }
  static std::string text(const FieldSpec&, std::uint64_t key) { return time_text(signed_of(key)); }
  static KeySpan limits(const FieldSpec&) {
    return {key_of_signed(kFirstDay * kMillisecondsOfDay),
            key_of_signed((kLastDay + 1) * kMillisecondsOfDay - 1)};
  }
  static std::string bin_widths(const FieldSpec&) {
    return "whole number > 0 of milliseconds, or year, month, day or hour";
  }
};

}  // namespace gannet::index::types
