// Values of fields as whole numbers in the same order.
//
// A value has a *key*, an unsigned 64-bit number: a < b if and only if key(a) < key(b), so that a
// range of values is a range of keys. A column stores *codes*: (key - base) / unit, which is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/fields/types/all.hpp"

namespace gannet::index {

/// How the codes of a column become keys.
struct KeyMap {
  std::uint64_t base = 0;  ///< the smallest key
  std::uint64_t unit = 1;  ///< the greatest common divisor of key - base, or 1

  std::uint64_t key(std::uint64_t code) const { return base + code * unit; }
  bool operator==(const KeyMap&) const = default;
};

/// The key of a value as documents and queries spell it (JSON's numbers, true and false, ISO 8601).
/// Numbers may have a sign, a fraction and an exponent, whatever their type: 2000.0 and 2e3 are
/// whole numbers, 9e-05 is a decimal(5). They are taken exactly, or not at all.
/// Nothing if it is no such value, or out of the type's range; `why` then says what it must be. Not
/// for keywords and texts.
std::optional<std::uint64_t> key_of(const FieldSpec& field, std::string_view text,
                                    std::string* why = nullptr);
/// The keys that a text means in a filter: of a time all of the day 2024-02-29, of dates and times
/// all of a month or a year, of floats both zeros if it is 0. Else the key of the value.
std::optional<KeySpan> keys_of(const FieldSpec& field, std::string_view text,
                               std::string* why = nullptr);
/// The shortest text from which key_of() makes the key again; times with seconds and Z. Not for
/// keywords and stored texts.
std::string value_text(const FieldSpec& field, std::uint64_t key);
/// The key of the number 0, of 1970-01-01, of false: keys of whole numbers are `zero_key` plus the
/// number. Not for floats and keywords.
std::uint64_t zero_key(const FieldSpec& field);

/// Gives the value as a number, for means and histograms: milliseconds for times, days for dates.
using ValueNumber = double (*)(const FieldSpec& field, std::uint64_t key);
/// That of a field's type, for loops over values.
ValueNumber value_number_of(const FieldSpec& field);
inline double value_number(const FieldSpec& field, std::uint64_t key) {
  return value_number_of(field)(field, key);
}

}  // namespace gannet::index
