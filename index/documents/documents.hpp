// What a segment knows of its documents: lengths, and if the collection has any, external ids,
// which are found by docid and docids by id.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/documents/id_lookup.hpp"
#include "index/files/container/container.hpp"
#include "index/lexicon/front_coding.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Writes a documents file. Of a document, 8 bytes stay in memory; its id does not. Not
/// thread-safe.
class DocumentsWriter {
 public:
  /// `scratch`: a directory for temporary files.
  DocumentsWriter(const std::filesystem::path& path, const std::filesystem::path& scratch);

  /// Either all documents have an id or none has one; UsageError otherwise.
  void add(std::string_view id, std::uint32_t length);
  std::span<const std::uint32_t> lengths() const { return lengths_; }
  std::uint64_t tokens() const { return tokens_; }
  FileSummary finish();
  void publish_new() { file_.publish_new(); }

 private:
  ContainerWriter file_;
  FrontCodingWriter ids_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint32_t> hashes_;  ///< of ids
  std::uint64_t tokens_ = 0;
  bool has_ids_ = false;
};

/// A mapped documents file. Immutable, safe from any number of threads.
class Documents {
 public:
  /// Checks that there are `documents` lengths and room for as many ids; reads none.
  Documents(std::filesystem::path path, MappedFile file, std::uint64_t documents);

  /// The first time, all of them are checked.
  std::span<const std::uint32_t> lengths() const {
    if (!lengths_known_.load(std::memory_order_relaxed)) check_lengths();
    return lengths_;
  }
  /// The external id; the docid in decimal if there are none. `docid` must be < lengths().size().
  std::string id(Docid docid) const;
  bool has_ids() const { return ids_.size() != 0; }
  /// Appends the docids of the documents that have this id, ascending. A microsecond, about. Throws
  /// FormatError for damaged tables.
  void find(std::string_view id, std::vector<Docid>& found) const;
  /// Whether each document is found by its id, and nothing else. Reads all ids.
  bool lookup_is_sound() const;
  /// The id of a document of a damaged file: what stands there if it is sound, or if the lookup,
  /// which is sound, has the document under it; else nothing. Never throws FormatError.
  std::optional<std::string> salvaged_id(Docid docid) const;
  /// find() in a damaged file: those whose ids can be told.
  void find_salvaged(std::string_view id, std::vector<Docid>& found) const;
  /// Takes lengths that are damaged as they stand from now on; whether any are.
  bool salvage_lengths() const;
  /// Whether all lengths of documents [first, end) are those that were written.
  bool lengths_are_sound(Docid first, Docid end) const;
  const ContainerReader& file() const { return file_; }

 private:
  void check_lengths() const;

  ContainerReader file_;
  std::span<const std::uint32_t> lengths_;
  mutable std::atomic<bool> lengths_known_{false};
  FrontCoded ids_;  ///< empty if there are no ids
  IdLookup lookup_;
};

}  // namespace gannet::index
