#include "codecs/pick.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {
namespace {

/// Decodes a column unit by unit (tiles or chunks), each once for as long as it is asked for.
class UnitDecoder {
 public:
  explicit UnitDecoder(const ColumnView& column)
      : column_(column), unit_(column.codec->unit(column.type, column.words, column.count)) {}

  /// Values of a unit.
  std::uint32_t unit() const { return unit_; }

  /// The unit that starts with value `first`, a multiple of unit().
  const std::byte* decoded(std::uint32_t first) {
    if (first == first_ && !words_.empty()) return values();
    const std::uint32_t size = std::min(unit_, column_.count - first);
    words_.resize(ceil_div(size * size_of(column_.type), 8));
    column_.codec->decode(column_.type, column_.words, column_.count, first, size, values());
    first_ = first;
    return values();
  }

 private:
  std::byte* values() { return reinterpret_cast<std::byte*>(words_.data()); }

  const ColumnView& column_;
  std::uint32_t unit_;
  std::uint32_t first_ = 0;
  std::vector<std::uint64_t> words_;  // aligned to every type
};

/// The first value from `from` on, below `end`, whose bit is set; `end` if there is none.
std::uint32_t next_set(std::span<const std::uint32_t> bits, std::uint32_t from, std::uint32_t end) {
  while (from < end) {
    const std::uint32_t left = bits[from / 32] >> from % 32;
    if (left != 0) return std::min(end, from + static_cast<std::uint32_t>(std::countr_zero(left)));
    from += 32 - from % 32;
  }
  return end;
}

}  // namespace

void pick(const ColumnView& column, std::span<const std::uint32_t> positions, std::byte* out) {
  const std::size_t size = size_of(column.type);
  if (positions.empty()) return;
  UnitDecoder decoder(column);
  for (const std::uint32_t position : positions) {
    if (position >= column.count) {
      throw UsageError("there is no value " + std::to_string(position) + " in a column of " +
                       std::to_string(column.count));
    }
    const std::uint32_t in_unit = position % decoder.unit();
    const std::byte* values = decoder.decoded(position - in_unit);
    out = std::copy_n(values + in_unit * size, size, out);
  }
}

Selected sum_selected(const ColumnView& column, std::span<const std::uint32_t> bits) {
  if (bits.size() < ceil_div(column.count, 32)) {
    throw UsageError(std::to_string(column.count) + " values need more bits than " +
                     std::to_string(32 * bits.size()));
  }
  Selected total;
  if (column.count == 0) return total;
  UnitDecoder decoder(column);
  with_value_type(column.type, [&]<class T>() {
    std::uint32_t i = next_set(bits, 0, column.count);
    while (i < column.count) {
      const std::uint32_t first = i - i % decoder.unit();
      const auto* values = reinterpret_cast<const T*>(decoder.decoded(first));
      const std::uint32_t end = std::min(column.count - first, decoder.unit()) + first;
      for (; i < end; i = next_set(bits, i + 1, end)) {
        ++total.count;
        total.sum += static_cast<std::uint64_t>(values[i - first]);
      }
      i = next_set(bits, end, column.count);
    }
  });
  return total;
}

}  // namespace gannet::codecs
