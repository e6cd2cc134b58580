// Numbers with a fixed number of digits behind the point.
#pragma once

#include <cmath>
#include <limits>

#include "codecs/base/plain_number.hpp"
#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/base/numbers.hpp"

namespace gannet::index::types {

/// A whole number of 10^-scale, whose key is that of a signed integer of 64 bits.
struct Decimal : Defaults<Decimal> {
  static constexpr FieldTraits traits{.sums = Sums::kWhole, .bins = true};
  static constexpr std::string_view names = "decimal(0) to decimal(18)";
  static constexpr std::string_view range = "[1.5 TO 2.5]";

  static bool take_name(FieldSpec& field, std::string_view name) {
    if (!name.starts_with(kLead) || !name.ends_with(')')) return false;
    const auto scale =
        plain_number<unsigned>(name.substr(kLead.size(), name.size() - kLead.size() - 1));
    field.scale = scale.value_or(kMaxScale + 1);
    return field.scale <= kMaxScale;
  }
  static std::string name(const FieldSpec& field) {
    return std::string(kLead) + std::to_string(field.scale) + ")";
  }
  static std::optional<std::string> problem(const FieldSpec& field) {
    if (field.scale <= kMaxScale) return std::nullopt;
    return "decimals have 0 to 18 digits behind the point, not " + std::to_string(field.scale);
  }

  static std::optional<std::uint64_t> key(const FieldSpec& field, std::string_view text,
                                          std::string& why) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (const auto value = signed_number(text, field.scale)) return key_of_signed(*value);
    why = "must be a number from " + spelled(Limits::min(), field.scale) + " to " +
          spelled(Limits::max(), field.scale) + ", with at most " + std::to_string(field.scale) +
          " digits behind the point";
    return std::nullopt;
  }
  static std::string text(const FieldSpec& field, std::uint64_t key) {
    return spelled(signed_of(key), field.scale);
  }
  static double number(const FieldSpec& field, std::uint64_t key) {
    return static_cast<double>(signed_of(key)) / std::pow(10.0, field.scale);
  }
  static std::uint64_t zero_key(const FieldSpec&) { return kSignBit; }
  /// Without the least number of 64 bits, as of integers.
  static KeySpan limits(const FieldSpec&) { return {1, ~std::uint64_t{0}}; }
  static std::string bin_widths(const FieldSpec& field) {
    return "number > 0 with at most " + std::to_string(field.scale) + " digits behind the point";
  }

 private:
  static constexpr std::string_view kLead = "decimal(";
  static constexpr unsigned kMaxScale = 18;

  static std::string spelled(std::int64_t value, unsigned scale) {
    const bool negative = value < 0;
    const std::uint64_t size = negative ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                        : static_cast<std::uint64_t>(value);
    std::string digits = std::to_string(size);
    if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
    if (scale != 0) {
      digits.insert(digits.size() - scale, ".");
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    return (negative ? "-" : "") + digits;
  }
};

}  // namespace gannet::index::types
