#include "tools/python/arrow/arrow_column.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstring>

namespace gannet::python {
namespace {

bool is_one_of(std::string_view format, std::string_view letters) {
  return format.size() == 1 && letters.find(format[0]) != std::string_view::npos;
}

/// As Python prints it, so that a whole number shows that it is a float.
std::string float_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

std::string day_text(std::int32_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace

bool ArrowColumn::is_text(const ArrowSchema& schema) {
  if (schema.dictionary != nullptr) {
    return is_text(*schema.dictionary) && is_one_of(schema.format, "cCsSiIlL");
  }
  const std::string_view format = schema.format;
  return format == "u" || format == "U" || format == "vu";
}

bool ArrowColumn::is_list(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  return schema.dictionary == nullptr && (format == "+l" || format == "+L");
}

bool ArrowColumn::is_whole(const ArrowSchema& schema) {
  return schema.dictionary == nullptr && is_one_of(schema.format, "cCsSiIlL");
}

bool ArrowColumn::reads(const ArrowSchema& schema) {
  if (is_list(schema)) return reads(*schema.children[0]);
  if (schema.dictionary != nullptr) return is_text(schema);
  return is_text(schema) || is_whole(schema) || is_one_of(schema.format, "nbfg") ||
         std::string_view(schema.format) == "tdD";
}

bool ArrowColumn::has(std::int64_t row) const {
  if (format() == "n") return false;
  const auto* const bits = array_.n_buffers == 0 ? nullptr : buffer<std::uint8_t>(0);
  const std::int64_t at = row + array_.offset;
  if (bits != nullptr && (bits[at / 8] >> (at % 8) & 1) == 0) return false;
  if (schema_.dictionary == nullptr) return true;
  return ArrowColumn(*schema_.dictionary, *array_.dictionary).has(key(row));
}

std::int64_t ArrowColumn::key(std::int64_t row) const {
  const std::int64_t at = row + array_.offset;
  switch (schema_.format[0]) {
    case 'c':
      return buffer<std::int8_t>(1)[at];
    case 'C':
      return buffer<std::uint8_t>(1)[at];
    case 's':
      return buffer<std::int16_t>(1)[at];
    case 'S':
      return buffer<std::uint16_t>(1)[at];
    case 'i':
      return buffer<std::int32_t>(1)[at];
    case 'I':
      return buffer<std::uint32_t>(1)[at];
    default:
      return buffer<std::int64_t>(1)[at];
  }
}

/// A view has its size, then up to 12 bytes of text, or four of them, a buffer and a place in it.
std::string_view ArrowColumn::view(std::int64_t row) const {
  const auto* const words = buffer<std::int32_t>(1) + 4 * (row + array_.offset);
  const auto size = static_cast<std::size_t>(words[0]);
  if (size <= 12) return {reinterpret_cast<const char*>(words + 1), size};
  return {buffer<char>(2 + static_cast<std::size_t>(words[2])) + words[3], size};
}

std::string_view ArrowColumn::text(std::int64_t row) const {
  if (schema_.dictionary != nullptr) {
    return ArrowColumn(*schema_.dictionary, *array_.dictionary).text(key(row));
  }
  if (format() == "vu") return view(row);
  const std::int64_t at = row + array_.offset;
  const bool large = format() == "U";
  const std::int64_t first =
      large ? buffer<std::int64_t>(1)[at] : std::int64_t{buffer<std::int32_t>(1)[at]};
  const std::int64_t last =
      large ? buffer<std::int64_t>(1)[at + 1] : std::int64_t{buffer<std::int32_t>(1)[at + 1]};
  if (first == last) return {};  // there may be no bytes at all
  return {buffer<char>(2) + first, static_cast<std::size_t>(last - first)};
}

ArrowColumn::Places ArrowColumn::list(std::int64_t row) const {
  const std::int64_t at = row + array_.offset;
  if (format() == "+L") return {buffer<std::int64_t>(1)[at], buffer<std::int64_t>(1)[at + 1]};
  return {buffer<std::int32_t>(1)[at], buffer<std::int32_t>(1)[at + 1]};
}

std::optional<std::string_view> ArrowColumn::value(std::int64_t row,
                                                   std::deque<std::string>& arena) const {
  if (is_text(schema_)) return text(row);
  const std::int64_t at = row + array_.offset;
  const auto keep = [&](std::string made) {
    return std::string_view(arena.emplace_back(std::move(made)));
  };
  switch (schema_.format[0]) {
    case 'b':
      return (buffer<std::uint8_t>(1)[at / 8] >> (at % 8) & 1) != 0 ? "true" : "false";
    case 'L':
      return keep(std::to_string(buffer<std::uint64_t>(1)[at]));
    case 't':
      return keep(day_text(buffer<std::int32_t>(1)[at]));
    case 'f':
    case 'g': {
      const double number =
          schema_.format[0] == 'f' ? double{buffer<float>(1)[at]} : buffer<double>(1)[at];
      if (std::isnan(number)) return {};
      return keep(float_text(number));
    }
    default:
      return keep(std::to_string(key(row)));
  }
}

}  // namespace gannet::python
