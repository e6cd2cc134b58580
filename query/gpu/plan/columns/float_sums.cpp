#include "query/gpu/plan/columns/float_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gannet::query::cuda {
namespace {

/// Values whose parts add up without an overflow.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 31;

std::uint32_t biased_exponent(double value) {
  const auto exponent =
      static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
  return std::max(1u, exponent);
}

}  // namespace

std::optional<FloatSums> float_sums_of(const index::FieldColumn& column) {
  const index::FieldSpec& spec = column.spec();
  const index::KeyMap& map = column.keys();
  const bool narrow = spec.type == index::FieldType::kFloat32;
  FloatSums floats{map.base, map.unit, narrow, 1, nullptr};
  if (column.code_limit() == 0) return floats;
  if (column.codes() > kMostValues) return std::nullopt;
  const std::uint64_t most = narrow ? 0xffffffffu : ~std::uint64_t{0};
  if (map.base > most || (column.code_limit() - 1) > (most - map.base) / map.unit) {
    return std::nullopt;  // keys beyond the type's
  }
  const double least = index::value_number(spec, map.base);
  const double greatest = index::value_number(spec, map.key(column.code_limit() - 1));
  if (!std::isfinite(least) || !std::isfinite(greatest)) return std::nullopt;
  const std::uint32_t exponent = std::max(biased_exponent(least), biased_exponent(greatest));
  floats.exponent = std::max(FloatSums::kWindow + 1, exponent) - FloatSums::kWindow;
  return floats;
}

std::vector<ScaledNumber> scaled_numbers(const FloatSums& floats, const FieldSums& sums,
                                         const unsigned long long* rare) {
  // Parts are added up with their carries; then the highest one has the sign.
  std::vector<ScaledNumber> numbers;
  std::uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t part = sums.parts[i] + carry;
    carry = part >> 32;
    const auto bits = static_cast<std::uint32_t>(part);
    const std::int64_t number = i == 3 ? std::int64_t{static_cast<std::int32_t>(bits)} : bits;
    const int exponent = static_cast<int>(floats.exponent) - 1075 + 32 * i;
    if (number != 0) numbers.push_back({number, exponent});
  }
  if (rare == nullptr) return numbers;
  for (std::uint32_t exponent = 1; exponent < FloatSums::kExponents; ++exponent) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const auto number = static_cast<std::int64_t>(rare[2 * exponent + half]);
      const int scale = static_cast<int>(exponent + 32 * half) - 1075;
      if (number != 0) numbers.push_back({number, scale});
    }
  }
  return numbers;
}

}  // namespace gannet::query::cuda
