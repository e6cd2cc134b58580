// The documents' text, for display: one long text, cut into blocks of 64 KiB that are compressed
// with zstd each on its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "index/documents/recent_block.hpp"
#include "index/files/container/container.hpp"
#include "index/files/spool.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Writes a text file. Blocks are compressed in parallel, two megabytes at a time. Not thread-safe.
class StoredTextWriter {
 public:
  /// `scratch`: a directory for temporary files.
  StoredTextWriter(const std::filesystem::path& path, const std::filesystem::path& scratch);

  void add(std::string_view text);
  FileSummary finish();
  void publish_new() { file_.publish_new(); }

 private:
  void compress_pending();

  ContainerWriter file_;
  Spool document_offsets_;
  Spool block_offsets_;
  std::string pending_;
  std::uint64_t text_bytes_ = 0;
  std::uint64_t compressed_bytes_ = 0;
};

/// A mapped text file. Immutable, safe from any number of threads.
class StoredText {
 public:
  /// Checks that there are offsets for `documents` documents; what they say is checked when they
  /// are used.
  StoredText(std::filesystem::path path, MappedFile file, std::uint64_t documents);

  std::uint64_t documents() const { return document_offsets_.size() - 1; }
  std::uint64_t blocks() const { return block_offsets_.size() - 1; }
  /// A document's text. `docid` must be < documents(). Throws FormatError if a block cannot be
  /// decompressed.
  std::string text(Docid docid) const { return text(docid, recent_); }
  /// The same for a thread that reads texts in order with a block of its own, beside others.
  std::string text(Docid docid, RecentBlock& recent) const;
  /// Its length in bytes. Throws FormatError if it is not in the file.
  std::uint64_t length(Docid docid) const;
  /// Decompresses one block (< blocks()), or throws FormatError.
  std::string block(std::uint64_t number) const;
  /// Throws FormatError unless all offsets are in order.
  void check_tables() const;
  const ContainerReader& file() const { return file_; }

 private:
  std::uint64_t text_bytes() const { return document_offsets_.back(); }

  mutable RecentBlock recent_;

  ContainerReader file_;
  std::span<const std::byte> blocks_;
  std::span<const std::uint64_t> block_offsets_;
  std::span<const std::uint64_t> document_offsets_;
};

}  // namespace gannet::index
