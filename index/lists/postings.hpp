// The posting lists of a segment: the list table, with short lists in it, and for the others
// encoded words and per tile of 128 postings the last docid and bounds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "index/files/container/container.hpp"
#include "index/files/spool.hpp"
#include "index/lists/encode_list.hpp"
#include "index/lists/list_table.hpp"
#include "index/manifest/manifest.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Writes a postings file. Words go to the file as they come; the tables are set aside. Not
/// thread-safe.
class PostingsWriter {
 public:
  /// `scratch`: a directory for temporary files.
  PostingsWriter(const std::filesystem::path& path, const std::filesystem::path& scratch,
                 const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec);

  /// Appends a list of docids < `documents`. Throws UsageError if the list contradicts itself or
  /// was not encoded with this writer's codecs.
  void add(const EncodedList& list, std::uint64_t documents);
  std::uint64_t postings() const { return postings_; }
  FileSummary finish();
  void publish_new() { file_.publish_new(); }

 private:
  void begin_row();
  void add_tiles(const EncodedList& list);

  const codecs::ListCodec* docid_codec_;
  const codecs::ListCodec* freq_codec_;
  ContainerWriter file_;
  Spool rows_;
  Spool blocks_;
  Spool skips_;
  Spool max_freqs_;
  Spool min_lengths_;
  std::uint64_t lists_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t tiles_ = 0;
  std::uint64_t postings_ = 0;
};

/// A mapped postings file. Immutable, safe from any number of threads.
class Postings {
 public:
  /// Checks that the sections fit each other; looks at no list.
  Postings(std::filesystem::path path, MappedFile file, const SegmentRecord& segment);

  const ListTable& table() const { return table_; }
  /// A list whose words, skips and bounds lie inside the file; what they hold is not known to be
  /// sound. Throws FormatError, without the file's name, if its row is damaged.
  PostingList list(const ListRow& row) const;
  PostingList list(TermId id) const { return list(table_.row(id)); }
  /// What is wrong with the bytes of such a list, or nothing: then they are those that were
  /// written.
  std::optional<std::string> damage(const PostingList& list) const;
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const std::uint32_t> skips() const { return skips_; }
  std::span<const std::uint16_t> max_freqs() const { return max_freqs_; }
  std::span<const std::uint16_t> min_lengths() const { return min_lengths_; }
  const ContainerReader& file() const { return file_; }

 private:
  const codecs::ListCodec& codec_of(const ListRow& row, std::uint32_t stream) const;

  ContainerReader file_;
  std::uint64_t documents_;
  std::vector<const codecs::ListCodec*> codecs_;  ///< of the streams
  std::span<const std::uint32_t> words_, skips_;
  std::span<const std::uint16_t> max_freqs_, min_lengths_;
  ListTable table_;
};

}  // namespace gannet::index
