// Document sources over files: JSONL, TSV, CSV, TREC text, JSON vectors, directories of text and
// HTML, web archives, and Wikipedia dumps. The functions here are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/field_use.hpp"
#include "index/builder.hpp"

namespace gannet::corpora {

enum class DocumentFormat {
  kJsonl,        ///< objects with `id` and `contents`: one per line, one per file, or an array
  kTsv,          ///< `id<TAB>text`, one document per line; with a header, a table of columns
  kCsv,          ///< a table whose first line names the columns; values may be quoted (RFC 4180)
  kTrecText,     ///< `<DOC> <DOCNO> id </DOCNO> ... </DOC>`; tags are stripped
  kJsonVectors,  ///< objects with `id` and `vector`: terms and weights (vector_source.hpp)
  kDirectory,    ///< one document per file, with its path as id; HTML gives its visible text
  kWarc,         ///< pages in WARC files (ISO 28500): responses, resources, conversions (WET)
  kArc,          ///< pages in ARC files of the Internet Archive, versions 1 and 2
  kTrecWeb,      ///< pages in `<DOC> <DOCNO> id </DOCNO> <DOCHDR> ... </DOCHDR> page </DOC>`
  kWikipedia,    ///< articles in MediaWiki's XML dumps (pages-articles), as plain text
};

/// Which property of a page becomes its document id.
enum class PageIds {
  kAutomatic,  ///< kWarc: WARC-TREC-ID, else ClueWeb22-ID, else kRecord; other formats: kRecord
  kRecord,  ///< kWarc: WARC-Record-ID; kArc: `date/url`; kTrecWeb: the DOCNO; kWikipedia: page id
  kUrl,     ///< the URL; equal URLs give equal ids (index::BuildOptions::update)
  kTitle,   ///< kWikipedia only: the title as in the URL, with '_' for blanks
};

/// Policy for malformed records.
enum class Malformed {
  kStop,  ///< throw InputError; the message names file, line (archives: byte) and reason
  kSkip,  ///< skip the record and count it (ParsedBatch::skipped)
};

/// The files [first, last) of a collection, numbered from 0 in the order of input_files().
struct FileRange {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();  ///< exclusive
  bool has(std::size_t file) const { return file >= first && file < last; }
};

struct ReaderOptions {
  Malformed malformed = Malformed::kStop;
  /// Called for each record or file that kSkip skips. `problem` is the place and the reason, as in
  /// the message of kStop. All parsing threads call the function, also concurrently, in no defined
  /// order.
  std::function<void(std::string_view problem)> on_skipped = {};
  /// Called by open_documents() for each link, device, pipe or folder below the inputs that is left
  /// unread; `what` is the place and the reason. Names that begin with a dot are skipped without a
  /// call. Of several sources that read parts of a collection (`files`), only the one that begins
  /// at file 0 reports links, devices and folders. With this function, kJsonl also leaves out and
  /// reports JSON files that lie beside documents and hold none (sources/settings_files.hpp);
  /// without it, they are read, and malformed.
  std::function<void(std::string_view what)> on_passed_over = {};
  /// Called by open_documents() for each file below a folder that is left out for its ending
  /// (open_documents(); kDirectory: `extensions`).
  std::function<void(const std::filesystem::path& file)> on_left_out = {};
  /// Encoding of text files without a byte order mark, as a label of the WHATWG Encoding standard
  /// ("windows-1252"); empty: UTF-8. A byte order mark overrides the label, also with UTF-16. If
  /// the label is empty, a record of kJsonl, kJsonVectors, kTsv, kCsv or kTrecText that is not
  /// valid UTF-8 is malformed. A file of records that looks like UTF-16 and has no byte order mark
  /// is an InputError; with kSkip it counts as a file that cannot be read. kDirectory: the label
  /// applies to plain text only; with an empty label, a plain text file is read as UTF-8 if all of
  /// it is valid UTF-8, as UTF-16 if it looks like UTF-16, else as windows-1252. kWarc, kArc,
  /// kTrecWeb and kWikipedia name their encodings themselves: a label is a UsageError.
  std::string encoding = {};
  /// The text fields to read, in this order.
  /// kJsonl: string members; null counts as absent. A document needs at least one of them, unless
  /// the schema has text fields. Empty: "contents".
  /// kCsv, and kTsv with named columns: columns. Empty: all columns except the id and those that
  /// the schema reads. kTsv without named columns: a UsageError.
  /// kWarc, kArc, kTrecWeb and kWikipedia: "title", "body" (the visible text without the title),
  /// "contents" (title and body), and any name that `schema` below lists for pages. Empty:
  /// "contents".
  /// Other formats ignore this member: they have one field, index::kContentsField.
  std::vector<std::string> fields = {};
  /// Of kJsonl: where the source notes which of `fields` documents have.
  std::shared_ptr<FieldUse> field_use = {};
  /// kTsv: the first non-blank line of each file names its columns. Without `columns`, kCsv always
  /// has this line. A column that the options ask for and the file lacks makes parse() throw
  /// InputError under both policies.
  bool header = false;
  /// kTsv and kCsv: the names of the columns, for files without a line that names them.
  std::vector<std::string> columns = {};
  /// kJsonl and kJsonVectors: the member that holds the id; empty: "id". kCsv, and kTsv with named
  /// columns: the column that holds the id; empty: "id", or the first column if none is called
  /// "id".
  std::string id_field = {};
  /// The fields whose values are read from the documents. FieldSpec::source() names the origin.
  /// kJsonl: members. A dot in the source leads into an object or through an array, or is part of a
  /// key. Every element of an array is a value; null is no value.
  /// kCsv, and kTsv with named columns: columns; an empty cell is no value.
  /// kWarc, kArc and kTrecWeb: "url", "host", "date", "type" (as text/html), "language", "title",
  /// "body" and "contents". "date" is the time of the crawl in UTC; an invalid date is no value.
  /// "language" is known for kWarc only, from WET files.
  /// kWikipedia: the names of pages above; "date" is the date of the revision, "language" the
  /// language of the wiki.
  /// Other formats have no values: a schema is a UsageError. A value that its field cannot hold
  /// makes the record malformed.
  index::Schema schema = {};
  /// kJsonVectors: how weights become integers.
  index::Quantization quantization = {};
  /// kWarc, kArc, kTrecWeb and kWikipedia: the ids of the documents.
  PageIds page_ids = PageIds::kAutomatic;
  /// kWikipedia: the namespaces to read, by number; 0 has the articles. Pages of other namespaces
  /// and redirects are left out (ParsedBatch::left_out).
  std::vector<int> namespaces = {0};
  /// kDirectory: the extensions of the files to read. An extension for compression (.gz, .bz2,
  /// .zst) may follow. Other files are left out. Files that are inputs themselves are always read.
  std::vector<std::string> extensions = {".txt", ".text", ".md", ".html", ".htm"};
  /// The part of input_files() to read, for callers that divide a collection. Document ids do not
  /// depend on the part.
  FileRange files = {};
  /// Approximate number of input bytes per batch; 0 counts as 1.
  std::size_t batch_bytes = std::size_t{1} << 20;
  /// Limit for the bytes of a record or, with kDirectory, of a file, decompressed. A larger one is
  /// an InputError under both policies: the input is most likely not of this format, and reading on
  /// would need as much memory. kWarc and kArc: a larger record, or a record whose decompressed
  /// content is larger, is malformed. The other formats do not check a record that lies within one
  /// batch, so that a limit below `batch_bytes` is not exact.
  std::size_t max_record_bytes = std::size_t{256} << 20;
  /// Stops open_documents(), read() and parse() with CancelledError, also while they wait for a
  /// pipe.
  std::stop_token stop = {};
};

/// The format called `name`: "jsonl", "tsv", "csv", "trectext", "json-vectors", "dir", "warc",
/// "arc", "trecweb" or "wikipedia". Throws UsageError for any other name; the message lists all
/// names, those of inverted lists included, and suggests the most similar one (for "parquet" it
/// names the Python package).
DocumentFormat document_format(std::string_view name);

/// The names of all formats, separated by ", ", for help texts.
std::string document_format_names();

struct InputFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;  ///< size on disk, compressed if the file is compressed; 0: unknown
};

