// Which documents of a segment are not deleted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// A bit per document: bit d % 64 of word d / 64 is 1 unless document d is deleted; bits behind the
/// last document are 0. Immutable, safe from any number of threads.
class LiveDocuments {
 public:
  /// Of so many documents. Throws UsageError if the words are not as many, or have bits behind the
  /// last document.
  LiveDocuments(std::vector<std::uint64_t> words, std::uint64_t documents);
  /// A mapped file, which is read and checked here: a bit per document is little. Throws
  /// FormatError.
  LiveDocuments(std::filesystem::path path, MappedFile file, std::uint64_t documents,
                std::uint64_t deleted);

  std::span<const std::uint64_t> words() const { return words_; }
  bool has(Docid docid) const { return (words_[docid / 64] >> docid % 64 & 1) != 0; }
  std::uint64_t documents() const { return documents_; }
  std::uint64_t deleted() const { return deleted_; }
  const ContainerReader* file() const { return file_ ? &*file_ : nullptr; }

 private:
  std::optional<ContainerReader> file_;  ///< nothing if they are in memory
  std::vector<std::uint64_t> own_;
  std::span<const std::uint64_t> words_;
  std::uint64_t documents_;
  std::uint64_t deleted_;
};

/// All documents of a segment, none deleted.
std::vector<std::uint64_t> all_live(std::uint64_t documents);

/// Writes the words as a file that a commit makes visible: complete, synced, under its name. The
/// directory is not synced. Throws IoError.
FileSummary write_live_documents(const std::filesystem::path& path,
                                 std::span<const std::uint64_t> words);

}  // namespace gannet::index
