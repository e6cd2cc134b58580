// Documents from files: JSONL, TSV, CSV, TREC text, directories of text and HTML, archives of the
// web, and dumps of Wikipedia.
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

#include "index/builder.hpp"

namespace gannet::corpora {

enum class DocumentFormat {
  kJsonl,        ///< objects with `id` and `contents`: one a line, one a file, or an array of them
  kTsv,          ///< `id<TAB>text`, one document a line; with a header, a table of columns
  kCsv,          ///< a table whose first line names the columns; values may be quoted (RFC 4180)
  kTrecText,     ///< `<DOC> <DOCNO> id </DOCNO> ... </DOC>`; tags are stripped
  kJsonVectors,  ///< objects with `id` and `vector`: terms and weights (vector_source.hpp)
  kDirectory,    ///< a document a file, its path below the directory being the id; HTML is rendered
  kWarc,         ///< pages in WARC files (ISO 28500): responses, resources, conversions (WET)
  kArc,          ///< pages in ARC files of the Internet Archive, versions 1 and 2
  kTrecWeb,      ///< pages in `<DOC> <DOCNO> id </DOCNO> <DOCHDR> ... </DOCHDR> page </DOC>`
  kWikipedia,  ///< articles in XML dumps of MediaWiki (pages-articles), whose wikitext is rendered
};

/// The ids of pages.
enum class PageIds {
  kAutomatic,  ///< kWarc: WARC-TREC-ID, ClueWeb22-ID or else kRecord; others: kRecord
  kRecord,  ///< kWarc: WARC-Record-ID; kArc: `date/url`; kTrecWeb: the DOCNO; kWikipedia: page id
  kUrl,     ///< the URL, of which there may not be two
  kTitle,   ///< kWikipedia alone: the title, as in the URL: blanks are '_'
};

/// What to do with a malformed record.
enum class Malformed {
  kStop,  ///< throw InputError that names file, line and reason
  kSkip,  ///< pass over it and count it
};

/// Some of a collection's files, by their numbers in the order in which they are read.
struct FileRange {
  std::size_t first = 0;
  std::size_t last = std::numeric_limits<std::size_t>::max();  ///< behind the last one
  bool has(std::size_t file) const { return file >= first && file < last; }
};

struct ReaderOptions {
  Malformed malformed = Malformed::kStop;
  /// Told of each record that kSkip passes over: where it is, and why, as the message of kStop has
  /// it. Called by all threads that parse, perhaps at once, in no particular order.
  std::function<void(std::string_view problem)> on_skipped = {};
  /// Told, while a collection is opened, of each file or folder below its inputs that is not read,
  /// though nothing is wrong with it: where it is, and why. kDirectory: files of other extensions,
  /// which are counted too (ParsedBatch::left_out).
  std::function<void(std::string_view what)> on_passed_over = {};
  /// What files of text are written in that carry no byte order mark, by its label in the WHATWG
  /// Encoding standard ("windows-1252"); empty: UTF-8. Text with a mark is what that says, also
  /// UTF-16. kTsv, kCsv and kTrecText: records that are not UTF-8 then are malformed. kDirectory:
  /// of plain text alone, which is UTF-8 if all of a file is, UTF-16 if it looks so, else
  /// windows-1252 where this is empty. Not for pages, which say it themselves.
  std::string encoding = {};
  /// The fields to read, in this order. kJsonl: string members, of which a document needs at least
  /// one; empty: "contents". kCsv, and kTsv with a header: columns, which must be there; empty: all
  /// but the id and those that the schema takes. kWarc, kArc and kTrecWeb: "title", "body", which
  /// is what is visible but for the title, "contents", which is both, and what values there are;
  /// empty: "contents". kWikipedia: the same of articles. Other formats have one field
  /// (index::kContentsField) and no choice.
  std::vector<std::string> fields = {};
  /// kTsv: the first line of each file names its columns; the id is in the one called "id", or else
  /// the first. Files of kCsv have such a line always, unless `columns` are given.
  bool header = false;
  /// kTsv and kCsv: the names of the columns, for files without a line that names them.
  std::vector<std::string> columns = {};
  /// kJsonl, kJsonVectors: the member that has the id; empty: "id". kCsv, and kTsv with named
  /// columns: the column; empty: "id", or else the first.
  std::string id_field = {};
  /// The fields whose values are read with the documents (FieldSpec::source()). kJsonl: members,
  /// dots lead into objects and through arrays, or are in a key itself; of arrays every element is
  /// a value; null is none. kCsv, and kTsv with a header: columns, which must be there; an empty
  /// one is none. kWarc, kArc and kTrecWeb: "url", "host", "date" (of the crawl, UTC; one that is
  /// no date is none), "type" (as text/html), "language" (kWarc: as WET files have it), "title",
  /// "body" and "contents". kWikipedia: the same; "date" is that of the revision, "language" the
  /// wiki's. Other formats have no values. A value that is none of its field makes the record
  /// malformed.
  index::Schema schema = {};
  /// kJsonVectors: how weights become whole numbers.
  index::Quantization quantization = {};
  /// kWarc, kArc, kTrecWeb, kWikipedia: what the documents are called.
  PageIds page_ids = PageIds::kAutomatic;
  /// kWikipedia: the namespaces whose pages are read, by number: 0 has the articles. Pages of
  /// others are left out (ParsedBatch::left_out), and so are redirects.
  std::vector<int> namespaces = {0};
  /// kDirectory: the files to read, by extension; others are passed over.
  std::vector<std::string> extensions = {".txt", ".text", ".md", ".html", ".htm"};
  /// The files to read of those that input_files() lists, for callers that share a collection out.
  /// Ids are those that the documents have in the whole.
  FileRange files = {};
  /// About how many bytes of input make a batch, >= 1.
  std::size_t batch_bytes = std::size_t{1} << 20;
  /// A record, or a file in a directory, that is larger is an InputError under either policy: the
  /// input is most likely not of this format, and reading on would need as much memory. kWarc and
  /// kArc: such a record is malformed, and so is one whose content is larger when decompressed.
  std::size_t max_record_bytes = std::size_t{256} << 20;
  /// Ends read() and parse() with CancelledError, also while they wait for a pipe.
  std::stop_token stop = {};
};

/// "jsonl", "tsv", "csv", "trectext", "json-vectors", "dir", "warc", "arc", "trecweb" or
/// "wikipedia". Throws UsageError for any other name, with the names that there are, those of
/// inverted lists included, and the nearest one.
DocumentFormat document_format(std::string_view name);

/// "jsonl, tsv, csv, trectext, json-vectors, dir, warc, arc, trecweb, wikipedia", for help texts.
std::string document_format_names();

struct InputFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;  ///< as it lies there, compressed if it is; 0 if that is not known
};

/// The files that a collection's inputs stand for, in the order in which open_documents() reads
/// them. Throws IoError, UsageError for a directory without files, CancelledError.
std::vector<InputFile> input_files(const std::vector<std::filesystem::path>& inputs,
                                   const std::stop_token& stop = {});

/// Opens a collection made of files and directories, read in the order given. A directory stands
/// for all files below it, links followed, each file once, names that begin with a dot left out,
/// sorted bytewise by path. gzip, bzip2 and zstd are told by their magic bytes and decompressed.
/// Byte order marks, of UTF-16 too, and CRLF line ends are accepted.
///
/// With kDirectory, ids are paths below the input ('/' between parts); if there are several inputs,
/// the input's own name comes first. An input that is a file has its name as id.
///
/// Throws IoError for an input that cannot be opened and UsageError where there is nothing to read.
/// The source's read() and parse() throw IoError for files that vanish, cannot be read or are
/// truncated, and InputError, as the options say: where they skip what is malformed, such a file,
/// or folder, counts as one malformed record, and what was read of it before stays.
std::unique_ptr<index::DocumentSource> open_documents(
    DocumentFormat format, const std::vector<std::filesystem::path>& inputs,
    const ReaderOptions& options = {});

}  // namespace gannet::corpora
