#include "query/gpu/plan/columns/row_order.hpp"

#include <bit>

namespace gannet::query::cuda {

bool lay_out(RowOrder& order) {
  order.document_bits = static_cast<std::uint32_t>(std::bit_width(order.documents - 1));
  std::uint32_t bits = order.document_bits;
  for (std::uint32_t i = order.count; i-- > 0;) {
    OrderField& field = order.fields[i];
    field.shift = bits;
    bits += static_cast<std::uint32_t>(std::bit_width(field.limit + 1));
    if (bits > 64) return false;
  }
  return true;
}

FirstDocument RowOrder::row_of(std::uint64_t key) const {
  const auto part = [&](std::uint32_t shift, std::uint32_t end) {
    const std::uint64_t above = key >> shift;
    return end - shift >= 64 ? above : above & ((std::uint64_t{1} << (end - shift)) - 1);
  };
  FirstDocument row;
  const std::uint64_t below = document_bits == 0 ? 0 : part(0, document_bits);
  row.document = documents - 1 - static_cast<std::uint32_t>(below);
  std::uint32_t end = 64;
  for (std::uint32_t i = 0; i < count; ++i) {
    row.codes[i] = fields[i].code_of(part(fields[i].shift, end));
    end = fields[i].shift;
  }
  return row;
}

}  // namespace gannet::query::cuda
