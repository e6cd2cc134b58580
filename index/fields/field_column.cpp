#include "index/fields/field_column.hpp"

#include <algorithm>
#include <bit>

namespace gannet::index {

CodeRange codes_of(const FieldColumn& column, std::uint64_t least, std::uint64_t greatest) {
  const std::uint64_t limit = column.code_limit();
  const auto [base, unit] = column.keys();
  if (limit == 0 || greatest < base || greatest < least) return {};
  const std::uint64_t below = least <= base ? 0 : least - base;
  const std::uint64_t first = below / unit + (below % unit == 0 ? 0 : 1);
  const std::uint64_t last = std::min((greatest - base) / unit, limit - 1);
  return first > last ? CodeRange{} : CodeRange{first, last + 1};
}

std::uint64_t documents_with(const FieldColumn& column) {
  if (column.present().empty()) return column.code_limit() == 0 ? 0 : column.documents();
  std::uint64_t count = 0;
  for (const std::uint64_t word : column.present()) {
    count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

}  // namespace gannet::index
