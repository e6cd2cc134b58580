#include "corpora/documents/documents.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "corpora/documents/sources/format_guess.hpp"
#include "corpora/documents/sources/settings_files.hpp"
#include "corpora/documents/sources/sources.hpp"
#include "index/text/words/suggest.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

struct NamedFormat {
  std::string_view name;
  DocumentFormat format;
};

constexpr std::array<NamedFormat, 10> kFormats{{{"jsonl", DocumentFormat::kJsonl},
                                                {"tsv", DocumentFormat::kTsv},
                                                {"csv", DocumentFormat::kCsv},
                                                {"trectext", DocumentFormat::kTrecText},
                                                {"json-vectors", DocumentFormat::kJsonVectors},
                                                {"dir", DocumentFormat::kDirectory},
                                                {"warc", DocumentFormat::kWarc},
                                                {"arc", DocumentFormat::kArc},
                                                {"trecweb", DocumentFormat::kTrecWeb},
                                                {"wikipedia", DocumentFormat::kWikipedia}}};

bool has_pages(DocumentFormat format) {
  return format == DocumentFormat::kWarc || format == DocumentFormat::kArc ||
         format == DocumentFormat::kTrecWeb || format == DocumentFormat::kWikipedia;
}

void check_columns(DocumentFormat format, const ReaderOptions& options) {
  const bool table = format == DocumentFormat::kTsv || format == DocumentFormat::kCsv;
  const bool json = format == DocumentFormat::kJsonl || format == DocumentFormat::kJsonVectors;
  if (!options.columns.empty() && !table) {
    throw UsageError("--columns: only tsv and csv have columns");
  }
  if (!options.columns.empty() && options.header) {
    throw UsageError("--columns names the columns, and --header says that the first line does");
  }
  if (!options.id_field.empty() && !table && !json) {
    throw UsageError("--id-field: only jsonl, json-vectors, tsv and csv have members or columns");
  }
  if (options.page_ids == PageIds::kTitle && format != DocumentFormat::kWikipedia) {
    throw UsageError("--page-ids title: only pages of wikipedia are called by their titles");
  }
}

void check_schema(DocumentFormat format, const ReaderOptions& options) {
  if (options.schema.empty() || format == DocumentFormat::kJsonl ||
      format == DocumentFormat::kCsv || has_pages(format)) {
    return;
  }
  if (format == DocumentFormat::kTsv) {
    if (options.header || !options.columns.empty()) return;
    throw UsageError(
        "TSV files have values of fields only if their first line names the columns (--header), or "
        "--columns does");
  }
  throw UsageError(
      "documents of this format have no values of fields; jsonl, csv, tsv, archives of the web and "
      "wikipedia have, and tables that are joined by row (--rows)");
}

void check_encoding(DocumentFormat format, const ReaderOptions& options) {
  if (options.encoding.empty() || !has_pages(format)) return;
  throw UsageError("--encoding: pages say themselves what they are written in");
}

}  // namespace

std::optional<Encoding> encoding_of(const std::string& label) {
  if (label.empty()) return std::nullopt;
  if (const auto encoding = encoding_called(label)) return encoding;
  throw UsageError("--encoding: '" + label +
                   "' is no label of an encoding that the WHATWG standard knows, as utf-8, "
                   "windows-1252, iso-8859-15, utf-16le, shift_jis and gb18030 are");
}

DocumentFormat document_format(std::string_view name) {
  for (const NamedFormat& known : kFormats) {
    if (known.name == name) return known.format;
  }
  if (name == "parquet") {
    throw UsageError(
        "Parquet files are read by Gannet's Python package, with pyarrow: python3 -c 'import "
        "gannet; "
        "gannet.Index.build(\"docs.parquet\", \"idx\")'");
  }
  std::vector<std::string> names;
  for (const NamedFormat& known : kFormats) names.emplace_back(known.name);
  names.insert(names.end(), {"ds2i", "ciff"});
  throw UsageError("unknown format '" + std::string(name) + "'" + index::did_you_mean(name, names) +
                   "; documents are " + document_format_names() + ", inverted lists ds2i and ciff");
}

