// Values of each type of fields, for tests that go through all of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "index/fields/types/all.hpp"

namespace gannet::test {

/// What a text in a filter means that is no value: all values from `first` to `last`.
struct SpanSample {
  std::string text, first, last;
};

/// Of a field of the type.
struct TypeSample {
  /// As a schema has it: decimal(2).
  std::string type;
  /// Values in their order, as value_text() spells them. Of numbers the first one is the least that
  /// documents may have, the last one the greatest.
  std::vector<std::string> ascending;
  /// Texts that are no values; of numbers only.
  std::vector<std::string> refused = {};
  std::vector<SpanSample> spans = {};
};

/// A line below makes a type known to the conformance kit (field_type_kit.hpp).
template <class T>
inline const std::vector<TypeSample> kTypeSamples;

template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Integer>{
    {"i8", {"-128", "-1", "0", "1", "127"}, {"128", "-129", "1.5", "one", ""}},
    {"i16", {"-32768", "-1", "0", "32767"}, {"32768", "0x1"}},
    {"i32", {"-2147483648", "0", "2147483647"}, {"2147483648", "1e10"}},
    {"i64", {"-9223372036854775807", "-1", "0", "9223372036854775807"}, {"9223372036854775808"}},
    {"u8", {"0", "1", "255"}, {"-1", "256"}},
    {"u16", {"0", "65535"}, {"65536"}},
    {"u32", {"0", "2147483648", "4294967295"}, {"4294967296"}},
    {"u64", {"0", "9223372036854775808", "18446744073709551614"}, {"18446744073709551616"}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Decimal>{
    {"decimal(0)", {"-9223372036854775807", "7", "9223372036854775807"}, {"0.5"}},
    {"decimal(2)",
     {"-92233720368547758.07", "-0.01", "0", "0.5", "92233720368547758.07"},
     {"0.005", "1,5", "", "92233720368547758.08"}},
    {"decimal(18)", {"-9.223372036854775807", "9.223372036854775807"}, {"10"}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Float32>{
    {"f32",
     {"-3.4028235e+38", "-1", "-0", "0", "0.1", "3.4028235e+38"},
     {"1e39", "nan", "inf", ""},
     {{"0", "-0", "0"}}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Float64>{
    {"f64",
     {"-1.7976931348623157e+308", "-1e-300", "-0", "0", "0.1", "1.7976931348623157e+308"},
     {"1e309", "-inf", "x"},
     {{"-0.0", "-0", "0"}}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Date>{
    {"date",
     {"0001-01-01", "1969-12-31", "1970-01-01", "2024-02-29", "9999-12-31"},
     {"2023-02-29", "0000-01-01", "2024-02-29T00:00", "2024", ""},
     {{"2024", "2024-01-01", "2024-12-31"}, {"2024-02", "2024-02-01", "2024-02-29"}}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Time>{
    {"time",
     {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z"},
     {"2024-02-30", "2024-02-29T24:00", "10:00", ""},
     {{"1970", "1970-01-01", "1970-12-31T23:59:59.999"},
      {"1969-12-31", "1969-12-31T00:00", "1969-12-31T23:59:59.999"}}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Boolean>{
    {"bool", {"false", "true"}, {"1", "True", ""}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Ipv4>{
    {"ipv4",
     {"0.0.0.0", "9.255.255.255", "10.0.0.0", "10.1.2.3", "10.255.255.255", "192.168.0.1",
      "255.255.255.255"},
     {"",          "1",          "1.2.3",     "1.2.3.",     "1.2.3.4.5",  "1..2.3",
      "256.0.0.1", "1.2.3.300",  "-1.2.3.4",  "+1.2.3.4",   "01.2.3.4",   "1.2.3.04",
      " 1.2.3.4",  "1.2.3.4 ",   "0x1.2.3.4", "::1",        "10.0.0.0/8", "10.0.0.0/33",
      "10.0.0.0/", "10.0.0.1/8", "10.0.0/8",  "10.0.0.0/08"},
     {{"10.0.0.0/8", "10.0.0.0", "10.255.255.255"},
      {"0.0.0.0/0", "0.0.0.0", "255.255.255.255"},
      {"192.168.0.1/32", "192.168.0.1", "192.168.0.1"}}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Keyword>{
    {"keyword", {"A", "a", "a b", "ab", "z", "\xc3\xa9"}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Stored>{
    {"stored", {"A text.", "Another one"}}};
template <>
inline const std::vector<TypeSample> kTypeSamples<index::types::Text>{{"text", {"alpha", "beta"}}};

template <class>
struct FieldTypesOf;
template <class... T>
struct FieldTypesOf<std::tuple<T...>> {
  using type = ::testing::Types<T...>;
};
/// The list of all.hpp, for typed tests.
using FieldTypes = FieldTypesOf<index::AllFieldTypes>::type;

/// Names typed tests after the first of a type's names.
struct FieldTypeNames {
  template <class T>
  static std::string GetName(int) {
    const std::string_view names = T::names;
    return std::string(names.substr(0, names.find_first_of(",(")));
  }
};

/// A value as JSON spells it.
inline std::string json_literal(const index::FieldTraits& traits, const std::string& value) {
  return traits.form == index::ValueForm::kString ? "\"" + value + "\"" : value;
}

/// Values of documents for a sample: from the greatest value to the least, one document without,
/// and the least value again.
inline std::vector<const std::string*> sample_documents(const TypeSample& sample) {
  std::vector<const std::string*> values;
  for (auto value = sample.ascending.rbegin(); value != sample.ascending.rend(); ++value) {
    values.push_back(&*value);
  }
  values.push_back(nullptr);
  values.push_back(&sample.ascending.front());
  return values;
}

/// The documents of a sample as JSONL, with ids 0, 1, ...; the value is the member `f`.
inline std::string sample_jsonl(const index::FieldTraits& traits, const TypeSample& sample) {
  std::string lines;
  const auto values = sample_documents(sample);
  for (std::size_t d = 0; d < values.size(); ++d) {
    lines += "{\"id\": \"" + std::to_string(d) + "\", \"contents\": \"word\"";
    if (values[d] != nullptr) lines += ", \"f\": " + json_literal(traits, *values[d]);
    lines += "}\n";
  }
  return lines;
}

}  // namespace gannet::test
