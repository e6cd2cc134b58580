// Tables with field values for documents of another source: record i belongs to document i.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"

namespace gannet::corpora {

/// Opens tables that are joined to a collection by row (index::BuildOptions::rows). The records of
/// all files, read in the order given, are numbered from 0; record i holds the values of the
/// schema's fields for document i. The file names give the format: .csv and .tsv are tables whose
/// first line names the columns, .jsonl holds objects as DocumentFormat::kJsonl does; .gz, .bz2 or
/// .zst may follow. All files have one format. Columns and members outside the schema are ignored;
/// a record needs no id and no text.
///
/// Every record counts, also a record without values: `{}`, or a line of only tabs or commas. An
/// empty line is a record if the table has one column; otherwise it is skipped.
///
/// Only the options schema, malformed, on_skipped, max_record_bytes and stop apply. With kStop,
/// parse() throws InputError for a malformed record and for a value that its field cannot hold; the
/// message names file, line and field. With kSkip, parse() drops the invalid value, or all values
/// of a malformed record, and counts and reports each case as skipped. The record itself stays, so
/// that the records after it keep their documents. The records of a file that cannot be read are
/// missing.
///
/// Throws UsageError if `files` is empty, a name does not give a format, the formats differ, or the
/// schema has no fields. The source throws what the source of open_documents() throws. open_rows()
/// is thread-safe.
std::unique_ptr<index::DocumentSource> open_rows(const std::vector<std::filesystem::path>& files,
                                                 const ReaderOptions& options);

}  // namespace gannet::corpora
