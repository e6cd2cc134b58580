#include "index/fields/field_text.hpp"

#include <algorithm>

#include "index/files/messages.hpp"

namespace gannet::index {

bool is_storable(const FieldSpec& field, std::uint64_t key) {
  const KeySpan limits = with_field_type(field.type, [&]<class T>() { return T::limits(field); });
  return limits.first <= key && key <= limits.last;
}

std::optional<std::string> value_problem(const FieldSpec& field, std::string_view text) {
  std::string why;
  if (field.is_stored() || field.is_text()) return std::nullopt;
  if (field.is_keyword()) {
    if (text.size() <= kMaxKeyword) return std::nullopt;
    why = "must have at most " + std::to_string(kMaxKeyword) + " bytes, not " +
          std::to_string(text.size());
  } else if (const auto key = key_of(field, text, &why)) {
    if (is_storable(field, *key)) return std::nullopt;
    why = std::string("is the ") + (*key == 0 ? "least" : "largest") +
          " value of 64 bits, which no column can hold beside the others; use another one";
  }
  return "field '" + field.name + "': '" + printable(text) + "' " + why;
}

std::optional<std::string> FieldCheck::problem(std::span<const FieldText> values) {
  std::fill(counts_.begin(), counts_.end(), 0);
  for (const FieldText& value : values) {
    if (value.field >= counts_.size()) {
      return "there is no field " + std::to_string(value.field) + " in the schema";
    }
    const FieldSpec& field = schema_.fields()[value.field];
    if (++counts_[value.field] > 1 && !field.multi && !field.is_text()) {
      return "field '" + field.name + "' has several values; declare it with multi if it may";
    }
    if (auto problem = value_problem(field, value.text)) return problem;
  }
  return std::nullopt;
}

}  // namespace gannet::index
