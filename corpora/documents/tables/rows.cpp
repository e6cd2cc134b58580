#include "corpora/documents/rows.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/sources.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

/// Rows are short and take several times their bytes once they are parsed.
constexpr std::size_t kBatchBytes = std::size_t{1} << 18;

DocumentFormat format_of(const fs::path& file) {
  fs::path name = file.filename();
  if (std::ranges::count(kPackedExtensions, name.extension().string()) > 0) name = name.stem();
  if (name.extension() == ".csv") return DocumentFormat::kCsv;
  if (name.extension() == ".tsv") return DocumentFormat::kTsv;
  if (name.extension() == ".jsonl") return DocumentFormat::kJsonl;
  throw UsageError(file.string() +
                   ": the name does not say what table this is; rows are read from files named "
                   "*.csv, *.tsv or *.jsonl, with .gz, .bz2 or .zst behind it if they are "
                   "compressed");
}

DocumentFormat common_format(const std::vector<fs::path>& files) {
  if (files.empty()) throw UsageError("no table given: name the file with the rows");
  const DocumentFormat format = format_of(files.front());
  for (const fs::path& file : files) {
    if (format_of(file) == format) continue;
    throw UsageError(file.string() + ": this is not a table of the same kind as " +
                     files.front().string());
  }
  return format;
}

}  // namespace

std::unique_ptr<index::DocumentSource> open_rows(const std::vector<fs::path>& files,
                                                 const ReaderOptions& options) {
  const DocumentFormat format = common_format(files);
  if (options.schema.empty()) {
    throw UsageError(files.front().string() +
                     ": rows are read for the fields of a schema; declare at least one");
  }
  ReaderOptions reader;
  reader.malformed = options.malformed;
  reader.on_skipped = options.on_skipped;
  reader.schema = options.schema;
  reader.max_record_bytes = options.max_record_bytes;
  reader.batch_bytes = kBatchBytes;
  reader.stop = options.stop;
  reader.header = true;
  switch (format) {
    case DocumentFormat::kCsv:
      return open_csv(files, reader, RecordUse::kValues);
    case DocumentFormat::kTsv:
      return open_tsv(files, reader, RecordUse::kValues);
    default:
      return open_jsonl(files, reader, RecordUse::kValues);
  }
}

}  // namespace gannet::corpora
