// Whole numbers as JSON and CSV writers spell them, and signed ones as keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gannet::index {

inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// The key of a signed number has its sign bit flipped.
constexpr std::uint64_t key_of_signed(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ kSignBit;
}
constexpr std::int64_t signed_of(std::uint64_t key) {
  return static_cast<std::int64_t>(key ^ kSignBit);
}

/// The number that `text` spells, times 10^scale, if that is whole and fits: with a sign, a
/// fraction and an exponent, as in 2000.0, 1e3, +5, 9e-05.
std::optional<std::int64_t> signed_number(std::string_view text, unsigned scale = 0);
std::optional<std::uint64_t> unsigned_number(std::string_view text);

}  // namespace gannet::index
