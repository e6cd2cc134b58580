#include "index/fields/key_map.hpp"

#include <fmt/format.h>

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

Key key_of_signed_text(unsigned bits, std::string_view text, std::string& why) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  const auto value = number_of<std::int64_t>(text);
  if (value && *value >= -most - 1 && *value <= most) return key_of_signed(*value);
  why = fmt::format("must be a whole number from {} to {}", -most - 1, most);
  return std::nullopt;
}

Key key_of_unsigned_text(unsigned bits, std::string_view text, std::string& why) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
  const auto value = number_of<std::uint64_t>(text);
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
  why = fmt::format("must be a number from {} to {}, with at most {} digits behind the point",
                    decimal_text(Limits::min(), scale), decimal_text(Limits::max(), scale), scale);
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (digits.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  std::string_view behind = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (point != std::string_view::npos && behind.empty()) return std::nullopt;
  if (behind.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  while (behind.size() > scale && behind.back() == '0') behind.remove_suffix(1);
  if (behind.size() > scale) return std::nullopt;
  digits.append(behind).append(scale - behind.size(), '0');
  const auto value = number_of<std::int64_t>(digits);
  if (!value) return std::nullopt;
  return key_of_signed(*value);
}

template <class Bits, class Float>
Key key_of_float_text(std::string_view text, std::string& why) {
  const auto value = number_of<Float>(text);
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
