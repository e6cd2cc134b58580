// Aligned tables of text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gannet::tools {

/// Columns are as wide as their widest cell; the first `left_columns` columns are aligned to the
/// left, numbers to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, std::size_t left_columns = 1)
      : rows_{std::move(header)}, left_columns_(left_columns) {}

  /// Missing cells are empty; there must not be more than in the header.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// One line a row, a rule below the header. `columns`: of the terminal that it is for; a table
  /// that is wider is cut into several, each with the left columns.
  std::string text(std::optional<std::size_t> columns = {}) const;

 private:
  std::vector<std::size_t> widths() const;
  /// The left columns, and those from `first` to `last`.
  std::string part(const std::vector<std::size_t>& widths, std::size_t first,
                   std::size_t last) const;

  std::vector<std::vector<std::string>> rows_;
  std::size_t left_columns_;
};

/// A number with about three significant digits: "0.123", "12.3", "1,234"; "-" for a negative one
/// (not measured).
std::string short_number(double number);

}  // namespace gannet::tools
