#include "corpora/documents/tables/table.hpp"

#include <algorithm>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/id_names.hpp"
#include "corpora/markup/encoding/encoding.hpp"
#include "corpora/markup/markup.hpp"
#include "index/files/messages.hpp"
#include "index/text/words/suggest.hpp"

namespace gannet::corpora {

TableRows::TableRows(const Piece& piece, const TableOptions& options, const BadRecords& bad_records,
                     index::ParsedBatch& batch)
    : piece_(piece),
      columns_(*piece.columns),
      namer_(options.columns == nullptr ? "the first line" : "--columns"),
      use_(options.use),
      schema_(options.schema),
      bad_records_(bad_records),
      batch_(batch),
      check_(options.schema),
      only_values_(options.schema, bad_records) {
  if (use_ == RecordUse::kDocuments) choose_id(options.id_field);
  choose_values(options.schema);
  if (use_ == RecordUse::kDocuments) choose_texts(options.fields);
  check_columns();
}

void TableRows::choose_id(const std::string& name) {
  if (!name.empty()) {
    id_ = column_named(name);
    return;
  }
  const auto id = std::find(columns_.begin(), columns_.end(), "id");
  if (id != columns_.end()) {
    id_ = static_cast<std::size_t>(id - columns_.begin());
    return;
  }
  // The first column has the ids, unless another one seems to.
  const auto likely = std::find_if(columns_.begin(), columns_.end(), is_id_name);
  if (likely == columns_.begin() || likely == columns_.end()) return;
  throw InputError(*piece_.path + ": " + namer_ + " names no column 'id'" + id_field_hint(*likely) +
                   ", --id-field '" + columns_.front() + "' the first column");
}

void TableRows::choose_values(const index::Schema& schema) {
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    values_.emplace_back(column_named(schema.fields()[i].source()), i);
  }
}

/// Those chosen, in their order, or all but the id and those that are values.
void TableRows::choose_texts(const std::vector<std::string>& fields) {
  for (const std::string& field : fields) texts_.push_back(column_named(field));
  if (!fields.empty()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const bool is_value = std::any_of(values_.begin(), values_.end(),
                                      [&](const auto& value) { return value.first == i; });
    if (i != id_ && !is_value) texts_.push_back(i);
  }
  if (texts_.empty() && values_.empty() && missing_.empty()) {
    throw InputError(*piece_.path + ": " + namer_ + " names no column but that of the ids" +
                     one_column_hint());
  }
}

/// What may be wrong where all is in one column; with a semicolon in front.
std::string TableRows::one_column_hint() const {
  if (columns_.size() != 1) return {};
  const std::string& name = columns_.front();
  std::string hint = ", '" + name + "'";
  const std::size_t separator = name.find_first_of(";\t|,");
  if (separator == std::string::npos) return hint;
  if (name[separator] == '\t') return hint + "; its values have tabs between them: --format tsv";
  if (name[separator] == ',') return hint + "; its values have commas between them: --format csv";
  return hint + "; are its values separated by '" + name[separator] +
         "'? Write the table with commas (csv) or tabs (tsv) between them";
}

/// Names all that are missing at once.
void TableRows::check_columns() const {
  if (missing_.empty()) return;
  std::string names;
  for (const std::string& name : missing_) {
    names += (names.empty() ? "'" : ", no '") + name + "'" + index::did_you_mean(name, columns_);
  }
  const bool one = columns_.size() == 1;
  constexpr std::size_t kShown = 20;
  std::string there;
  for (std::size_t i = 0; i < std::min(columns_.size(), kShown); ++i) {
    there += (there.empty() ? "" : ", ") + index::printable(columns_[i]);
  }
  if (columns_.size() > kShown) there += ", ...";
  throw InputError(*piece_.path + ": " + namer_ + " names no column " + names +
                   (one ? " but one" + one_column_hint() : "; it names " + there));
}

/// 0 for a column that is missing, which check_columns() tells.
std::size_t TableRows::column_named(const std::string& name) {
  const auto column = std::find(columns_.begin(), columns_.end(), name);
  if (column != columns_.end() && std::count(column, columns_.end(), name) > 1) {
    throw InputError(*piece_.path + ": " + namer_ + " names several columns '" + name + "'");
  }
  if (column != columns_.end()) return static_cast<std::size_t>(column - columns_.begin());
  missing_.push_back(name);
  return 0;
}

/// Of a cell: one value, or those between the separators of the field without blanks around them.
/// Nothing is no value.
void TableRows::add_values(std::string_view cell, std::uint32_t field) {
  const std::string& split = schema_.fields()[field].split;
  if (split.empty()) {
    if (!cell.empty()) row_values_.push_back({field, cell});
    return;
  }
  for (std::size_t begin = 0; begin <= cell.size();) {
    const std::size_t end = std::min(cell.find(split, begin), cell.size());
    const std::string_view value = trim(cell.substr(begin, end - begin));
    if (!value.empty()) row_values_.push_back({field, value});
    begin = end + split.size();
  }
}

void TableRows::fail(std::uint64_t line, std::string_view reason) {
  if (use_ == RecordUse::kValues) return only_values_.fail(*piece_.path, line, reason, batch_);
  bad_records_.handle(*piece_.path, line, reason, batch_);
}

void TableRows::add(std::span<const std::string_view> row, std::uint64_t line) {
  if (row.size() != columns_.size()) {
    const auto counted = [](std::size_t count, const char* what) {
      return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
    };
    return fail(line, counted(row.size(), "value") + ", but " + namer_ + " names " +
                          counted(columns_.size(), "column"));
  }
  if (!piece_.is_utf8) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string problem = not_utf8(row[i]);
      if (!problem.empty()) return fail(line, "column '" + columns_[i] + "': " + problem);
    }
  }
  row_values_.clear();
  for (const auto& [column, field] : values_) add_values(row[column], field);
  if (use_ == RecordUse::kValues) return only_values_.add(*piece_.path, line, row_values_, batch_);
  if (row[id_].empty()) return fail(line, "the id is empty");
  if (!row_values_.empty()) {
    if (const auto problem = check_.problem(row_values_)) return fail(line, *problem);
  }
  batch_.add(row[id_]);
  batch_.set_place(piece_.path, line);
  for (const std::size_t i : texts_) batch_.add_field(columns_[i], row[i]);
  for (const index::FieldText& value : row_values_) batch_.add_value(value.field, value.text);
}

}  // namespace gannet::corpora
