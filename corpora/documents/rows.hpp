// Tables whose records hold the fields of documents that come from elsewhere, in the same order.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"

namespace gannet::corpora {

/// Opens tables to be joined to a collection by row (index::BuildOptions::rows): record i of all
/// files together, read in the order given, holds the values of the schema's fields that document i
/// has. The names say what the files are: .csv or .tsv, whose first line names the columns, or
/// .jsonl, objects as DocumentFormat::kJsonl finds them; .gz, .bz2 or .zst may follow. What the
/// schema does not name is passed over; neither an id nor a text is wanted.
///
/// Every record counts, also one without any value: {} or a line of nothing but tabs or commas. An
/// empty line is a record of a table with one column, and none of another.
///
/// Of the options, schema, malformed, on_skipped, max_record_bytes and stop count. kStop: parse()
/// throws InputError, with file, line and field, at a record that is malformed or a value that is
/// none of its field. kSkip: such a value is left out, of a malformed record all are, and either is
/// counted as skipped and told; the record stays, so that those behind it keep their documents.
///
/// Throws UsageError for names that do not say what the files are, or not all the same, and for a
/// schema without fields. The source throws as that of open_documents() does.
std::unique_ptr<index::DocumentSource> open_rows(const std::vector<std::filesystem::path>& files,
                                                 const ReaderOptions& options);

}  // namespace gannet::corpora
