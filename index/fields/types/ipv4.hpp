// Addresses of the Internet Protocol, version 4.
#pragma once

#include "codecs/base/plain_number.hpp"
#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/base/numbers.hpp"

namespace gannet::index::types {

/// Four numbers from 0 to 255 with points between: 10.0.0.1. The key is the address as a number,
/// the first byte the highest. A filter takes a network besides, as in 10.0.0.0/8: all addresses
/// whose first bits are those.
struct Ipv4 : Defaults<Ipv4> {
  static constexpr FieldTraits traits{};
  static constexpr std::string_view names = "ipv4";

  static std::optional<std::uint64_t> key(const FieldSpec&, std::string_view text,
                                          std::string& why) {
    if (const auto address = parse(text)) return address;
    why = "must be an IPv4 address, as in 192.168.0.1";
    return std::nullopt;
  }
  static std::optional<KeySpan> span(const FieldSpec& field, std::string_view text,
                                     std::string& why) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return Defaults::span(field, text, why);
    const auto address = key(field, text.substr(0, slash), why);
    if (!address) return std::nullopt;
    const auto bits = decimal(text.substr(slash + 1), 32);
    const std::uint64_t rest = bits ? kMax >> *bits : 0;
    if (bits && (*address & rest) == 0) return KeySpan{*address, *address | rest};
    why =
        "must be a network, as in 10.0.0.0/8: behind the slash a number of bits from 0 to 32, and "
        "the "
        "address is zero after them";
    return std::nullopt;
  }
  static std::string text(const FieldSpec&, std::uint64_t key) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) {
      text += std::to_string(key >> shift & 255) + (shift == 0 ? "" : ".");
    }
    return text;
  }
  static KeySpan limits(const FieldSpec&) { return {0, kMax}; }
  static std::string filter_examples(const std::string& name) {
    return name + "10.0.0.0/8 for a network, or a range as in " + name + "[10.0.0.1 TO 10.0.0.99]";
  }

 private:
  static constexpr std::uint64_t kMax = 0xffffffff;

  /// A number without leading zeros, which some programs read as octal numbers.
  static std::optional<unsigned> decimal(std::string_view digits, unsigned most) {
    if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
    const auto number = plain_number<unsigned>(digits);
    return number && *number <= most ? number : std::nullopt;
  }

  static std::optional<std::uint64_t> parse(std::string_view text) {
    std::uint64_t address = 0;
    for (int byte = 0; byte < 4; ++byte) {
      const std::size_t point = byte == 3 ? text.size() : text.find('.');
      if (point == std::string_view::npos) return std::nullopt;
      const auto value = decimal(text.substr(0, point), 255);
      if (!value) return std::nullopt;
      address = address << 8 | *value;
      text.remove_prefix(byte == 3 ? point : point + 1);
    }
    return address;
  }
};

}  // namespace gannet::index::types
