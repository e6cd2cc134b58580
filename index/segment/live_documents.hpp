// Live documents: the documents of a segment that are not deleted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// A bitmap of the live documents of a segment: bit d % 64 of word d / 64 is 1 unless document d is
/// deleted; bits after the last document are 0. Immutable and thread-safe.
class LiveDocuments {
 public:
  /// A bitmap in memory. Throws UsageError unless there are exactly ceil(documents / 64) words,
  /// with no bit set after the last document.
  LiveDocuments(std::vector<std::uint64_t> words, std::uint64_t documents);
  /// A bitmap in a mapped file. The constructor reads and checks all of it, documents / 8 bytes.
  /// Throws FormatError if the file is damaged or does not have `deleted` deleted documents.
  LiveDocuments(std::filesystem::path path, MappedFile file, std::uint64_t documents,
                std::uint64_t deleted);

  std::span<const std::uint64_t> words() const { return words_; }
  /// Whether a document of the segment (docid < documents()) is live.
  bool has(Docid docid) const { return (words_[docid / 64] >> docid % 64 & 1) != 0; }
  /// Documents of the segment, deleted ones included.
  std::uint64_t documents() const { return documents_; }
  std::uint64_t deleted() const { return deleted_; }
  /// The file; nullptr for a bitmap in memory.
  const ContainerReader* file() const { return file_ ? &*file_ : nullptr; }

 private:
  std::optional<ContainerReader> file_;  ///< nothing for a bitmap in memory
  std::vector<std::uint64_t> own_;
  std::span<const std::uint64_t> words_;
  std::uint64_t documents_;
  std::uint64_t deleted_;
};

/// The bitmap of a segment without deleted documents.
std::vector<std::uint64_t> all_live(std::uint64_t documents);

/// Writes a bitmap to the file `path`, which must not exist yet. When the function returns, the
/// file is complete and synced, its name in the directory is not. A commit makes the file part of
/// an index. Throws IoError.
FileSummary write_live_documents(const std::filesystem::path& path,
                                 std::span<const std::uint64_t> words);

}  // namespace gannet::index
