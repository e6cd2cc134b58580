#include "tools/measure/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/terminal/progress.hpp"

namespace gannet::tools {

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const char* gap = i == 0 ? "" : "  ";
      line += i < left_columns_ ? fmt::format("{}{:<{}}", gap, rows_[r][i], widths[i])
                                : fmt::format("{}{:>{}}", gap, rows_[r][i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (r == 0) {
      std::size_t total = 0;
      for (const std::size_t width : widths) total += width + 2;
      text += std::string(total - 2, '-') + '\n';
    }
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
