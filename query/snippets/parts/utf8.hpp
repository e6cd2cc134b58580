// Walking through UTF-8 that may be invalid, by code points.
#pragma once

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace gannet::query {

/// A code point of a text, or a sequence of bytes that is none.
struct CodePoint {
  std::int32_t value = -1;  ///< -1: no UTF-8
  std::uint32_t bytes = 1;

  bool valid() const { return value >= 0; }
  bool is_space() const { return valid() && u_isUWhiteSpace(value) != 0; }
};

/// The one that starts at byte `at` < text.size().
inline CodePoint code_point_at(std::string_view text, std::uint64_t at) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  const auto left = static_cast<std::int32_t>(std::min<std::uint64_t>(text.size() - at, 4));
  std::int32_t value = 0;
  std::int32_t next = 0;
  U8_NEXT(bytes, next, left, value);
  return {value, static_cast<std::uint32_t>(next)};
}

/// Where the one starts that ends at byte `at` > 0.
inline std::uint64_t code_point_before(std::string_view text, std::uint64_t at) {
  const std::uint64_t start = at - std::min<std::uint64_t>(at, 4);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + start;
  auto before = static_cast<std::int32_t>(at - start);
  U8_BACK_1(bytes, 0, before);
  return start + static_cast<std::uint64_t>(before);
}

/// A place in a text, and how many code points were passed on the way to it.
struct Walk {
  std::uint64_t at = 0;
  std::uint64_t passed = 0;
};

/// At most `count` code points on from `at`, not beyond `limit`.
inline Walk walk_forward(std::string_view text, std::uint64_t at, std::uint64_t limit,
                         std::uint64_t count) {
  const std::string_view inside = text.substr(0, limit);
  Walk walk{at, 0};
  for (; walk.at < limit && walk.passed < count; ++walk.passed) {
    const bool ascii = static_cast<unsigned char>(inside[walk.at]) < 0x80;
    walk.at += ascii ? 1 : code_point_at(inside, walk.at).bytes;
  }
  return walk;
}

/// At most `count` code points back from `at`, not beyond `limit`.
inline Walk walk_back(std::string_view text, std::uint64_t at, std::uint64_t limit,
                      std::uint64_t count) {
  Walk walk{at, 0};
  for (; walk.at > limit && walk.passed < count; ++walk.passed) {
    walk.at = std::max(limit, code_point_before(text, walk.at));
  }
  return walk;
}

/// Code points of bytes [begin, end).
inline std::uint64_t count_code_points(std::string_view text, std::uint64_t begin,
                                       std::uint64_t end) {
  return walk_forward(text, begin, end, UINT64_MAX).passed;
}

/// The first byte from `begin` that is no white space, or `end`.
inline std::uint64_t skip_spaces(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const CodePoint next = code_point_at(text, begin);
    if (!next.is_space()) break;
    begin += next.bytes;
  }
  return begin;
}

/// The end of what is no white space in bytes [begin, end), or `begin`.
inline std::uint64_t trim_spaces(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const std::uint64_t before = code_point_before(text, end);
    if (before < begin || !code_point_at(text, before).is_space()) break;
    end = before;
  }
  return end;
}

}  // namespace gannet::query
