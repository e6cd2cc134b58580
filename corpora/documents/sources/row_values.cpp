#include "corpora/documents/sources/row_values.hpp"

#include "codecs/base/error.hpp"

namespace gannet::corpora {

void RowValues::fail(const std::string& path, std::uint64_t line, std::string_view reason,
                     index::ParsedBatch& batch) const {
  if (!bad_records_.skips()) {
    throw InputError(path + ":" + std::to_string(line) + ": " + std::string(reason) +
                     "; mend it (with posting lists, --on-error skip leaves out what is no value)");
  }
  bad_records_.skip(path + ":" + std::to_string(line), reason, batch);
  batch.add({});
}

void RowValues::add(const std::string& path, std::uint64_t line,
                    std::span<const index::FieldText> values, index::ParsedBatch& batch) {
  const auto problem = check_.problem(values);
  if (problem && !bad_records_.skips()) fail(path, line, *problem, batch);
  batch.add({});
  if (problem) return add_sound(path + ":" + std::to_string(line), values, batch);
  for (const index::FieldText& value : values) batch.add_value(value.field, value.text);
}

/// Of a field that may have one value but has several, none is the right one.
void RowValues::add_sound(const std::string& place, std::span<const index::FieldText> values,
                          index::ParsedBatch& batch) const {
  std::vector<std::size_t> counts(schema_.fields().size());
  for (const index::FieldText& value : values) ++counts[value.field];
  for (const index::FieldText& value : values) {
    const index::FieldSpec& field = schema_.fields()[value.field];
    if (const auto problem = value_problem(field, value.text)) {
      bad_records_.skip(place, *problem, batch);
    } else if (!field.multi && counts[value.field] > 1) {
      bad_records_.skip(place, "field '" + field.name + "' has several values", batch);
    } else {
      batch.add_value(value.field, value.text);
    }
  }
}

}  // namespace gannet::corpora
