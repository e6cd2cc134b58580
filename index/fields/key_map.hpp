// Keys: values of fields as unsigned integers in the order of the values.
//
// A value has a *key*, an unsigned 64-bit number: a < b if and only if key(a) < key(b), so that a
// range of values is a range of keys. A column stores *codes*: code = (key - base) / unit, without
// remainder. FORMAT.md defines the keys of each type. The functions are pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/fields/types/all.hpp"

namespace gannet::index {

/// Maps the codes of a column to keys.
struct KeyMap {
  std::uint64_t base = 0;  ///< the smallest key of the column
  std::uint64_t unit = 1;  ///< the greatest common divisor of all key - base; 1 if all are 0

  std::uint64_t key(std::uint64_t code) const { return base + code * unit; }
  bool operator==(const KeyMap&) const = default;
};

/// The key of a value in the spelling of documents and queries (JSON's numbers, true and false, ISO
/// 8601, IPv4 addresses). Numbers of every type may have a sign, a fraction and an exponent: 2000.0
/// and 2e3 are integers, 9e-05 is a decimal(5). An integer or decimal that its type cannot hold
/// exactly has no key. A floating-point number is rounded to the nearest one of its type; a time is
/// cut to milliseconds.
///
/// Returns nothing if the text is not a value of the field's type or is out of its range; `why` (if
/// not null) then says what the value must be, as the end of a sentence: "must be true or false".
/// Keywords and texts have no keys: for these types the function always returns nothing.
std::optional<std::uint64_t> key_of(const FieldSpec& field, std::string_view text,
                                    std::string* why = nullptr);
/// The range of keys that a text stands for in a filter. A day stands for all its times, a month or
/// a year for all its dates and times, an IPv4 network (10.0.0.0/8) for all its addresses, and a
/// floating-point 0 for both zeros. Every other value stands for its key alone. Failures as in
/// key_of().
std::optional<KeySpan> keys_of(const FieldSpec& field, std::string_view text,
                               std::string* why = nullptr);
/// The shortest text whose key_of() is `key`; times always have seconds and a Z. A key that no
/// value of the type has, as in damaged files, gives some text. Not for keywords and texts.
std::string value_text(const FieldSpec& field, std::uint64_t key);
/// The key of the number 0, of 1970-01-01, of false. The key of every integer, decimal, date and
/// time is zero_key() plus its number (modulo 2^64), for decimals in units of 10^-scale. Not for
/// floating-point numbers, keywords and texts.
std::uint64_t zero_key(const FieldSpec& field);

/// A function that converts a key to a number, for means and histograms: times in milliseconds and
/// dates in days since 1970-01-01. Numbers beyond 2^53 are rounded.
using ValueNumber = double (*)(const FieldSpec& field, std::uint64_t key);
/// The function of a field's type. Loops over values ask for it once.
ValueNumber value_number_of(const FieldSpec& field);
/// One call of value_number_of(field).
inline double value_number(const FieldSpec& field, std::uint64_t key) {
  return value_number_of(field)(field, key);
}

}  // namespace gannet::index
