// Rows of a table of Arrow as documents.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "tools/python/arrow/abi.hpp"
#include "tools/python/document_batch.hpp"

namespace gannet::python {

/// Which columns of a table are what of a document.
struct ArrowReading {
  /// Finds the columns by their names. Throws nothing for those that there are not.
  ArrowReading(Released<ArrowSchema> columns, const corpora::ReaderOptions& options);

  /// Whether all columns that matter are of types that are read; else rows go through Python.
  bool reads_all() const;
  /// Throws UsageError if there is no column of ids, and another one seems to be it.
  void check_id() const;

  Released<ArrowSchema> schema;
  std::string id_name;
  bool needs_ids;
  bool has_text_fields;  ///< a row may have its texts there alone
  int id = -1;           ///< the column; -1: none
  std::string first_text;
  std::vector<std::pair<std::string, int>> texts = {};     ///< that there are
  std::vector<std::pair<std::uint32_t, int>> values = {};  ///< fields of the schema
  bool nested = false;                                     ///< a field's path leads into objects

 private:
  int column(std::string_view name) const;
};

/// Rows [first, last) of an array of structs; texts are not copied.
class ArrowBatch : public QueuedBatch {
 public:
  ArrowBatch(std::shared_ptr<const ArrowReading> reading,
             std::shared_ptr<Released<ArrowArray>> table, std::int64_t first, std::int64_t last,
             std::uint64_t number)
      : reading_(std::move(reading)),
        table_(std::move(table)),
        first_(first),
        last_(last),
        number_(number) {}

  std::size_t records() const override { return static_cast<std::size_t>(last_ - first_); }
  std::unique_ptr<index::ParsedBatch> parsed(std::unique_ptr<QueuedBatch> self,
                                             const index::Schema& schema,
                                             corpora::Malformed malformed) const override;

 private:
  struct Parsed;
  void parse_row(std::int64_t row, index::FieldCheck& check, Parsed& parsed) const;

  std::shared_ptr<const ArrowReading> reading_;
  std::shared_ptr<Released<ArrowArray>> table_;
  std::int64_t first_, last_;
  std::uint64_t number_;  ///< of the first row, in the whole input
};

}  // namespace gannet::python
