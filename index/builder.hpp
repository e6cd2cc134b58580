// Building an index from documents or posting lists, in parallel and within a memory budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/fields/field_text.hpp"
#include "index/fields/text_terms.hpp"
#include "index/inverted_source.hpp"
#include "index/segment/segment.hpp"
#include "index/write_options.hpp"

namespace gannet::index {

class IndexWriter;

/// A named part of a document's main text: "title", "contents". A view, like Document.
struct TextField {
  std::string_view name = {};
  std::string_view text = {};
};

/// A term that is not analysed, with its weight in the document.
struct WeightedTerm {
  std::string_view term = {};
  std::uint32_t weight = 1;  ///< >= 1
};

/// One document of a batch. All members are views: they are valid until the batch is destroyed or
/// gets another document.
struct Document {
  /// External id, unique in the index; empty if the documents have no ids. Either all documents of
  /// an index have ids or none.
  std::string_view id = {};
  std::span<const TextField> fields = {};  ///< parts of the main text; names may occur repeatedly
  /// Terms of the main text, besides those of `fields`. The weights of a term add up to its
  /// frequency. The sum of all weights, which counts as length, must be below 2^32. Only for
  /// indexes with the tokenizer "verbatim": Writer throws UsageError for others. build_index()
  /// does not check the tokenizer or the sum of the weights; it treats the terms as tokens.
  std::span<const WeightedTerm> terms = {};
  /// Values of the fields of the schema (WriteOptions::schema), in any order. A document lacks the
  /// fields of which it has no value. A field declared with `multi` may have several values, of
  /// which equal ones count once. The values of a text field are one text together.
  std::span<const FieldText> values = {};
};

/// A piece of the input, cut at record boundaries but not yet parsed.
struct RawBatch {
  virtual ~RawBatch() = default;
  /// The approximate size of the piece in bytes, or 0 if it is not large. After a piece of more
  /// than kLargeBatch bytes the build reads the next one only when that piece has been inverted:
  /// several large records in memory would exceed the budget.
  virtual std::size_t memory() const { return 0; }
};
inline constexpr std::size_t kLargeBatch = std::size_t{4} << 20;

/// A parsed batch: documents with their fields, terms and values. Sources derive from it to own the
/// bytes that the views point to: nothing is copied here. Not thread-safe while documents are
/// added.
class ParsedBatch {
 public:
  virtual ~ParsedBatch() = default;

  /// Adds a document without fields, terms and values.
  void add(std::string_view id) {
    documents_.push_back({id, fields_.size(), terms_.size(), values_.size()});
  }
  /// Says where the document added last stands, for messages: in which line of which file. `file`
  /// must not be null.
  void set_place(const std::shared_ptr<const std::string>& file, std::uint64_t line) {
    if (files_.empty() || files_.back() != file) files_.push_back(file);
    documents_.back().file = files_.size();
    documents_.back().line = line;
  }
  /// "docs.jsonl:17" of document number `i` (< size()); empty if nobody said it.
  std::string place(std::size_t i) const {
    const Entry& entry = documents_[i];
    if (entry.file == 0) return {};
    return *files_[entry.file - 1] + ":" + std::to_string(entry.line);
  }
  /// Adds a part of the main text to the document added last.
  void add_field(std::string_view name, std::string_view text) { fields_.push_back({name, text}); }
  /// Adds a weighted term to the document added last.
  void add_term(std::string_view term, std::uint32_t weight) { terms_.push_back({term, weight}); }
  /// Adds a value to the document added last. `field` is the field's number in the schema.
  void add_value(std::uint32_t field, std::string_view text) { values_.push_back({field, text}); }
  /// Adds a document whose main text has one part, kContentsField.
  void add(std::string_view id, std::string_view text) {
    add(id);
    add_field(kContentsField, text);
  }

