// Values of a column of Arrow as text, without copies of texts.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "tools/python/arrow/abi.hpp"

namespace gannet::python {

/// A column that somebody else's memory holds. Reading it is thread-safe.
class ArrowColumn {
 public:
  ArrowColumn(const ArrowSchema& schema, const ArrowArray& array)
      : schema_(schema), array_(array) {}

  /// Whether columns of such a type are read: texts, also those of dictionaries and views; whole
  /// numbers, floats, booleans and days; and lists of these.
  static bool reads(const ArrowSchema& schema);
  /// Whether values are texts: not lists of them.
  static bool is_text(const ArrowSchema& schema);
  static bool is_list(const ArrowSchema& schema);
  /// Whether values are whole numbers.
  static bool is_whole(const ArrowSchema& schema);

  bool has(std::int64_t row) const;
  /// The value in a row that has one, as documents spell it; nothing for a float that is no
  /// number. Texts point into the column, other values into `arena`.
  std::optional<std::string_view> value(std::int64_t row, std::deque<std::string>& arena) const;
  /// Calls take(value) for the value of a row, or for each of its list.
  template <class Take>
  void each(std::int64_t row, std::deque<std::string>& arena, const Take& take) const {
    if (!has(row)) return;
    if (!is_list(schema_)) {
      if (const auto one = value(row, arena)) take(*one);
      return;
    }
    const ArrowColumn items(*schema_.children[0], *array_.children[0]);
    const auto [first, last] = list(row);
    for (std::int64_t i = first; i < last; ++i) items.each(i, arena, take);
  }

 private:
  struct Places {
    std::int64_t first, last;
  };
  template <class T>
  const T* buffer(std::size_t i) const {
    return static_cast<const T*>(array_.buffers[i]);
  }
  std::string_view format() const { return schema_.format; }
  Places list(std::int64_t row) const;
  std::string_view text(std::int64_t row) const;
  std::string_view view(std::int64_t row) const;
  std::int64_t key(std::int64_t row) const;

  const ArrowSchema& schema_;
  const ArrowArray& array_;
};

}  // namespace gannet::python
