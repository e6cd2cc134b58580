// Writing an index: its segments, then the manifest, which makes the commit.
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

/// Writes a new index into a directory, or appends segments to the index that is there. Not
/// thread-safe; several threads may call const functions at the same time.
///
/// Order of calls: for each segment add_document() for every document, then add_list() for every
/// term in strictly ascending bytewise order of their keys; next_segment() between two segments; at
/// last commit(). Readers see nothing before commit(), which replaces the manifest. If the process
/// is killed before, the old index stays as it was, and the next writer removes the files left
/// behind. A lock file allows one writer at a time per directory.
///
/// All functions that write throw IoError, CancelledError after a stop request
/// (WriteOptions::stop), and UsageError for arguments that do not fit. After an exception other
/// than the CancelledError of a call that had not begun, and after commit(), further calls of these
/// functions throw UsageError.
class IndexWriter {
 public:
  /// Takes the lock of the directory, unless the options hold it, and makes the directory if it
  /// does not exist. Throws UsageError if `options` are out of range, if another writer holds the
  /// lock, if the directory has files that no index writer made, lies in another index, or has an
  /// index and the options allow neither to replace it nor to append. When appending, throws what
  /// Index::open() throws, and UsageError if the options differ from those of the
  /// index (but for codecs that WriteOptions allows). Throws IoError, also when replacing, if the
  /// generation of the index is not WriteOptions::generation.
  IndexWriter(std::filesystem::path directory, WriteOptions options);
  /// Removes all files of the writer that no commit made part of an index. If another writer has
  /// changed the directory meanwhile, it leaves them to the next writer. In a process that was
  /// forked from the one that made the writer, does nothing.
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  const codecs::ListCodec& docid_codec() const;
  const codecs::ListCodec& freq_codec() const;
  /// A directory for temporary files, such as sorted runs; the destructor removes it.
  const std::filesystem::path& scratch() const;

  /// Appends a document. `length` is that of the main text in tokens. `text` is stored only with
  /// WriteOptions::store_text. Throws UsageError if the segment has 2^29 documents or a list
  /// already, or if only some of its documents have an id (`id` is empty for documents without
  /// ids).
  void add_document(std::string_view id, std::uint32_t length, std::string_view text = {});
  /// Lengths of the main text of the segment's documents added so far. The view is valid until the
  /// next add_document(). Not to be called after commit().
  std::span<const std::uint32_t> document_lengths() const;
  /// Lengths, for the documents added so far, of the text to which a term belongs; `term` is the
  /// term's key in the lexicon (fields/text_terms.hpp). Throws UsageError for a key that begins
  /// like that of a text field and is not one.
  std::span<const std::uint32_t> lengths_for(std::string_view term) const;
  /// Whether the segment's lists have positions (WriteOptions::positions).
  bool has_positions() const;
  /// Says the span of a text of the next document that has none yet (Segment::text_spans()). `text`
  /// is kMainText or the number of a text field. A text of which no document of the segment gets a
  /// span has its lengths as such. Does nothing without positions. Throws UsageError for a field
  /// that is no text.
  void add_span(std::uint32_t text, std::uint32_t span);
  /// Spans, for the documents added so far, of the text to which a term belongs, as lengths_for()
  /// has lengths. Throws UsageError if some documents have none.
  std::span<const std::uint32_t> spans_for(std::string_view term) const;
  /// Appends a posting list, encoded with docid_codec() and freq_codec(). Throws UsageError if the
  /// term does not ascend, or if the list is not a valid one of this segment's documents, with
  /// positions if has_positions().
  void add_list(const EncodedList& list);
  /// The collector that takes the values of the segment's fields; nullptr if the schema is empty. A
  /// document whose values are not added before the segment ends has no fields. The pointer is
  /// valid until next_segment() or commit(). The function is for parts of the library:
  /// FieldCollector is not public.
  FieldCollector* fields();

  /// The index to which the writer appends, as it was before; nullptr for a new index.
  const Index* kept() const;
  /// kept() as a shared pointer, for callers that need the index longer than the writer.
  std::shared_ptr<const Index> shared_kept() const;

  /// Makes the current segment replace the segments first .. first + count - 1 of kept(), count >=
  /// 1. Without this call the segment comes after all segments of kept(). Throws UsageError if
  /// there are no such segments, one of them was replaced before, or a document was deleted;
  /// VersionError if the manifest has members that this version does not know.
  void replace(std::size_t first, std::size_t count);

  /// Deletes a document of kept() or a document that was added. Documents are numbered through all
  /// segments, those of kept() first. After commit() no answer contains the document. Deleting a
  /// document twice has no effect. Throws UsageError if there is no such document, or if a segment
  /// was replaced.
  void remove(Docid docid);

  /// Finishes the current segment, encodes its columns, and begins a new one, whose documents are
  /// numbered from 0. The memory in use is that of one segment at a time. Throws InputError if a
  /// field has two values that no column can hold together (is_storable()).
  void next_segment();

  /// Finishes the current segment, syncs all files, replaces the manifest by a rename and syncs the
  /// directory. Returns the statistics of all segments. When appending, a current segment without
  /// documents is left out; if nothing else changed, nothing is written. Throws what next_segment()
  /// throws, UsageError if the index would exceed its limits (files/limits.hpp), and IoError: the
  /// old index is then intact, unless only the last sync failed and the new index is in its place.
  Statistics commit();
  /// Columns of the finished segments that the codec of their field cannot encode, the first one
  /// for each field.
  const std::vector<CodecFallback>& fallbacks() const;
  /// The number of finished segments, those of kept() included; after commit() the number of
  /// segments of the index.
  std::size_t segments() const;
  /// After commit(): the documents of the index that are deleted and not yet merged away. They
  /// count in the statistics.
  std::uint64_t deleted_documents() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