  std::size_t size() const { return documents_.size(); }
  /// Document number `i` (< size()) of the batch.
  Document operator[](std::size_t i) const {
    const bool last = i + 1 == size();
    const std::size_t field = documents_[i].first_field;
    const std::size_t term = documents_[i].first_term;
    const std::size_t fields_end = last ? fields_.size() : documents_[i + 1].first_field;
    const std::size_t terms_end = last ? terms_.size() : documents_[i + 1].first_term;
    const std::size_t value = documents_[i].first_value;
    const std::size_t values_end = last ? values_.size() : documents_[i + 1].first_value;
    return {documents_[i].id, std::span(fields_).subspan(field, fields_end - field),
            std::span(terms_).subspan(term, terms_end - term),
            std::span(values_).subspan(value, values_end - value)};
  }

  std::uint64_t skipped = 0;  ///< malformed records that were passed over
  /// Well-formed records that are not documents by the rules of the format, such as redirects.
  std::uint64_t left_out = 0;
  /// Files that could not be read to their ends, each with the reason. They count in `skipped`,
  /// too.
  std::vector<std::string> broken_files = {};

 private:
  struct Entry {
    std::string_view id;
    std::size_t first_field;
    std::size_t first_term;
    std::size_t first_value;
    std::size_t file = 0;  ///< in files_, from 1; 0: not known
    std::uint64_t line = 0;
  };
  std::vector<Entry> documents_;
  std::vector<TextField> fields_;    ///< of all documents
  std::vector<WeightedTerm> terms_;  ///< of all documents
  std::vector<FieldText> values_;    ///< of all documents
  std::vector<std::shared_ptr<const std::string>> files_;
};

/// A source of documents. Implemented by corpora/.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next piece of input, about a megabyte; null at the end. Called by one thread at a time.
  virtual std::unique_ptr<RawBatch> read() = 0;
  /// Parses a piece that read() returned. Must be thread-safe. Throws InputError at a malformed
  /// record if the source is to stop there; otherwise counts the record as skipped.
  virtual std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const = 0;
  /// Bytes of input that were read so far. Must be thread-safe.
  virtual std::uint64_t bytes_read() const = 0;
  /// Bytes of the whole input; 0 if the number is unknown. Must be thread-safe.
  virtual std::uint64_t bytes_total() const = 0;
};

struct BuildReport;

