// Writing an index: one segment's lists, documents and lexicon, then the manifest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/registry.hpp"
#include "index/index.hpp"

namespace gannet::index {

struct WriteOptions {
  const codecs::ListCodec* docid_codec = nullptr;  ///< nullptr: gpu-bp128
  const codecs::ListCodec* freq_codec =
      nullptr;  ///< nullptr: the docid codec, or gpu-bp128 for gpu-dfor
  AnalyzerConfig analyzer;
  ScoringDefaults defaults;
  bool overwrite =
      false;  ///< replace an index that is already there (it stays intact until the end)
  bool store_text = false;  ///< keep documents' text, compressed, for display
  /// Ends add_document(), add_list() and commit() with CancelledError; but once the manifest is
  /// being written, commit() completes.
  std::stop_token stop;
};

/// One encoded posting list, ready to be appended to a segment. Made on any thread by
/// encode_list().
struct EncodedList {
  std::string term;
  std::uint64_t collection_frequency = 0;
  std::uint32_t count = 0;
  std::uint32_t docid_words = 0;  ///< how many of `words` are docids; the rest are frequencies
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> skips, max_freqs, min_lengths;  ///< one per tile
};

/// Encodes one list. `docids` strictly ascending and < lengths.size(), `freqs` >= 1, same length
/// >= 1. Throws UsageError otherwise. Thread-safe.
EncodedList encode_list(std::string term, std::span<const Docid> docids,
                        std::span<const std::uint32_t> freqs,
                        std::span<const std::uint32_t> lengths,
                        const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec);

/// Writes a new index (one segment) into a directory. Not thread-safe.
///
/// Order of calls: add_document() for every document, then add_list() for every term in strictly
/// ascending bytewise order, then commit(). Nothing is visible before commit(), which syncs the
/// files, renames them and replaces the manifest; a process killed before leaves the old index as
/// it was, and the next writer removes what was left behind. Only one writer at a time holds a
/// directory (a lock file).
class SegmentWriter {
 public:
  SegmentWriter(std::filesystem::path directory, WriteOptions options);
  ~SegmentWriter();
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  const codecs::ListCodec& docid_codec() const;
  const codecs::ListCodec& freq_codec() const;
  /// A directory for the builder's temporary files (spilled runs); removed with the writer.
  const std::filesystem::path& scratch() const;

  /// Appends a document. `id` may be empty for all documents (then docids are their names). `text`
  /// is kept only with store_text.
  void add_document(std::string_view id, std::uint32_t length, std::string_view text = {});
  /// Lengths of the documents added so far.
  std::span<const std::uint32_t> document_lengths() const;

  void add_list(const EncodedList& list);

  /// Makes the index visible. Throws IoError (disk full: the old index is intact).
  Statistics commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
