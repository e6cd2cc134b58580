// Merging segments of an index: fewer, larger ones, without reading the documents again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/fields/codec_fallback.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

class DirectoryLock;
struct BuildOptions;

struct MergeOptions {
  /// Segments that are left, at most; >= 1. Neighbours that are smallest together are merged first,
  /// and none that would have more than 2^29 documents together, which is what a segment can have:
  /// then more are left.
  std::size_t max_segments = 1;
  /// Not 0: merges only what has grown: runs of so many segments or more, one beside the other, of
  /// like size, where sizes are alike up to a thousand documents, and then up to that times `tier`,
  /// and so on; at least 2. Then there is no other bound on segments, and a segment is written
  /// again for its deleted documents only if they are more than a third.
  unsigned tier = 0;
  /// The index's lock, if the caller holds it.
  std::shared_ptr<DirectoryLock> lock = {};
  /// Segments with deleted documents are written again without these also where they are not merged
  /// with others.
  bool drop_deleted = true;
  /// As BuildOptions has them.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, as after a stop request.
  Deadline deadline = kNoDeadline;
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// For merging by tiers what a build has added to the index: all that the two have in common is the
/// build's.
MergeOptions tiers_after(const BuildOptions& build, unsigned tier);

struct MergeReport {
  std::size_t segments_before = 0;
  std::size_t segments = 0;
  std::uint64_t documents = 0;         ///< of the index
  std::uint64_t documents_merged = 0;  ///< of the segments that were written
  std::uint64_t dropped = 0;           ///< deleted documents that are gone
  /// Fields whose merged values their codec could not code.
  std::vector<CodecFallback> fallbacks = {};
  double seconds = 0;
  /// Whether anything was written.
  bool changed() const { return documents_merged != 0 || dropped != 0; }
};

/// Merges segments, in one commit: what others see is the index as it was, or merged, with the same
/// documents, and if none was deleted the same docids and scores. Deleted documents of what is
/// merged are left out: others get their docids, and statistics are those of what is left. A
/// segment that comes of it has the bytes that building its documents at once would give. Terms and
/// lists are streamed from segment to segment; needs room on the disk for the merged segments
/// beside the old ones, which are removed at the end. With no more segments than asked for, and
/// none deleted, nothing is written. Throws UsageError for max_segments 0 or while another writer
/// is at work, FormatError for a damaged index, IoError, CancelledError.
MergeReport merge_index(const std::filesystem::path& directory, const MergeOptions& options);

/// Writes what merging the index in `from` into one segment gives as a new index in `to`: without
/// deleted documents, it has the bytes that building the documents at once gives there. `from`
/// stays as it is. Of the options, memory, threads, stop, progress and lock (that of `to`) count.
/// Throws UsageError if there is an index in `to` and not `overwrite`, and what merge_index()
/// throws.
MergeReport merge_into(const std::filesystem::path& from, const std::filesystem::path& to,
                       bool overwrite, const MergeOptions& options);

}  // namespace gannet::index
