// Floating-point numbers of 32 and 64 bits.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "codecs/base/plain_number.hpp"
#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/base/numbers.hpp"

namespace gannet::index::types {

/// Kept bit by bit; infinities and NaN are refused. Positive ones are in the order of their bits,
/// negative ones in the reverse order, so that -0 is right before 0.
template <class T, class Float, class Bits>
struct Floating : Defaults<T> {
  static constexpr FieldTraits traits{
      .form = ValueForm::kFloat, .sums = Sums::kFloat, .bins = true};
  static constexpr std::string_view range = "[1.5 TO 2.5]";

  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view text,
                                          std::string& why) {
    // from_chars() takes no plus sign.
    const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    const auto value = plain_number<Float>(plus ? text.substr(1) : text);
    if (value && std::isfinite(*value)) return key_of_float(*value);
    why = "must be a number that " + std::to_string(8 * sizeof(Float)) +
          " bits can hold; neither NaN nor infinite";
    return std::nullopt;
  }
  /// Both zeros are meant by each.
  static std::optional<KeySpan> span(const FieldSpec& field, std::string_view text,
                                     std::string& why) {
    const auto found = key(field, text, why);
    if (!found) return std::nullopt;
    if (float_of(*found) == 0) return KeySpan{key_of_float(-Float{0}), key_of_float(Float{0})};
    return KeySpan{*found, *found};
  }
  static std::string text(const FieldSpec&, std::uint64_t key) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, float_of(key));
    return {buffer, result.ptr};
  }
  static double number(const FieldSpec&, std::uint64_t key) { return float_of(key); }
  static KeySpan limits(const FieldSpec&) {
    using Limits = std::numeric_limits<Float>;
    return {key_of_float(Limits::lowest()), key_of_float(Limits::max())};
  }
  static std::string bin_widths(const FieldSpec&) { return "number > 0"; }

 private:
  static constexpr Bits kTop = Bits{1} << (8 * sizeof(Bits) - 1);

  static std::uint64_t key_of_float(Float value) {
    const auto bits = std::bit_cast<Bits>(value);
    return (bits & kTop) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kTop);
  }
  static Float float_of(std::uint64_t key) {
    const auto bits = static_cast<Bits>(key);
    return std::bit_cast<Float>((bits & kTop) != 0 ? static_cast<Bits>(bits ^ kTop)
                                                   : static_cast<Bits>(~bits));
  }
};

struct Float32 : Floating<Float32, float, std::uint32_t> {
  static constexpr std::string_view names = "f32";
};
struct Float64 : Floating<Float64, double, std::uint64_t> {
  static constexpr std::string_view names = "f64";
};

}  // namespace gannet::index::types
