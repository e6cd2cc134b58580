// Deleting documents of segments: files that say which of them live.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/manifest/manifest.hpp"

namespace gannet::index {

/// Collects the documents that a commit deletes, and writes the files of live documents of the
/// segments that lose some; destroyed before keep(), it removes these. Not thread-safe.
class LiveWriter {
 public:
  LiveWriter() = default;
  ~LiveWriter();
  LiveWriter(const LiveWriter&) = delete;
  LiveWriter& operator=(const LiveWriter&) = delete;

  /// Documents are numbered through all segments, and may be deleted already.
  void remove(Docid docid) { removed_.push_back(docid); }
  bool removes() const { return !removed_.empty(); }

  /// Writes files of this generation into `directory`, complete and synced, and enters them into
  /// the records. `before`: the manifest of `kept`, the index that records with deleted documents
  /// are of; both may be null if there are none such. Throws IoError.
  void write(const std::filesystem::path& directory, std::uint64_t generation, const Index* kept,
             const Manifest* before, std::span<SegmentRecord> records);
  /// Whether write() had nothing to write.
  bool wrote_none() const { return paths_.empty(); }
  /// A manifest may name the files.
  void keep() { paths_.clear(); }

 private:
  std::vector<Docid> removed_;                ///< in any order
  std::vector<std::filesystem::path> paths_;  ///< written, not kept
};

}  // namespace gannet::index
