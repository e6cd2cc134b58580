// Random fields of all types, with values that come often, extreme ones, and none at all.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "index/fields/key_map.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

inline std::uint32_t below(Random& random, std::uint32_t n) { return random() % n; }

/// Key of a signed number (key_map.hpp).
inline std::uint64_t signed_key(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ std::uint64_t{1} << 63;
}

/// Key of a float of 64 bits: the order of bits, negative ones backwards.
inline std::uint64_t float_key(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}
inline std::uint64_t float_key(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits >> 31 != 0 ? ~bits : bits | std::uint32_t{1} << 31;
}

/// How the values of a field spread.
enum class Spread { kFew, kMany, kExtreme, kOne };

inline std::int64_t random_number(Random& random, Spread spread, std::int64_t most) {
  const std::int64_t least = -most - 1;
  switch (spread) {
    case Spread::kOne:
      return -3;
    case Spread::kFew:
      return static_cast<std::int64_t>(below(random, 9)) - 4;
    case Spread::kExtreme: {
      const std::int64_t ends[] = {least, least + 1, -1, 0, 1, most - 1, most};
      return ends[below(random, 7)];
    }
    case Spread::kMany:
      break;
  }
  const std::uint64_t size =
      random64(random) % (std::uint64_t{1} << 40) % static_cast<std::uint64_t>(most);
  const auto number = static_cast<std::int64_t>(size);
  return below(random, 2) == 0 ? -number : number;
}

inline double random_double(Random& random, Spread spread) {
  const auto number = static_cast<double>(random_number(random, spread, INT64_MAX));
  switch (spread) {
    case Spread::kOne:
      return 0.1;
    case Spread::kFew:
      return number * 0.25;
    case Spread::kExtreme: {
      const double ends[] = {-1e300, -5e-324, -0.0, 0.0, 5e-324, 0.1, 1e300};
      return ends[below(random, 7)];
    }
    case Spread::kMany:
      break;
  }
  return number * 1e-3;
}

inline std::uint64_t random_key(Random& random, const index::FieldSpec& spec, Spread spread) {
  constexpr std::int64_t kDay = 86'400'000;
  switch (spec.type) {
    case index::FieldType::kInteger: {
      const std::int64_t most = INT64_MAX >> (64 - spec.bits);
      const std::int64_t number = random_number(random, spread, most);
      if (spec.is_signed) return signed_key(number);
      return static_cast<std::uint64_t>(number) & (~std::uint64_t{0} >> (64 - spec.bits));
    }
    case index::FieldType::kDecimal:
      return signed_key(random_number(random, spread, INT64_MAX));
    case index::FieldType::kFloat32:
      return float_key(static_cast<float>(random_double(random, spread) / 1e280 * 1e10));
    case index::FieldType::kFloat64:
      return float_key(random_double(random, spread));
    case index::FieldType::kDate:  // of the years 1 to 9999
      return signed_key(spread == Spread::kExtreme ? (below(random, 2) == 0 ? -719'162 : 2'932'896)
                                                   : random_number(random, spread, 50'000));
    case index::FieldType::kTime:
      return signed_key(spread == Spread::kExtreme
                            ? (below(random, 2) == 0 ? -719'162 * kDay : 2'932'897 * kDay - 1)
                            : random_number(random, spread, 40'000 * kDay) *
                                  (spread == Spread::kFew ? 1'700'000'000 : 1));
    case index::FieldType::kBoolean:
      return below(random, 2);
    default: {  // any other type of numbers
      const index::KeySpan limits =
          index::with_field_type(spec.type, [&]<class T>() { return T::limits(spec); });
      const std::uint64_t middle = limits.first + (limits.last - limits.first) / 2;
      if (spread == Spread::kOne) return middle;
      if (spread == Spread::kFew) return middle + below(random, 9);
      if (spread == Spread::kExtreme) return below(random, 2) == 0 ? limits.first : limits.last;
      return limits.first + random64(random) % (limits.last - limits.first);
    }
  }
}

/// The types whose values are compared.
inline std::vector<index::FieldType> compared_types() {
  std::vector<index::FieldType> types;
  for (std::size_t i = 0; i < index::kFieldTypes; ++i) {
    const index::FieldSpec field{.type = static_cast<index::FieldType>(i)};
    if (!field.is_stored() && !field.is_text()) types.push_back(field.type);
  }
  return types;
}

inline std::string random_keyword(Random& random, Spread spread) {
  switch (spread) {
    case Spread::kOne:
      return "only";
    case Spread::kFew:
      return std::string(1, static_cast<char>('a' + below(random, 6)));
    case Spread::kExtreme: {
      using namespace std::string_literals;
      const std::string texts[] = {"", "\0"s, "a\0b"s, "\xff", "\xff\xff", "é", "a b", "A"};
      return texts[below(random, 8)];
    }
    case Spread::kMany:
      break;
  }
  return "k" + std::to_string(below(random, 300));
}

/// A field of a random type. `name` is its name.
inline FakeField random_field(Random& random, const std::string& name, std::uint32_t documents) {
  FakeField field;
  field.spec.name = name;
  const std::vector<index::FieldType> types = compared_types();
  field.spec.type = types[below(random, static_cast<std::uint32_t>(types.size()))];
  if (field.spec.type == index::FieldType::kInteger) {
    field.spec.bits = 8u << below(random, 4);
    field.spec.is_signed = below(random, 2) == 0;
  }
  if (field.spec.type == index::FieldType::kDecimal) field.spec.scale = below(random, 19);
  field.spec.multi = below(random, 3) == 0;
  const auto spread = static_cast<Spread>(below(random, 4));
  // All have it, most, few or none.
  const std::uint32_t missing = std::vector<std::uint32_t>{0, 1, 9, 10}[below(random, 4)];
  // Values that change from segment to segment, as dictionaries do.
  const bool drifts = below(random, 3) == 0;
  for (std::uint32_t d = 0; d < documents; ++d) {
    std::uint32_t values = below(random, 10) < missing ? 0 : 1;
    if (field.spec.multi && values != 0) values = 1 + below(random, 4);
    field.keys.emplace_back();
    field.texts.emplace_back();
    for (; values > 0; --values) {
      if (field.is_keyword()) {
        std::string text = random_keyword(random, spread);
        if (drifts && d > documents / 2) text.insert(0, "m");
        field.texts.back().push_back(std::move(text));
      } else {
        field.keys.back().push_back(random_key(random, field.spec, spread));
      }
    }
  }
  if (field.is_keyword()) {
    field.keys.clear();
  } else {
    field.texts.clear();
  }
  return field;
}

}  // namespace gannet::test
