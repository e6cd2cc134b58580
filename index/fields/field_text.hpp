// A value of a document's field, as the document spells it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/schema.hpp"

namespace gannet::index {

struct FieldText {
  std::uint32_t field = 0;     ///< number in the schema
  std::string_view text = {};  ///< as key_of() reads it; for keywords and texts the string itself
};

/// Whether a document may have the value with this key. A column cannot hold both the smallest and
/// the largest 64-bit value, so that the smallest signed value (i64, decimals) and the largest u64
/// value are never stored. Segments can therefore always be merged.
bool is_storable(const FieldSpec& field, std::uint64_t key);

/// Longest string of a keyword field in bytes.
inline constexpr std::size_t kMaxKeyword = 65'535;

/// Checks the values of documents, for sources that stop at a malformed record or skip it. Not
/// thread-safe.
class FieldCheck {
 public:
  /// The schema must outlive the object.
  explicit FieldCheck(const Schema& schema) : schema_(schema), counts_(schema.fields().size()) {}

  /// Checks the values of one document. Returns the first problem as a message (`field 'year':
  /// '20x4' must be ...`), or nothing. It is a problem if a value is malformed, if its field number
  /// is not in the schema, or if a document has several values of a field that is neither a text
  /// nor declared with `multi`.
  std::optional<std::string> problem(std::span<const FieldText> values);

 private:
  const Schema& schema_;
  std::vector<std::uint32_t> counts_;
};

/// Checks one value: returns the problem as a message, or nothing. Stored and searched texts may be
/// any string.
std::optional<std::string> value_problem(const FieldSpec& field, std::string_view text);

}  // namespace gannet::index