std::string document_format_names() {
  std::string names;
  for (const NamedFormat& known : kFormats) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  return names;
}

std::vector<FoundFile> files_of(const fs::path& input, const ReaderOptions& options) {
  FoundFiles found = find_files(input, options.stop);
  if (options.malformed == Malformed::kStop) {
    for (const FoundFile& file : found.files) {
      if (!file.problem.empty()) throw IoError(file.problem);
    }
  }
  if (options.on_passed_over && options.files.first == 0) {
    for (const std::string& what : found.passed_over) options.on_passed_over(what);
  }
  return std::move(found.files);
}

std::vector<InputFile> input_files(const std::vector<fs::path>& inputs,
                                   const std::stop_token& stop) {
  std::vector<InputFile> files;
  for (const fs::path& input : inputs) {
    std::vector<FoundFile> found = find_files(input, stop).files;
    if (found.empty()) throw UsageError(input.string() + ": there is no file in this directory");
    for (FoundFile& file : found) {
      std::error_code error;
      const std::uintmax_t bytes = fs::file_size(file.path, error);
      files.push_back({std::move(file.path), error ? 0 : bytes});
    }
  }
  return files;
}

std::vector<fs::path> wanted_files(DocumentFormat format, const std::vector<fs::path>& inputs,
                                   const ReaderOptions& options) {
  const auto* const named = std::ranges::find(kFormats, format, &NamedFormat::format);
  std::vector<fs::path> wanted;
  std::size_t number = 0;
  bool any_left_out = false;
  for (const fs::path& input : inputs) {
    std::vector<FoundFile> found = files_of(input, options);
    if (found.empty()) throw UsageError(input.string() + ": there is no file in this directory");
    std::set<std::string> unread;
    std::set<fs::path> settings;
    std::error_code error;
    if (fs::is_directory(input, error)) {
      unread = unread_endings(found, named->name, options.stop);
      const bool json = format == DocumentFormat::kJsonl && options.on_passed_over;
      if (json) settings = settings_files(found, options);
    }
    for (FoundFile& file : found) {
      if (!options.files.has(number++)) continue;
      if (settings.contains(file.path)) {
        any_left_out = true;
        options.on_passed_over(file.path.string() + ": " + settings_reason(options));
        continue;
      }
      if (!unread.contains(ending_without_packing(file.path))) {
        wanted.push_back(std::move(file.path));
        continue;
      }
      any_left_out = true;
      if (options.on_left_out) options.on_left_out(file.path);
    }
  }
  if (wanted.empty() && !any_left_out) throw UsageError("none of the input's files is to be read");
  return wanted;
}

std::unique_ptr<index::DocumentSource> open_documents(DocumentFormat format,
                                                      const std::vector<fs::path>& inputs,
                                                      const ReaderOptions& options) {
  if (inputs.empty()) throw UsageError("no input given: name a file or a directory");
  check_columns(format, options);
  check_schema(format, options);
  check_encoding(format, options);
  if (format == DocumentFormat::kDirectory) return open_directory(inputs, options);
  std::vector<fs::path> files = wanted_files(format, inputs, options);
  switch (format) {
    case DocumentFormat::kTsv:
      return open_tsv(std::move(files), options);
    case DocumentFormat::kCsv:
      return open_csv(std::move(files), options);
    case DocumentFormat::kTrecText:
      return open_trec_text(std::move(files), options);
    case DocumentFormat::kJsonVectors:
      return open_json_vectors(std::move(files), options);
    case DocumentFormat::kWarc:
    case DocumentFormat::kArc:
      return open_archives(format, std::move(files), options);
    case DocumentFormat::kTrecWeb:
      return open_trec_web(std::move(files), options);
    case DocumentFormat::kWikipedia:
      return open_wikipedia(std::move(files), options);
    default:
      return open_jsonl(std::move(files), options);
  }
}

}  // namespace gannet::corpora
