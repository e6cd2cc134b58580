// All types of fields. One line adds one: its header, and its type in AllFieldTypes.
#pragma once

#include <array>
#include <tuple>

#include "index/fields/types/base/concepts.hpp"
#include "index/fields/types/boolean.hpp"
#include "index/fields/types/date.hpp"
#include "index/fields/types/decimal.hpp"
#include "index/fields/types/floating.hpp"
#include "index/fields/types/integer.hpp"
#include "index/fields/types/ipv4.hpp"
#include "index/fields/types/keyword.hpp"
#include "index/fields/types/stored.hpp"
#include "index/fields/types/text.hpp"
#include "index/fields/types/time.hpp"

namespace gannet::index {

/// In the order in which messages list their names. Files have names, so that the order is free;
/// but integers are first, for they are the type of a FieldSpec that says none.
using AllFieldTypes = std::tuple<types::Integer, types::Decimal, types::Float32, types::Float64,
                                 types::Date, types::Time, types::Boolean, types::Ipv4,
                                 types::Keyword, types::Stored, types::Text>;

template <class... T>
consteval std::size_t are_field_types(std::tuple<T...>*) {
  static_assert((IsFieldType<T> && ...), "a type lacks what base/concepts.hpp asks for");
  return sizeof...(T);
}
inline constexpr std::size_t kFieldTypes = are_field_types(static_cast<AllFieldTypes*>(nullptr));

template <class Wanted, class... T>
consteval std::uint8_t place_of(std::tuple<T...>*) {
  std::uint8_t place = 0;
  const bool found = ((std::same_as<Wanted, T> || (++place, false)) || ...);
  return found ? place : throw "no type of AllFieldTypes";
}
template <class Wanted>
consteval std::uint8_t place_of() {
  return place_of<Wanted>(static_cast<AllFieldTypes*>(nullptr));
}

/// Short names of field_type<T> for code that makes schemas, above all tests. A type needs none.
enum class FieldType : std::uint8_t {
  kInteger = place_of<types::Integer>(),
  kDecimal = place_of<types::Decimal>(),
  kFloat32 = place_of<types::Float32>(),
  kFloat64 = place_of<types::Float64>(),
  kDate = place_of<types::Date>(),
  kTime = place_of<types::Time>(),
  kBoolean = place_of<types::Boolean>(),
  kKeyword = place_of<types::Keyword>(),
  kStored = place_of<types::Stored>(),
  kText = place_of<types::Text>(),
};

/// The FieldType of a type in the list.
template <class T>
inline constexpr auto field_type = static_cast<FieldType>(place_of<T>());
static_assert(FieldType::kInteger == FieldType{});

/// `f.template operator()<T>()` for the type of the list that is `type`, which must be in it.
template <class F, class... T>
auto with_field_type(FieldType type, const F& f, std::tuple<T...>*) {
  using Result = decltype(f.template operator()<types::Integer>());
  static constexpr std::array calls{
      +[](const F& call) -> Result { return call.template operator()<T>(); }...};
  return calls[static_cast<std::size_t>(type)](f);
}
template <class F>
auto with_field_type(FieldType type, const F& f) {
  return with_field_type(type, f, static_cast<AllFieldTypes*>(nullptr));
}

template <class... T>
const FieldTraits& traits_of(FieldType type, std::tuple<T...>*) {
  static constexpr std::array all{T::traits...};
  return all[static_cast<std::size_t>(type)];
}

inline const FieldTraits& FieldSpec::traits() const {
  return traits_of(type, static_cast<AllFieldTypes*>(nullptr));
}
inline bool FieldSpec::is_keyword() const { return traits().storage == Storage::kKeywords; }
inline bool FieldSpec::is_stored() const { return traits().storage == Storage::kTexts; }
inline bool FieldSpec::is_text() const { return traits().storage == Storage::kPostings; }

}  // namespace gannet::index