/// The files of the inputs in the order in which open_documents() reads them. kDirectory leaves
/// some of these files out (ReaderOptions::extensions). Throws IoError for an input that is missing
/// or cannot be listed, UsageError for a directory without files, CancelledError once `stop` is
/// requested. A folder below an input that cannot be listed is an entry of 0 bytes.
std::vector<InputFile> input_files(const std::vector<std::filesystem::path>& inputs,
                                   const std::stop_token& stop = {});

/// Opens a collection of files and directories, which are read in the order given. A directory
/// stands for all files below it, sorted bytewise by path. Links are followed, each folder is read
/// once, and names that begin with a dot are skipped. gzip, bzip2 and zstd files are recognised by
/// their magic bytes and decompressed. Byte order marks (UTF-8 and UTF-16) and CRLF line ends are
/// accepted.
///
/// Where some files below a directory have an ending of the format, or begin as it does, those with
/// endings that no format has and with another beginning are left out: pictures, a README.md.
///
/// With kDirectory, the id of a file below an input is its path relative to the input, with '/'
/// between parts. If there are several inputs, the name of the input precedes the path. The id of
/// an input that is a file is its file name.
///
/// Throws IoError for an input that is missing and, with kStop, for a folder that cannot be read;
/// UsageError if there is nothing to read or the options do not suit the format; CancelledError.
///
/// The source's parse() is thread-safe; read() is for one thread at a time. The source throws
/// IoError for files that disappear or cannot be read, FormatError for compressed files that are
/// damaged or cut off, and InputError for malformed records. With kSkip, a file or folder that
/// cannot be read to its end is named in ParsedBatch::broken_files and counts as one malformed
/// record, and the records before the problem stay.
std::unique_ptr<index::DocumentSource> open_documents(
    DocumentFormat format, const std::vector<std::filesystem::path>& inputs,
    const ReaderOptions& options = {});

}  // namespace gannet::corpora
