// The integer types of columns. The functions are thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet::codecs {

/// The type of the values of a column. The numbers are part of the column file format.
enum class ValueType : std::uint32_t { kI8 = 1, kU8, kI16, kU16, kI32, kU32, kI64, kU64 };

/// All types with their names, in the order of their numbers.
inline constexpr std::array<std::pair<ValueType, std::string_view>, 8> kValueTypes{{
    {ValueType::kI8, "i8"},
    {ValueType::kU8, "u8"},
    {ValueType::kI16, "i16"},
    {ValueType::kU16, "u16"},
    {ValueType::kI32, "i32"},
    {ValueType::kU32, "u32"},
    {ValueType::kI64, "i64"},
    {ValueType::kU64, "u64"},
}};

/// The name of a type, "i8" to "u64". `type` must be one of the eight.
inline std::string_view name_of(ValueType type) {
  return kValueTypes[static_cast<std::uint32_t>(type) - 1].second;
}

/// Bytes of one value. `type` must be one of the eight.
constexpr std::uint32_t size_of(ValueType type) {
  return 1u << ((static_cast<std::uint32_t>(type) - 1) / 2);
}

/// The type with this name. Throws UsageError, which lists the names, if no type has it.
inline ValueType value_type_named(std::string_view name) {
  for (const auto& [type, known] : kValueTypes) {
    if (known == name) return type;
  }
  throw UsageError("no type of values is called '" + std::string(name) +
                   "'; there are i8, u8, i16, u16, i32, u32, i64, u64");
}

/// The type of a column of T, by the size and the sign of T.
template <class T>
constexpr ValueType value_type_of() {
  static_assert(std::is_integral_v<T> && sizeof(T) <= 8);
  constexpr std::uint32_t kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<ValueType>(1 + 2 * kLog + (std::is_signed_v<T> ? 0 : 1));
}

/// Runs `f.template operator()<T>()` for the C++ type of `type`, and returns its result. Throws
/// FormatError if `type`, as read from a file, is none of the eight.
template <class F>
decltype(auto) with_value_type(ValueType type, F&& f) {
  switch (type) {
    case ValueType::kI8:
      return f.template operator()<std::int8_t>();
    case ValueType::kU8:
      return f.template operator()<std::uint8_t>();
    case ValueType::kI16:
      return f.template operator()<std::int16_t>();
    case ValueType::kU16:
      return f.template operator()<std::uint16_t>();
    case ValueType::kI32:
      return f.template operator()<std::int32_t>();
    case ValueType::kU32:
      return f.template operator()<std::uint32_t>();
    case ValueType::kI64:
      return f.template operator()<std::int64_t>();
    case ValueType::kU64:
      return f.template operator()<std::uint64_t>();
  }
  throw FormatError("unknown type of values " + std::to_string(static_cast<std::uint32_t>(type)));
}

}  // namespace gannet::codecs
