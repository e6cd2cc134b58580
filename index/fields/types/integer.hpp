// Whole numbers of 8 to 64 bits.
#pragma once

#include <limits>

#include "codecs/base/plain_number.hpp"
#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/base/numbers.hpp"

namespace gannet::index::types {

/// The key of an unsigned one is the number; that of a signed one has its sign bit flipped.
struct Integer : Defaults<Integer> {
  static constexpr FieldTraits traits{
      .form = ValueForm::kWhole, .sums = Sums::kWhole, .bins = true};
  static constexpr std::string_view names = "i8, i16, i32, i64, u8, u16, u32, u64";

  static bool take_name(FieldSpec& field, std::string_view name) {
    const auto bits = name.empty() ? std::nullopt : plain_number<unsigned>(name.substr(1));
    if (!bits) return false;
    field.bits = *bits;
    field.is_signed = name[0] == 'i';
    return is_width(*bits) && Integer::name(field) == name;
  }
  static std::string name(const FieldSpec& field) {
    return (field.is_signed ? "i" : "u") + std::to_string(field.bits);
  }
  static std::optional<std::string> problem(const FieldSpec& field) {
    if (is_width(field.bits)) return Defaults::problem(field);
    return "integers have 8, 16, 32 or 64 bits, not " + std::to_string(field.bits);
  }

  static std::optional<std::uint64_t> key(const FieldSpec& field, std::string_view text,
                                          std::string& why) {
    return field.is_signed ? key_of_signed_text(field.bits, text, why)
                           : key_of_unsigned_text(field.bits, text, why);
  }
  static std::string text(const FieldSpec& field, std::uint64_t key) {
    return field.is_signed ? std::to_string(signed_of(key)) : std::to_string(key);
  }
  static double number(const FieldSpec& field, std::uint64_t key) {
    return field.is_signed ? static_cast<double>(signed_of(key)) : static_cast<double>(key);
  }
  static std::uint64_t zero_key(const FieldSpec& field) { return field.is_signed ? kSignBit : 0; }

  /// A column cannot hold both the least and the greatest value of 64 bits: the least signed and
  /// the greatest unsigned one are left out.
  static KeySpan limits(const FieldSpec& field) {
    const bool wide = field.bits == 64;
    if (!field.is_signed) return {0, most_unsigned(field.bits) - (wide ? 1 : 0)};
    const std::int64_t most = most_signed(field.bits);
    return {key_of_signed(-most - (wide ? 0 : 1)), key_of_signed(most)};
  }

 private:
  static bool is_width(unsigned bits) {
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  static std::int64_t most_signed(unsigned bits) {
    return std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  }
  static std::uint64_t most_unsigned(unsigned bits) {
    return std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
  }

  static std::optional<std::uint64_t> key_of_signed_text(unsigned bits, std::string_view text,
                                                         std::string& why) {
    const std::int64_t most = most_signed(bits);
    const auto value = signed_number(text);
    if (value && *value >= -most - 1 && *value <= most) return key_of_signed(*value);
    why =
        "must be a whole number from " + std::to_string(-most - 1) + " to " + std::to_string(most);
    return std::nullopt;
  }
  static std::optional<std::uint64_t> key_of_unsigned_text(unsigned bits, std::string_view text,
                                                           std::string& why) {
    const std::uint64_t most = most_unsigned(bits);
    const auto value = unsigned_number(text);
    if (value && *value <= most) return *value;
    why = "must be a whole number from 0 to " + std::to_string(most);
    return std::nullopt;
  }
};

}  // namespace gannet::index::types
