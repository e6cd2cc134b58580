#include "tools/measure/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {

namespace {

constexpr std::size_t kGap = 2;

std::string padded(const std::string& cell, std::size_t width, bool left) {
  const std::string blanks(width - columns_of(cell), ' ');
  return left ? cell + blanks : blanks + cell;
}

}  // namespace

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  }
  return widths;
}

std::string TextTable::part(const std::vector<std::size_t>& widths, std::size_t first,
                            std::size_t last) const {
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < std::min(last, row.size()); ++i) {
      if (i >= left_columns_ && i < first) continue;
      if (i > 0) line.append(kGap, ' ');
      line += padded(row[i], widths[i], i < left_columns_);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (&row == &rows_.front()) {
      std::size_t total = 0;
      for (std::size_t i = 0; i < last; ++i) {
        if (i < left_columns_ || i >= first) total += widths[i] + kGap;
      }
      text += std::string(total - kGap, '-') + '\n';
    }
  }
  return text;
}

std::string TextTable::text(std::optional<std::size_t> columns) const {
  const std::vector<std::size_t> widths = this->widths();
  const std::size_t count = widths.size();
  if (!columns) return part(widths, 0, count);
  std::size_t left = 0;
  for (std::size_t i = 0; i < std::min(left_columns_, count); ++i) left += widths[i] + kGap;
  std::string text;
  for (std::size_t first = left_columns_; first < count || text.empty();) {
    std::size_t last = first;
    std::size_t width = left;
    // One column at least, however narrow the terminal is.
    while (last < count && (last == first || width + widths[last] <= *columns)) {
      width += widths[last++] + kGap;
    }
    text += (text.empty() ? "" : "\n") + part(widths, first, std::max(last, left_columns_));
    first = std::max(last, first + 1);
  }
  return text;
}

std::string short_number(double number) {
  if (number < 0 || !std::isfinite(number)) return "-";
  if (number >= 1000) return with_commas(static_cast<std::uint64_t>(std::llround(number)));
  if (number >= 100) return fmt::format("{:.0f}", number);
  if (number >= 10) return fmt::format("{:.1f}", number);
  return number >= 1 || number == 0 ? fmt::format("{:.2f}", number) : fmt::format("{:.3f}", number);
}

}  // namespace gannet::tools
