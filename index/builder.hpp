// Building an index from documents: parallel inversion within a memory budget.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/index_writer.hpp"
#include "index/inverted_source.hpp"

namespace gannet::index {

/// One document of a batch. Views stay valid as long as the batch.
struct Document {
  std::string_view id;
  std::string_view text;
};

/// A piece of the input, cut at record boundaries but not yet parsed.
struct RawBatch {
  virtual ~RawBatch() = default;
};

/// What a parsed batch holds.
struct ParsedBatch {
  virtual ~ParsedBatch() = default;
  std::vector<Document> documents;
  std::uint64_t skipped = 0;  ///< malformed records that were passed over
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

struct BuildOptions {
  WriteOptions write;
  /// Peak memory of the build in bytes, at least 64 MB (UsageError below). Dictionary and postings
  /// go to disk as sorted runs when it is used up. An id takes up to 32 bytes, a document's length
  /// up to 12: if these alone exceed the budget, that is a UsageError. Not bounded: what one
  /// record, or one posting list longer than the budget allows for, takes while it is worked on (2
  /// to 3 times its text; 30 bytes a posting).
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;  ///< 0: all cores. At most one for every 64 MB of `memory`, but two always
  /// Ends the build with CancelledError within a fraction of a second, whatever it is at; but once
  /// the new manifest is being written, the build is completed.
  std::stop_token stop;
  /// Called now and then, from one thread at a time, with a stage and its progress (done, total;
  /// total 0 if unknown); an exception thrown from it cancels the build.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress;
};

struct BuildReport {
  Statistics statistics;
  std::uint64_t text_bytes = 0;       ///< bytes of document text analysed
  std::uint64_t skipped = 0;          ///< malformed records passed over
  std::uint64_t empty_documents = 0;  ///< documents without any term (they keep their docid)
  std::uint64_t runs = 0;             ///< sorted runs spilled to disk
  double seconds = 0;
};

/// Builds an index in `directory` from all of `source`. The bytes written depend on the documents
/// and the options alone, not on threads, memory or timing. Documents whose id was seen before are
/// an error (UsageError). Throws what the source and the writer throw.
BuildReport build_index(DocumentSource& source, const std::filesystem::path& directory,
                        const BuildOptions& options);

/// Builds an index from posting lists. The analyzer in `options` is recorded, not applied. Throws
/// UsageError for terms or external ids that occur twice, and what the source and the writer throw.
BuildReport build_inverted(const InvertedSource& source, const std::filesystem::path& directory,
                           const BuildOptions& options);

}  // namespace gannet::index
