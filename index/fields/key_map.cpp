#include "index/fields/key_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "index/fields/iso_time.hpp"
#include "index/fields/schema.hpp"

namespace gannet::index {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

std::uint64_t key_of_signed(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ kSign;
}
std::int64_t signed_of(std::uint64_t key) { return static_cast<std::int64_t>(key ^ kSign); }

/// Positive floats are in the order of their bits, negative ones in the reverse order.
template <class Bits, class Float>
std::uint64_t key_of_float(Float value) {
  constexpr Bits kTop = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto bits = std::bit_cast<Bits>(value);
  return (bits & kTop) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kTop);
}

template <class Float, class Bits>
Float float_of(std::uint64_t key) {
  constexpr Bits kTop = Bits{1} << (8 * sizeof(Bits) - 1);
  const auto bits = static_cast<Bits>(key);
  return std::bit_cast<Float>((bits & kTop) != 0 ? static_cast<Bits>(bits ^ kTop)
                                                 : static_cast<Bits>(~bits));
}

using Key = std::optional<std::uint64_t>;

/// The number that is all of `text`.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

constexpr std::string_view kDecimalDigits = "0123456789";

/// A number as JSON and CSV writers spell it, taken apart: 2000.0, 1e3, +5, 9e-05.
struct Spelled {
  bool negative = false;
  std::string digits = {};  ///< before and behind the point; without zeros at either end
  std::int64_t power = 0;   ///< of 10, by which they are multiplied
};

/// Takes the digits at the front of `text` away.
std::string_view take_number_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of(kDecimalDigits));
  text.remove_prefix(digits.size());
  return digits;
}

/// Takes an exponent away; nothing if it is none. One that no number of ours has is cut off.
std::optional<std::int64_t> take_power(std::string_view& text) {
  if (!text.starts_with('e') && !text.starts_with('E')) return 0;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_number_digits(text);
  if (digits.empty()) return std::nullopt;
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  std::int64_t power = 0;
  for (const char digit : digits) power = std::min(power * 10 + (digit - '0'), kMax);
  return negative ? -power : power;
}

std::optional<Spelled> spelled_number(std::string_view text) {
  Spelled number;
  number.negative = text.starts_with('-');
  if (number.negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view before = take_number_digits(text);
  std::string_view behind;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    behind = take_number_digits(text);
    if (behind.empty()) return std::nullopt;
  }
  const auto power = take_power(text);
  if (!power || !text.empty() || before.empty()) return std::nullopt;
  number.digits.append(before).append(behind);
  number.power = *power - static_cast<std::int64_t>(behind.size());
  const std::size_t last = number.digits.find_last_not_of('0');
  if (last == std::string::npos) return Spelled{number.negative, "0", 0};
  number.power += static_cast<std::int64_t>(number.digits.size() - last - 1);
  number.digits.resize(last + 1);
  number.digits.erase(0, number.digits.find_first_not_of('0'));
  return number;
}

/// The whole number that `text` is, times 10^scale, if it is whole and fits.
template <class Number>
std::optional<Number> whole_number(std::string_view text, unsigned scale) {
  auto number = spelled_number(text);
  if (!number) return std::nullopt;
  constexpr std::int64_t kMaxDigits = 20;
  const std::int64_t zeros = number->digits == "0" ? 0 : number->power + scale;
  if (zeros < 0 || zeros > kMaxDigits) return std::nullopt;
  number->digits.append(static_cast<std::size_t>(zeros), '0');
  if (number->digits == "0") return Number{0};
  return number_of<Number>((number->negative ? "-" : "") + number->digits);
}

Key key_of_signed_text(unsigned bits, std::string_view text, std::string& why) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  auto value = number_of<std::int64_t>(text);
  if (!value) value = whole_number<std::int64_t>(text, 0);
  if (value && *value >= -most - 1 && *value <= most) return key_of_signed(*value);
  why = fmt::format("must be a whole number from {} to {}", -most - 1, most);
  return std::nullopt;
}

Key key_of_unsigned_text(unsigned bits, std::string_view text, std::string& why) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
  auto value = number_of<std::uint64_t>(text);
  if (!value) value = whole_number<std::uint64_t>(text, 0);
  if (value && *value <= most) return *value;
  why = fmt::format("must be a whole number from 0 to {}", most);
  return std::nullopt;
}

