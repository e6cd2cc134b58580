// Merging segments of an index into fewer and larger ones, without reading the documents' sources.
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
  /// Without tiers: the number of segments to reach, >= 1. The two neighbours with the fewest live
  /// documents together are merged first. More segments are left where a merged one would have more
  /// than 2^29 documents, the limit of a segment.
  std::size_t max_segments = 1;
  /// 0: no tiers. Else >= 2, and max_segments is ignored: only runs of at least `tier` neighbouring
  /// segments of one size class are merged, with smaller segments between them. The first class has
  /// up to 1,000 live documents; the limit of each further class is `tier` times that of the class
  /// before.
  unsigned tier = 0;
  /// The lock of the index, if the caller holds it; null: the call takes it.
  std::shared_ptr<DirectoryLock> lock = {};
  double lock_wait = 0;  ///< seconds for which the call waits for that lock
  /// Whether a segment that is not merged with others is written again without its deleted
  /// documents: without tiers if it has any, with tiers if they are more than a third.
  bool drop_deleted = true;
  /// Like the members of BuildOptions with these names.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  Deadline deadline = kNoDeadline;
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// Options to merge by tiers after a build has added documents: memory, threads, stop token,
/// deadline, progress and lock are those of the build.
MergeOptions tiers_after(const BuildOptions& build, unsigned tier);

struct MergeReport {
  std::size_t segments_before = 0;     ///< segments before the call
  std::size_t segments = 0;            ///< segments after the call
  std::uint64_t documents = 0;         ///< documents of the index after the call
  std::uint64_t documents_merged = 0;  ///< documents of the segments that were written
  std::uint64_t dropped = 0;           ///< deleted documents that were left out
  /// Fields whose merged values their codec cannot encode.
  std::vector<CodecFallback> fallbacks = {};
  double seconds = 0;  ///< wall time
  /// Whether any document was written or left out.
  bool changed() const { return documents_merged != 0 || dropped != 0; }
};

/// Merges segments of the index in `directory`, in one commit. Readers see the old index until the
/// commit; an open index does not change. Deleted documents of the merged segments are left out:
/// the documents after them get smaller docids, and statistics change. Without deleted documents,
/// docids and scores stay as they are. A merged segment has the bytes that building its documents
/// in one segment gives. If there is nothing to merge and no deleted document to leave out, nothing
/// is written.
///
/// Lists are streamed from segment to segment within the memory of the options. All bytes of the
/// segments are checked before they are merged. The disk needs room for the merged segments beside
/// the old ones, which are removed at the end.
///
/// Throws UsageError for `max_segments` 0, `tier` 1, too little memory, a set of shards, and while
/// another writer holds the index; FormatError for a damaged index; VersionError if the index has
/// parts that this version does not know and would lose; IoError, CancelledError and DeadlineError.
MergeReport merge_index(const std::filesystem::path& directory, const MergeOptions& options);

/// Merges all segments of the index in `from` into one and writes it as a new index in `to`. `from`
/// does not change. Deleted documents are left out. The new index has the bytes that building its
/// documents in `to` gives. With `overwrite` an index in `to` is replaced. Of the options, memory,
/// threads, stop, deadline, progress and lock (that of `to`) are used. Throws UsageError if `to`
/// must not be written to or if more than 2^29 documents are left, and what merge_index() throws.
MergeReport merge_into(const std::filesystem::path& from, const std::filesystem::path& to,
                       bool overwrite, const MergeOptions& options);

}  // namespace gannet::index
