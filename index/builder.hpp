// Building an index from documents: parallel inversion within a memory budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
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

/// A part of a document with a name of its own: "title", "contents". Views, like Document.
struct TextField {
  std::string_view name = {};
  std::string_view text = {};
};

/// A term that needs no analysis, with its weight in the document.
struct WeightedTerm {
  std::string_view term = {};
  std::uint32_t weight = 1;  ///< >= 1
};

/// One document of a batch. Views stay valid as long as the batch, and until it gets another
/// document.
struct Document {
  std::string_view id = {};
  std::span<const TextField> fields = {};  ///< names may occur several times
  /// Besides the terms of the fields; the weights of a term add up to its frequency, and all
  /// weights to the document's length, below 2^32. Only with the tokenizer "verbatim".
  std::span<const WeightedTerm> terms = {};
  /// Values of the fields of the schema (WriteOptions::schema), in any order; a field without one
  /// is missing. Of a field with several, equal values count once.
  std::span<const FieldText> values = {};
};

/// A piece of the input, cut at record boundaries but not yet parsed.
struct RawBatch {
  virtual ~RawBatch() = default;
  /// Its bytes of memory, about. One of more than kLargeBatch is worked on alone, so that several
  /// large records are not in memory together. 0: it is not large.
  virtual std::size_t memory() const { return 0; }
};
inline constexpr std::size_t kLargeBatch = std::size_t{4} << 20;

/// What a parsed batch holds. Sources derive from it to keep the bytes that views point to.
class ParsedBatch {
 public:
  virtual ~ParsedBatch() = default;

  /// Adds a document without fields.
  void add(std::string_view id) {
    documents_.push_back({id, fields_.size(), terms_.size(), values_.size()});
  }
  /// Adds a field to the document added last.
  void add_field(std::string_view name, std::string_view text) { fields_.push_back({name, text}); }
  /// Adds a weighted term to the document added last.
  void add_term(std::string_view term, std::uint32_t weight) { terms_.push_back({term, weight}); }
  /// Adds a value of field `field` of the schema to the document added last.
  void add_value(std::uint32_t field, std::string_view text) { values_.push_back({field, text}); }
  /// Adds a document with one field, kContentsField.
  void add(std::string_view id, std::string_view text) {
    add(id);
    add_field(kContentsField, text);
  }

  std::size_t size() const { return documents_.size(); }
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
  /// Sound records that are no documents by the format's own rules, as redirects are.
  std::uint64_t left_out = 0;

 private:
  struct Entry {
    std::string_view id;
    std::size_t first_field;
    std::size_t first_term;
    std::size_t first_value;
  };
  std::vector<Entry> documents_;
  std::vector<TextField> fields_;    ///< of all documents
  std::vector<WeightedTerm> terms_;  ///< of all documents
  std::vector<FieldText> values_;    ///< of all documents
};

/// Where documents come from. Implemented by corpora/.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next piece of input, about a megabyte, or null at the end. Called by one thread at a time.
  virtual std::unique_ptr<RawBatch> read() = 0;
  /// Parses a piece. Thread-safe. Throws InputError at a malformed record if that is the policy.
  virtual std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const = 0;
  /// Bytes of input consumed so far and in all (0 if unknown), for progress bars. Thread-safe.
  virtual std::uint64_t bytes_read() const = 0;
  virtual std::uint64_t bytes_total() const = 0;
};

struct BuildReport;

struct BuildOptions {
  WriteOptions write = {};
  /// The text fields to index, by name and in this order; empty: all, in the order of the document.
  /// Their terms become those of one text, and it is this text that is stored, with line ends
  /// between the fields. A document may lack fields.
  std::vector<std::string> fields = {};
  /// Where the values of the schema's fields come from if not from the documents: the i-th of
  /// `rows` has those of the i-th document that is indexed, in its `values`; nothing else of it is
  /// looked at. Read first, and to the end. A source of documents that passes over records gets out
  /// of step with them. nullptr: from the documents. Must stay as long as the build runs.
  DocumentSource* rows = nullptr;
  /// A document whose id is there already takes the place of the one that has it, which is deleted:
  /// of those of the source, the last one stays. Else such an id is an error.
  bool update = false;
  /// Peak memory of the build in bytes, at least 64 MB (UsageError below). Dictionary and postings
  /// go to disk as sorted runs when it is used up. An id takes up to 40 bytes, a document's length
  /// up to 16: if these alone exceed the budget, that is a UsageError. Not bounded: what one large
  /// record takes while it is worked on (2 to 3 times its text; sources bound records, and
  /// record_limit() says to what), and one posting list longer than the budget allows for (30 bytes
  /// a posting).
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;  ///< 0: all cores. At most one for every 64 MB of `memory`, but two always
  /// Ends the build with CancelledError within a fraction of a second, whatever it is at; but once
  /// the new manifest is being written, the build is completed.
  std::stop_token stop = {};
  /// Once it has passed, the build ends with DeadlineError, as after a stop request. What a source
  /// waits for, its own token ends.
  Deadline deadline = kNoDeadline;
  /// Called when all is written, before the commit: may delete documents (IndexWriter::remove()).
  /// The report has all but the statistics and the seconds.
  std::function<void(IndexWriter& writer, const BuildReport& report)> before_commit = {};
  /// Called after much memory was freed: a program may give it back to the system then (glibc:
  /// malloc_trim), which small blocks of many threads else keep it from. The library never does.
  std::function<void()> memory_freed = {};
  /// Called now and then, from one thread at a time, with a stage and its progress (done, total;
  /// total 0 if unknown); an exception thrown from it cancels the build.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct BuildReport {
  Statistics statistics = {};
  std::uint64_t text_bytes = 0;       ///< bytes of document text analysed
  std::uint64_t skipped = 0;          ///< malformed records passed over
  std::uint64_t left_out = 0;         ///< sound records that are no documents, as redirects
  std::uint64_t empty_documents = 0;  ///< documents without any term (they keep their docid)
  std::uint64_t replaced = 0;         ///< documents that were deleted for others with their ids
  std::uint64_t runs = 0;             ///< sorted runs spilled to disk
  /// Fields whose values their codec could not code.
  std::vector<CodecFallback> fallbacks = {};
  double seconds = 0;
};

/// Bytes of a record, at most, that a build in so much memory has room for: a 32nd, at least 4 MB.
/// Readers of documents ask it, since compressed input may unfold to records of any length.
std::size_t record_limit(std::uint64_t memory);

/// Builds an index in `directory` from all of `source`. The bytes written depend on the documents
/// and the options alone, not on threads, memory or timing. Documents whose id was seen before are
/// an error (InputError) unless it is an update, and so are values that are none of their fields (a
/// source that is to skip such records finds them itself, by FieldCheck). With rows,
/// as many as there are documents (else InputError that tells both numbers); documents with values
/// of their own are a UsageError then, and so are rows without a schema. Throws what sources and
/// writer throw.
BuildReport build_index(DocumentSource& source, const std::filesystem::path& directory,
                        const BuildOptions& options);

/// Builds an index from posting lists. The analyzer in `options` is recorded, not applied. Throws
/// UsageError for a schema without rows, from which alone there can be values, and for terms that
/// occur twice, InputError for external ids that do, what build_index() throws of rows, and what
/// sources and writer throw.
BuildReport build_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                           const BuildOptions& options);

}  // namespace gannet::index
