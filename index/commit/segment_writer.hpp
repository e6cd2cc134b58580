// Writing one segment: documents, lists, lexicon. What makes segments an index is index_writer.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/registry.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/fields/schema.hpp"
#include "index/lists/encode_list.hpp"

namespace gannet::index {

struct SegmentRecord;
class FieldCollector;

/// Where and how a segment is written.
struct SegmentOptions {
  std::filesystem::path directory = {};
  std::filesystem::path scratch = {};  ///< a directory for temporary files
  std::string name = {};               ///< files are called name.kind
  const codecs::ListCodec* docid_codec = nullptr;
  const codecs::ListCodec* freq_codec = nullptr;
  bool store_text = false;
  bool positions = false;
  Schema schema = {};
  std::stop_token stop = {};  ///< ends finish() with CancelledError
};

/// Writes the files of one segment. Not thread-safe.
///
/// Order of calls: add_document() for every document, then add_list() for every term in strictly
/// ascending bytewise order, then finish(). No index refers to the files before a manifest does.
/// After a call that threw, nothing but destruction may follow.
class SegmentWriter {
 public:
  explicit SegmentWriter(SegmentOptions options);
  /// Removes the files, unless the record was taken by keep().
  ~SegmentWriter();
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  /// Appends a document. `id` may be empty for all documents (then docids are their names). `text`
  /// is kept only with store_text.
  void add_document(std::string_view id, std::uint32_t length, std::string_view text = {});
  /// Lengths of the documents added so far.
  std::span<const std::uint32_t> document_lengths() const;
  /// IndexWriter::lengths_for().
  std::span<const std::uint32_t> lengths_for(std::string_view term) const;
  /// IndexWriter::add_span().
  void add_span(std::uint32_t text, std::uint32_t span);
  /// IndexWriter::spans_for().
  std::span<const std::uint32_t> spans_for(std::string_view term) const;
  void add_list(const EncodedList& list);
  /// IndexWriter::fields().
  FieldCollector* fields();

  /// Completes and syncs the files and gives them their names; the directory is not synced. Returns
  /// what a manifest says of them, with docid base 0.
  const SegmentRecord& finish();
  /// After finish(): columns that their field's codec could not code.
  const std::vector<CodecFallback>& fallbacks() const;
  /// The files stay.
  void keep();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
