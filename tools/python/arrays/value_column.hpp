// Values of a field as arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// Values in the order in which they were added: whole numbers as 64-bit integers, floats as
/// doubles, booleans as bytes, all else as text. Touches no Python before arrays().
class ValueColumn {
 public:
  explicit ValueColumn(const index::FieldSpec& field);
  static ValueColumn of_texts() { return ValueColumn(Kind::kText, false); }

  /// A value as query::field_values() spells it.
  void add(std::string_view value);
  /// The values of a document: one at most, or a list.
  void add_document(std::span<const std::string> values);

  /// "kind" ("i64", "u64", "f64", "bool", "text"), "values" (of texts their bytes, and
  /// "text_offsets"), "valid" (a byte a document, None if all are), "offsets" (of lists, else
  /// None).
  nb::dict arrays() &&;

 private:
  enum class Kind { kSigned, kUnsigned, kFloat, kTruth, kText };
  ValueColumn(Kind kind, bool lists) : kind_(kind), lists_(lists) {}
  static Kind kind_of(const index::FieldSpec& field);

  Kind kind_;
  bool lists_;
  std::vector<std::int64_t> signed_ = {};
  std::vector<std::uint64_t> unsigned_ = {};
  std::vector<double> floats_ = {};
  std::vector<std::uint8_t> bytes_ = {};  ///< truths, or the texts
  std::vector<std::int64_t> text_offsets_{0};
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::uint8_t> valid_ = {};
  std::int64_t count_ = 0;
  bool any_missing_ = false;
};

}  // namespace gannet::python
