// Tables of named columns: what TSV and CSV have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpora/documents/sources/row_values.hpp"
#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/sources/text_batch.hpp"
#include "index/fields/field_text.hpp"

namespace gannet::corpora {

using Columns = std::vector<std::string>;

/// What is read of a table: ReaderOptions::fields, schema, id_field and columns.
struct TableOptions {
  static TableOptions of(const ReaderOptions& options, RecordUse use) {
    return {options.fields, options.schema, use, options.id_field,
            options.columns.empty() ? nullptr : std::make_shared<const Columns>(options.columns)};
  }

  std::vector<std::string> fields = {};
  index::Schema schema = {};
  RecordUse use = RecordUse::kDocuments;
  std::string id_field = {};
  std::shared_ptr<const Columns> columns = {};  ///< null: each file names them
};

/// Adds the rows of a piece of a table to a batch. For one thread.
class TableRows {
 public:
  /// All must stay. Throws InputError if the piece's columns lack one that is asked for.
  TableRows(const Piece& piece, const TableOptions& options, const BadRecords& bad_records,
            index::ParsedBatch& batch);

  /// Whether a record, which has no line end, is a row at all. Blank lines are none of documents;
  /// of rows that only hold values each counts.
  bool is_row(std::string_view record) const {
    if (use_ == RecordUse::kDocuments) return !is_blank(record);
    return !record.empty() || columns_.size() == 1;
  }
  /// Adds a document; a row that is malformed is handled as the policy says.
  void add(std::span<const std::string_view> row, std::uint64_t line);
  /// Handles a record that cannot be a row.
  void fail(std::uint64_t line, std::string_view reason);

 private:
  void choose_id(const std::string& name);
  void choose_texts(const std::vector<std::string>& fields);
  void choose_values(const index::Schema& schema);
  void add_values(std::string_view cell, std::uint32_t field);
  std::size_t column_named(const std::string& name);
  void check_columns() const;
  std::string one_column_hint() const;

  const Piece& piece_;
  const Columns& columns_;
  std::string namer_;  ///< of the columns, for messages
  RecordUse use_;
  const index::Schema& schema_;
  const BadRecords& bad_records_;
  index::ParsedBatch& batch_;
  index::FieldCheck check_;
  RowValues only_values_;
  std::vector<std::string> missing_;  ///< columns that were asked for
  std::size_t id_ = 0;
  std::vector<std::size_t> texts_;                             ///< columns
  std::vector<std::pair<std::size_t, std::uint32_t>> values_;  ///< columns, and their fields
  std::vector<index::FieldText> row_values_;
};

}  // namespace gannet::corpora
