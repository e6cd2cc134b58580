// A field of a schema.
#pragma once

#include <cstdint>
#include <string>

#include "index/fields/types/base/traits.hpp"
#include "index/text/text_options.hpp"

namespace gannet::index {

/// A type's place in AllFieldTypes (index/fields/types/all.hpp), where its values have names.
enum class FieldType : std::uint8_t;

/// A field of the documents, kept as a column; or of the type text, kept as posting lists beside
/// those of the main text, with a column of its lengths.
struct FieldSpec {
  /// 1 to 64 letters, digits, `_`, `-` and `.` of ASCII, a letter first. Unique in a schema.
  std::string name = {};
  /// Integers, if nothing else is said.
  FieldType type = {};
  /// Integers: 8, 16, 32 or 64.
  unsigned bits = 64;
  bool is_signed = true;
  /// Decimals: digits behind the point, 0 to 18.
  unsigned scale = 0;
  /// A document may have several values. Not of stored texts, nor of searched ones, whose values
  /// are always one text together.
  bool multi = false;
  /// A codec's name (codecs/columns.hpp), or auto. Of stored texts, one that takes bytes (u8).
  std::string codec = "auto";
  /// Where documents have it: a column of a table, or a member of a JSON object; dots lead into
  /// objects. Empty: the name.
  std::string path = {};
  /// What stands between the values in a cell of a table, 1 to 8 bytes without a colon; empty: a
  /// cell is one value. Only where `multi` is true.
  std::string split = {};
  /// Of searched texts.
  TextOptions text = {};

  /// Of the type, which must be one of AllFieldTypes.
  const FieldTraits& traits() const;
  bool is_keyword() const;
  bool is_stored() const;
  bool is_text() const;
  const std::string& source() const { return path.empty() ? name : path; }
  bool operator==(const FieldSpec&) const = default;
};

}  // namespace gannet::index