struct BuildOptions {
  WriteOptions write = {};
  /// The parts of documents (Document::fields) that are the main text, by name and in this order;
  /// empty: all parts in the order of the document. A document may lack parts. The main text is
  /// indexed, and stored if WriteOptions::store_text says so, with a line end between two parts.
  /// The names are recorded as WriteOptions::contents.
  std::vector<std::string> fields = {};
  /// A second source for the values of the schema's fields: the i-th document of `rows` has, in its
  /// `values`, those of the i-th document that is indexed. Its other members are ignored. The build
  /// reads `rows` first, and to the end. If the source of documents skips records, rows and
  /// documents no longer match. nullptr: the documents have the values. The source must outlive the
  /// build.
  DocumentSource* rows = nullptr;
  /// True: a document replaces the document with its id, in the index or earlier in the source,
  /// which is deleted. False: an id that occurs again is an error.
  bool update = false;
  /// Peak memory of the build in bytes, at least 64 MiB. A part of it is for a run:
  /// dictionary, postings, ids and lengths. When the part is full, dictionary and postings are
  /// written to disk as a sorted run. Ids and lengths stay in memory: up to 56 bytes per document,
  /// and 12 more per text field, with positions 12 more per text. The build throws UsageError if
  /// these alone need more than three quarters of the part. Two things are not bounded: a large
  /// record takes 2 to 3 times its text while it is parsed and inverted (sources limit records to
  /// record_limit()), 5 times with positions, and a posting list that is longer than the budget
  /// allows for takes 30 bytes per posting, and 6 per position.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  /// Threads of the build; 0: one per core. Never more than cores, and never more than one per 64
  /// MiB of `memory`, except that two are always allowed.
  unsigned threads = 0;
  /// A stop request ends the build with CancelledError within a fraction of a second, at every
  /// stage. Once the new manifest is being written, the build completes instead.
  std::stop_token stop = {};
  /// After this time the build ends with DeadlineError, in the way of a stop request. A source that
  /// waits for input needs a stop token of its own.
  Deadline deadline = kNoDeadline;
  /// Called once, after all documents and lists were added and before the commit, which encodes the
  /// columns. May delete documents (IndexWriter::remove()). The report lacks its statistics,
  /// fallbacks and seconds.
  std::function<void(IndexWriter& writer, const BuildReport& report)> before_commit = {};
  /// Called after much memory was freed. A program may then return it to the system (glibc:
  /// malloc_trim()), which small blocks of many threads otherwise prevent. The library never does.
  std::function<void()> memory_freed = {};
  /// Called from time to time, by one thread at a time, with a stage and its progress (done, total;
  /// total is 0 if unknown). An exception from it ends the build and is passed on.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct BuildReport {
  Statistics statistics = {};    ///< of the index, with all its segments and deleted documents
  std::uint64_t deleted = 0;     ///< documents of the index that are deleted, until they are merged
  std::uint64_t text_bytes = 0;  ///< bytes of the documents' main texts
  std::uint64_t skipped = 0;     ///< malformed records that were skipped, also those of rows
  std::uint64_t left_out = 0;    ///< well-formed records that are not documents
  /// Files that could not be read to their ends, each with the reason, where the source passes them
  /// over. Each counts in `skipped`, too. The index lacks documents that these files have.
  std::vector<std::string> broken_files = {};
  std::uint64_t empty_documents = 0;  ///< documents without any term (they have a docid)
  std::uint64_t replaced = 0;         ///< documents that were deleted by an update
  std::uint64_t runs = 0;             ///< sorted runs that were written to disk
  /// Fields whose values their codec cannot encode.
  std::vector<CodecFallback> fallbacks = {};
  double seconds = 0;  ///< wall time

  /// Documents of the index that can be found.
  std::uint64_t live_documents() const { return statistics.documents - deleted; }
};

/// The largest record, in bytes, for which a build with so much memory has room: memory / 32, but
/// at least 4 MiB. Readers of documents need this limit, since compressed input may expand to
/// records of any size.
std::size_t record_limit(std::uint64_t memory);

/// Builds an index in `directory` from all documents of `source`, as one segment, and commits it.
/// Returns when the index is complete. An exception leaves the directory as it was, unless it comes
/// after the manifest was replaced (IndexWriter::commit()). The bytes of the index depend on the
/// documents and the options alone, not on threads, memory or timing.
///
/// Throws InputError for an id that occurs twice (unless `update` is set), with the place of the
/// second document if the source says it, for a malformed value of
/// a field (sources that skip malformed records find it by FieldCheck), and if the numbers of rows
/// and documents differ. Throws UsageError if `memory` is too small; for rows without a schema,
/// with text fields in the schema, or with documents that have values; for text fields in an index
/// of impacts; if some documents have ids and others do not. Throws what the sources, Analyzer and
/// IndexWriter throw, CancelledError and DeadlineError.
BuildReport build_index(DocumentSource& source, const std::filesystem::path& directory,
                        const BuildOptions& options);

/// Builds an index from posting lists, as build_index() builds one from documents. The analyzer in
/// `options` is recorded, but not applied. Values of fields come from BuildOptions::rows alone. All
/// terms of the source are in memory together, in addition to BuildOptions::memory.
///
/// Throws UsageError for a schema without rows, more than 2^29 documents, terms that are empty or
/// occur twice, and postings that are malformed; InputError for an id that occurs twice. Throws
/// what the source throws, and for rows, options and writing what build_index() throws.
BuildReport build_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                           const BuildOptions& options);

}  // namespace gannet::index
