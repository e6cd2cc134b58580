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
  std::string_view text = {};  ///< as key_of() takes it; of keywords and texts themselves
};

/// Whether documents may have the value: a column cannot hold both the least and the largest value
/// of 64 bits, so that the least signed one (of i64 and decimals) and the largest u64 are left out.
/// What is added can therefore always be merged.
bool is_storable(const FieldSpec& field, std::uint64_t key);

/// Longest string of a keyword field in bytes.
inline constexpr std::size_t kMaxKeyword = 65'535;

/// Tells what is wrong with the values of documents: for sources, which stop or skip. Not
/// thread-safe.
class FieldCheck {
 public:
  /// The schema must stay.
  explicit FieldCheck(const Schema& schema) : schema_(schema), counts_(schema.fields().size()) {}

  /// `field 'year': '20x4' must be ...`; nothing if the values of a document are well-formed, and
  /// only fields that may have several have them.
  std::optional<std::string> problem(std::span<const FieldText> values);

 private:
  const Schema& schema_;
  std::vector<std::uint32_t> counts_;
};

/// What is wrong with one value; nothing if all is well.
std::optional<std::string> value_problem(const FieldSpec& field, std::string_view text);

}  // namespace gannet::index
