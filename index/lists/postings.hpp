// The posting lists of a segment: encoded words, a table of the lists, and per tile of 128 postings
// the last docid, the largest term frequency and the shortest document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/registry.hpp"
#include "index/files/container.hpp"
#include "index/index.hpp"
#include "index/inversion/runs/spool.hpp"
#include "index/segment_writer.hpp"

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
  void publish() { file_.publish(); }

 private:
  const codecs::ListCodec* docid_codec_;
  const codecs::ListCodec* freq_codec_;
  ContainerWriter file_;
  Spool table_;
  Spool skips_;
  Spool max_freqs_;
  Spool min_lengths_;
  std::uint64_t words_ = 0;
  std::uint64_t tiles_ = 0;
  std::uint64_t postings_ = 0;
};

/// A mapped postings file. Immutable, safe from any number of threads.
class Postings {
 public:
  /// Checks the list table against the sections' sizes and `statistics`; after that, list() is safe
  /// for all terms, but what its words hold is not known to be sound: check_list() says so.
  Postings(std::filesystem::path path, MappedFile file, const Statistics& statistics,
           const codecs::ListCodec& docid_codec, const codecs::ListCodec& freq_codec);

  PostingList list(TermId id) const;
  std::span<const ListEntry> table() const { return table_; }
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const std::uint32_t> skips() const { return skips_; }
  std::span<const std::uint32_t> max_freqs() const { return max_freqs_; }
  std::span<const std::uint32_t> min_lengths() const { return min_lengths_; }

  /// What is wrong with a list such that decoding it would be unsafe, or nothing. Reads endpoints,
  /// headers and skips, not the values. `documents`: number of documents of the segment.
  std::optional<std::string> check_list(TermId id) const;
  const ContainerReader& file() const { return file_; }

 private:
  void check_table(const Statistics& statistics) const;

  ContainerReader file_;
  std::uint64_t documents_;
  const codecs::ListCodec* docid_codec_;
  const codecs::ListCodec* freq_codec_;
  std::span<const ListEntry> table_;
  std::span<const std::uint32_t> words_, skips_, max_freqs_, min_lengths_;
};

/// What is wrong with the last docids of the tiles of a list of `count` docids < `documents`, or
/// nothing.
std::optional<std::string> check_skips(std::span<const std::uint32_t> skips, std::uint32_t count,
                                       std::uint64_t documents);

}  // namespace gannet::index
