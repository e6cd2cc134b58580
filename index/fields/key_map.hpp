// Values of fields as whole numbers in the same order.
//
// A value has a *key*, an unsigned 64-bit number: a < b if and only if key(a) < key(b), so that a
// range of values is a range of keys. A column stores *codes*: (key - base) / unit, which is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::index {

enum class FieldType : std::uint8_t {
  kInteger,  ///< of 8 to 64 bits; the key of a signed one has its sign bit flipped
  kDecimal,  ///< a whole number of 10^-scale; as a signed integer of 64 bits
  kFloat32,  ///< exactly as it was; -0 is before 0; infinities and NaN are refused
  kFloat64,
  kDate,  ///< days since 1970-01-01, signed; ISO 8601: 2024-02-29
  /// Milliseconds since 1970-01-01T00:00Z, signed; ISO 8601 with or without zone (UTC). What is
  /// finer than a millisecond is cut off.
  kTime,
  kBoolean,  ///< false: 0, true: 1
  kKeyword,  ///< the number of the string in the segment's dictionary, which is sorted bytewise
  kStored,   ///< a text to be shown; it has no key, for it is not searched, sorted or counted
  /// Searched, not compared: its terms are in the lexicon (text_terms.hpp). The column has its
  /// length in tokens, in documents where that is not 0.
  kText,
};

/// How the codes of a column become keys.
struct KeyMap {
  std::uint64_t base = 0;  ///< the smallest key
  std::uint64_t unit = 1;  ///< the greatest common divisor of key - base, or 1

  std::uint64_t key(std::uint64_t code) const { return base + code * unit; }
  bool operator==(const KeyMap&) const = default;
};

struct FieldSpec;

/// The key of a value as documents and queries spell it (JSON's numbers, true and false, ISO 8601).
/// Numbers may have a sign, a fraction and an exponent, whatever their type: 2000.0 and 2e3 are
/// whole numbers, 9e-05 is a decimal(5). They are taken exactly, or not at all.
/// Nothing if it is no such value, or out of the type's range; `why` then says what it must be. Not
/// for keywords and texts.
std::optional<std::uint64_t> key_of(const FieldSpec& field, std::string_view text,
                                    std::string* why = nullptr);
/// The shortest text from which key_of() makes the key again; times with seconds and Z. Not for
/// keywords and stored texts.
std::string value_text(const FieldSpec& field, std::uint64_t key);
/// The value as a number, for means and histograms: milliseconds for times, days for dates.
double value_number(const FieldSpec& field, std::uint64_t key);

}  // namespace gannet::index
