#include "tools/python/arrow/arrow_batch.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/id_names.hpp"
#include "corpora/markup/encoding/encoding.hpp"
#include "index/write_options.hpp"
#include "tools/python/arrow/arrow_column.hpp"
#include "tools/python/document_reader.hpp"

namespace gannet::python {

int ArrowReading::column(std::string_view name) const {
  int found = -1;
  for (std::int64_t i = 0; i < schema->n_children; ++i) {
    const char* const given = schema->children[i]->name;                 // null: it has none
    if (given != nullptr && given == name) found = static_cast<int>(i);  // as in a dict, the last
  }
  return found;
}

ArrowReading::ArrowReading(Released<ArrowSchema> columns, const corpora::ReaderOptions& options)
    : schema(std::move(columns)),
      id_name(options.id_field.empty() ? "id" : options.id_field),
      needs_ids(!options.id_field.empty()),
      has_text_fields(options.schema.has_text()) {
  id = column(id_name);
  std::vector<std::string> names = options.fields;
  if (names.empty()) names.emplace_back(index::kContentsField);
  first_text = names.front();
  for (std::string& name : names) {
    const int found = column(name);
    if (found >= 0) texts.emplace_back(std::move(name), found);
  }
  const auto& fields = options.schema.fields();
  for (std::uint32_t f = 0; f < fields.size(); ++f) {
    const std::string& source = fields[f].source();
    nested = nested || source.find('.') != std::string::npos;
    const int found = column(source);
    if (found >= 0) values.emplace_back(f, found);
  }
}

void ArrowReading::check_id() const {
  if (id >= 0 || needs_ids) return;
  for (std::int64_t i = 0; i < schema->n_children; ++i) {
    const char* const name = schema->children[i]->name;
    if (name != nullptr && corpora::is_id_name(name)) refuse_other_id(name);
  }
}

bool ArrowReading::reads_all() const {
  const auto of = [&](int i) -> const ArrowSchema& { return *schema->children[i]; };
  const bool ids = id < 0 || ArrowColumn::is_text(of(id)) || ArrowColumn::is_whole(of(id));
  const bool rows = std::string_view(schema->format) == "+s";  // no column alone
  return rows && !nested && ids &&
         std::ranges::all_of(texts,
                             [&](const auto& t) { return ArrowColumn::is_text(of(t.second)); }) &&
         std::ranges::all_of(values,
                             [&](const auto& v) { return ArrowColumn::reads(of(v.second)); });
}

struct ArrowBatch::Parsed : index::ParsedBatch {
  std::unique_ptr<QueuedBatch> batch;  ///< has the table
  std::deque<std::string> arena;       ///< values that are no texts
  std::vector<std::pair<std::string_view, std::string_view>> texts;
  std::vector<index::FieldText> values;
};

void ArrowBatch::parse_row(std::int64_t row, index::FieldCheck& check, Parsed& parsed) const {
  const ArrowSchema& schema = *reading_->schema;
  const ArrowArray& table = **table_;
  const auto column = [&](int i) { return ArrowColumn(*schema.children[i], *table.children[i]); };
  const std::int64_t at = row + table.offset;
  const auto utf8 = [](std::string_view text, const std::string& what) {
    if (!corpora::is_utf8(text)) throw InputError(what + " is not UTF-8");
    return text;
  };

  if (!ArrowColumn(schema, table).has(row)) throw InputError("it is null");
  std::string_view id;
  if (reading_->id >= 0 && column(reading_->id).has(at)) {
    id = utf8(*column(reading_->id).value(at, parsed.arena), "'" + reading_->id_name + "'");
    if (id.empty()) throw InputError("'" + reading_->id_name + "' is empty");
  } else if (reading_->id >= 0 || reading_->needs_ids) {
    throw InputError("it has no '" + reading_->id_name + "'");
  }
  parsed.texts.clear();
  for (const auto& [name, number] : reading_->texts) {
    if (!column(number).has(at)) continue;
    parsed.texts.emplace_back(name,
                              utf8(*column(number).value(at, parsed.arena), "'" + name + "'"));
  }
  if (parsed.texts.empty() && !reading_->has_text_fields) {
    throw InputError(no_text_message(reading_->first_text));
  }
  parsed.values.clear();
  for (const auto& [field, number] : reading_->values) {
    column(number).each(at, parsed.arena, [&](std::string_view value) {
      parsed.values.push_back({field, utf8(value, "a value")});
    });
  }
  if (!parsed.values.empty()) {
    if (const auto problem = check.problem(parsed.values)) throw InputError(*problem);
  }
  parsed.add(id);
  for (const auto& [name, text] : parsed.texts) parsed.add_field(name, text);
  for (const index::FieldText& value : parsed.values) parsed.add_value(value.field, value.text);
}

std::unique_ptr<index::ParsedBatch> ArrowBatch::parsed(std::unique_ptr<QueuedBatch> self,
                                                       const index::Schema& schema,
                                                       corpora::Malformed malformed) const {
  auto made = std::make_unique<Parsed>();
  index::FieldCheck check(schema);
  for (std::int64_t row = first_; row < last_; ++row) {
    try {
      parse_row(row, check, *made);
    } catch (const InputError& error) {
      if (malformed == corpora::Malformed::kStop) {
        const auto number = number_ + static_cast<std::uint64_t>(row - first_);
        throw InputError("document " + std::to_string(number) + ": " + error.what());
      }
      ++made->skipped;
    }
  }
  made->batch = std::move(self);
  return made;
}

}  // namespace gannet::python