std::string decimal_text(std::int64_t value, unsigned scale) {
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

/// All digits as one whole number, with zeros for those behind the point that are not there.
Key key_of_decimal(unsigned scale, std::string_view text, std::string& why) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (const auto value = whole_number<std::int64_t>(text, scale)) return key_of_signed(*value);
  why = fmt::format("must be a number from {} to {}, with at most {} digits behind the point",
                    decimal_text(Limits::min(), scale), decimal_text(Limits::max(), scale), scale);
  return std::nullopt;
}

template <class Bits, class Float>
Key key_of_float_text(std::string_view text, std::string& why) {
  // from_chars() takes no plus sign.
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const auto value = number_of<Float>(plus ? text.substr(1) : text);
  if (value && std::isfinite(*value)) return key_of_float<Bits>(*value);
  why = fmt::format("must be a number that {} bits can hold; neither NaN nor infinite",
                    8 * sizeof(Float));
  return std::nullopt;
}

Key key_of_boolean(std::string_view text, std::string& why) {
  if (text == "true" || text == "false") return text == "true" ? 1 : 0;
  why = "must be true or false";
  return std::nullopt;
}

Key key_of_day_or_time(std::optional<std::int64_t> value) {
  return value ? Key(key_of_signed(*value)) : std::nullopt;
}

Key key_of_text(const FieldSpec& field, std::string_view text, std::string& why) {
  switch (field.type) {
    case FieldType::kInteger:
      return field.is_signed ? key_of_signed_text(field.bits, text, why)
                             : key_of_unsigned_text(field.bits, text, why);
    case FieldType::kDecimal:
      return key_of_decimal(field.scale, text, why);
    case FieldType::kFloat32:
      return key_of_float_text<std::uint32_t, float>(text, why);
    case FieldType::kFloat64:
      return key_of_float_text<std::uint64_t, double>(text, why);
    case FieldType::kDate:
      return key_of_day_or_time(parse_date(text, why));
    case FieldType::kTime:
      return key_of_day_or_time(parse_time(text, why));
    case FieldType::kBoolean:
      return key_of_boolean(text, why);
    case FieldType::kText:
      why = "is a text, which is searched and not compared";
      return std::nullopt;
    case FieldType::kKeyword:
    case FieldType::kStored:
      break;
  }
  why = field.type == FieldType::kStored
            ? "is a text that is only stored; a field of another type can be searched"
            : "is a string, which has a number only in a segment's dictionary";
  return std::nullopt;
}

template <class Number>
std::string shortest_text(Number value) {
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

}  // namespace

std::optional<std::uint64_t> key_of(const FieldSpec& field, std::string_view text,
                                    std::string* why) {
  std::string reason;
  const Key key = key_of_text(field, text, reason);
  if (!key && why != nullptr) *why = std::move(reason);
  return key;
}

std::string value_text(const FieldSpec& field, std::uint64_t key) {
  switch (field.type) {
    case FieldType::kInteger:
      return field.is_signed ? std::to_string(signed_of(key)) : std::to_string(key);
    case FieldType::kDecimal:
      return decimal_text(signed_of(key), field.scale);
    case FieldType::kFloat32:
      return shortest_text(float_of<float, std::uint32_t>(key));
    case FieldType::kFloat64:
      return shortest_text(float_of<double, std::uint64_t>(key));
    case FieldType::kDate:
      return date_text(signed_of(key));
    case FieldType::kTime:
      return time_text(signed_of(key));
    case FieldType::kBoolean:
      return key == 0 ? "false" : "true";
    case FieldType::kKeyword:
    case FieldType::kStored:
    case FieldType::kText:
      break;
  }
  return std::to_string(key);
}

double value_number(const FieldSpec& field, std::uint64_t key) {
  switch (field.type) {
    case FieldType::kInteger:
      return field.is_signed ? static_cast<double>(signed_of(key)) : static_cast<double>(key);
    case FieldType::kDecimal:
      return static_cast<double>(signed_of(key)) / std::pow(10.0, field.scale);
    case FieldType::kFloat32:
      return float_of<float, std::uint32_t>(key);
    case FieldType::kFloat64:
      return float_of<double, std::uint64_t>(key);
    case FieldType::kDate:
    case FieldType::kTime:
      return static_cast<double>(signed_of(key));
    case FieldType::kBoolean:
    case FieldType::kKeyword:
    case FieldType::kStored:
    case FieldType::kText:
      break;
  }
  return static_cast<double>(key);
}

}  // namespace gannet::index
