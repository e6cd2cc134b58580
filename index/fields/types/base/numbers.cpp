#include "index/fields/types/base/numbers.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/plain_number.hpp"

namespace gannet::index {
namespace {

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
  return plain_number<Number>((number->negative ? "-" : "") + number->digits);
}

}  // namespace

std::optional<std::int64_t> signed_number(std::string_view text, unsigned scale) {
  if (scale == 0) {
    if (const auto value = plain_number<std::int64_t>(text)) return value;
  }
  return whole_number<std::int64_t>(text, scale);
}

std::optional<std::uint64_t> unsigned_number(std::string_view text) {
  if (const auto value = plain_number<std::uint64_t>(text)) return value;
  return whole_number<std::uint64_t>(text, 0);
}

}  // namespace gannet::index
