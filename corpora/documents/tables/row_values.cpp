#include "corpora/documents/tables/row_values.hpp"

#include "codecs/error.hpp"

namespace gannet::corpora {

void RowValues::fail(const std::string& path, std::uint64_t line, std::string_view reason,
                     index::ParsedBatch& batch) const {
  if (policy_ == Malformed::kStop) {
    throw InputError(path + ":" + std::to_string(line) + ": " + std::string(reason) +
                     "; mend it (with posting lists, --on-error skip leaves out what is no value)");
  }
  ++batch.skipped;
  batch.add({});
}

void RowValues::add(const std::string& path, std::uint64_t line,
                    std::span<const index::FieldText> values, index::ParsedBatch& batch) {
  const auto problem = check_.problem(values);
  if (problem && policy_ == Malformed::kStop) fail(path, line, *problem, batch);
  batch.add({});
  if (problem) return add_sound(values, batch);
  for (const index::FieldText& value : values) batch.add_value(value.field, value.text);
}

/// Of a field that may have one value but has several, none is the right one.
void RowValues::add_sound(std::span<const index::FieldText> values,
                          index::ParsedBatch& batch) const {
  std::vector<std::size_t> counts(schema_.fields().size());
  for (const index::FieldText& value : values) ++counts[value.field];
  for (const index::FieldText& value : values) {
    const index::FieldSpec& field = schema_.fields()[value.field];
    if (value_problem(field, value.text) || (!field.multi && counts[value.field] > 1)) {
      ++batch.skipped;
    } else {
      batch.add_value(value.field, value.text);
    }
  }
}

}  // namespace gannet::corpora
