// Writing an index: its segments, then the manifest that makes them an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/codec_fallback.hpp"
#include "index/index.hpp"
#include "index/lists/encode_list.hpp"
#include "index/write_options.hpp"

namespace gannet::index {

class FieldCollector;  // index/fields/build/field_collector.hpp

/// Writes a new index into a directory, or appends to the one that is there. Not thread-safe.
///
/// Order of calls: for each segment add_document() for every document, then add_list() for every
/// term in strictly ascending bytewise order; next_segment() between two of them; then commit().
/// Nothing is visible before commit(), which syncs the files, renames them and replaces the
/// manifest; a process killed before leaves the old index as it was, and the next writer removes
/// what was left behind. Only one writer at a time holds a directory (a lock file).
class IndexWriter {
 public:
  IndexWriter(std::filesystem::path directory, WriteOptions options);
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  const codecs::ListCodec& docid_codec() const;
  const codecs::ListCodec& freq_codec() const;
  /// A directory for the builder's temporary files (spilled runs); removed with the writer.
  const std::filesystem::path& scratch() const;

  /// Appends a document. `id` may be empty for all documents (then docids are their names). `text`
  /// is kept only with store_text.
  void add_document(std::string_view id, std::uint32_t length, std::string_view text = {});
  /// Lengths of the segment's documents added so far.
  std::span<const std::uint32_t> document_lengths() const;
  /// Lengths of the text that a term is of, of the documents added so far. The term's key may be
  /// that of a text field (fields/text_terms.hpp).
  std::span<const std::uint32_t> lengths_for(std::string_view term) const;
  void add_list(const EncodedList& list);
  /// Where the values of the segment's fields go; nullptr if the schema has none. A document whose
  /// values are not added by the time the segment ends has no field.
  FieldCollector* fields();

  /// The index that is appended to, as it is; nullptr if there is none.
  const Index* kept() const;
  /// kept() as a shared pointer, for callers that need it for longer.
  std::shared_ptr<const Index> shared_kept() const;

  /// The segment that is being written takes the place of segments [first, first + count) of
  /// kept(), count >= 1, none of which was replaced before; else it comes behind them all. Throws
  /// UsageError for segments that there are not.
  void replace(std::size_t first, std::size_t count);

  /// Deletes a document: of those that are kept, or one that was added; documents are numbered
  /// through all segments, those of kept() first. It is left out of all answers from commit() on.
  /// What is deleted already stays so. Throws UsageError for one that there is not, and where
  /// segments are replaced.
  void remove(Docid docid);

  /// What follows belongs to a new segment: its documents are numbered from 0, its terms start
  /// anew. At any moment as much memory is in use as one segment takes.
  void next_segment();

  /// Makes the index visible, and returns the statistics of all its segments. Appending, a last
  /// segment without documents is left out, and nothing is written if there is nothing else new.
  /// Throws
  /// IoError (disk full: the old index is intact).
  Statistics commit();
  /// Columns of the finished segments that their field's codec could not code; one a field.
  const std::vector<CodecFallback>& fallbacks() const;
  /// How many segments are finished: after commit() those of the index.
  std::size_t segments() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
