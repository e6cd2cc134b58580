#include "codecs/pick.hpp"

#include <algorithm>
#include <string>

#include "codecs/error.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {
namespace {

/// The sum of those of `values` (up to a tile of them) whose bits are set.
template <class T>
Selected sum_tile(const T* values, std::uint32_t size, const std::uint32_t* bits) {
  Selected selected;
  for (std::uint32_t i = 0; i < size; ++i) {
    if ((bits[i / 32] >> i % 32 & 1) == 0) continue;
    ++selected.count;
    selected.sum += static_cast<std::uint64_t>(values[i]);
  }
  return selected;
}

}  // namespace

void pick(const ColumnView& column, std::span<const std::uint32_t> positions, std::byte* out) {
  const std::size_t size = size_of(column.type);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= column.count) {
      throw UsageError("there is no value " + std::to_string(positions[i]) + " in a column of " +
                       std::to_string(column.count));
    }
    column.codec->decode(column.type, column.words, column.count, positions[i], 1, out + i * size);
  }
}

Selected sum_selected(const ColumnView& column, std::span<const std::uint32_t> bits) {
  if (bits.size() < ceil_div(column.count, 32)) {
    throw UsageError(std::to_string(column.count) + " values need more bits than " +
                     std::to_string(32 * bits.size()));
  }
  Selected total;
  alignas(8) std::byte values[kTile * 8];
  for (std::uint32_t tile = 0; tile < tile_count(column.count); ++tile) {
    const std::uint32_t first = tile * kTile;
    const std::uint32_t size = tile_size(column.count, tile);
    const auto words = bits.subspan(first / 32, ceil_div(size, 32));
    if (std::all_of(words.begin(), words.end(), [](std::uint32_t word) { return word == 0; })) {
      continue;
    }
    column.codec->decode(column.type, column.words, column.count, first, size, values);
    const Selected selected = with_value_type(column.type, [&]<class T>() {
      return sum_tile(reinterpret_cast<const T*>(values), size, words.data());
    });
    total.count += selected.count;
    total.sum += selected.sum;
  }
  return total;
}

}  // namespace gannet::codecs
