#include "tools/python/document_batch.hpp"

#include <utility>

#include "codecs/base/error.hpp"
#include "index/fields/field_text.hpp"

namespace gannet::python {

struct DocumentBatch::Parsed : index::ParsedBatch {
  std::unique_ptr<DocumentBatch> batch;  ///< has the bytes
};

void DocumentBatch::drop() {
  const Document& last = documents_.back();
  fields_.resize(last.first_field);
  values_.resize(last.first_value);
  documents_.pop_back();
}

std::vector<index::FieldText> DocumentBatch::values_of(std::size_t document) const {
  const bool last = document + 1 == documents_.size();
  const std::size_t end = last ? values_.size() : documents_[document + 1].first_value;
  std::vector<index::FieldText> values;
  for (std::size_t v = documents_[document].first_value; v < end; ++v) {
    values.push_back({values_[v].field, at(values_[v].text)});
  }
  return values;
}

std::optional<std::string> DocumentBatch::problem_of_last(index::FieldCheck& check) const {
  return check.problem(values_of(documents_.size() - 1));
}

void DocumentBatch::add_to(index::ParsedBatch& parsed, std::size_t i, index::FieldCheck& check,
                           corpora::Malformed malformed) const {
  const bool last = i + 1 == documents_.size();
  const std::size_t fields_end = last ? fields_.size() : documents_[i + 1].first_field;
  const std::vector<index::FieldText> values = values_of(i);
  const std::string_view id = at(documents_[i].id);
  if (const auto problem = values.empty() ? std::nullopt : check.problem(values)) {
    if (malformed == corpora::Malformed::kSkip) {
      ++parsed.skipped;
      return;
    }
    throw InputError("document " +
                     (id.empty() ? std::to_string(first_ + i) : "'" + std::string(id) + "'") +
                     ": " + *problem);
  }
  parsed.add(id);
  for (std::size_t f = documents_[i].first_field; f < fields_end; ++f) {
    parsed.add_field(fields_[f].name, at(fields_[f].text));
  }
  for (const index::FieldText& value : values) parsed.add_value(value.field, value.text);
}

std::unique_ptr<index::ParsedBatch> DocumentBatch::parse(std::unique_ptr<DocumentBatch> batch,
                                                         const index::Schema& schema,
                                                         corpora::Malformed malformed) {
  auto parsed = std::make_unique<Parsed>();
  parsed->skipped = batch->skipped;
  index::FieldCheck check(schema);
  for (std::size_t i = 0; i < batch->documents_.size(); ++i) {
    batch->add_to(*parsed, i, check, malformed);
  }
  parsed->batch = std::move(batch);
  return parsed;
}

}  // namespace gannet::python
