// Cutting an index into a set of shards (index/shard_set.hpp), and joining a set to one index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/shard_set.hpp"

namespace gannet::index {

/// Options of split_index() and join_shards().
struct ShardOptions {
  /// Memory budget in bytes, at least 64 MiB, and number of threads (0: all cores), as those of
  /// BuildOptions.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  /// A stop request ends the call with CancelledError.
  std::stop_token stop = {};
  /// The call ends with DeadlineError soon after this time, as after a stop request.
  Deadline deadline = kNoDeadline;
  /// Called from time to time, from one thread at a time, with a stage and its progress (`total` 0
  /// if unknown). An exception that it throws ends the call.
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// Cuts an index into a set of shards in `output`, a folder that is new or empty, and returns the
/// records of the shards. The documents that are not deleted are cut, in the order of their docids,
/// into `shards` (1 .. kMaxShards) runs whose sizes differ by at most one document. Each run is
/// written as an index of one segment, with the bytes that building its documents would give: the
/// analyzer, scoring defaults, fields and stored text are those of the index. The index stays
/// unchanged. For each shard the segments that have documents of it are read once, as a stream.
///
/// Throws
/// - UsageError if `output` holds anything but what a killed split has left, if it lies in an index
///   or another writer is at work there, for a number of shards out of range, if `index` is a set
///   of shards, for a memory budget that is too small, and for a shard of more than 2^29 documents;
/// - IoError if there is no index, or if a file cannot be read or written;
/// - FormatError (DamageError) if the index is damaged, and VersionError if it has parts that this
///   version does not know;
/// - CancelledError and DeadlineError.
/// After an exception no shard is left in `output`.
std::vector<ShardRecord> split_index(const std::filesystem::path& index,
                                     const std::filesystem::path& output, std::size_t shards,
                                     const ShardOptions& options);

/// Writes all documents of a set of shards that are not deleted to a new index of one segment in
/// `output`, a folder that is new or empty, and returns the statistics of the new index. The index
/// has the bytes that building the documents at once would give. The set stays unchanged.
///
/// Throws
/// - UsageError if there is an index or another file in `output`, if `output` lies in an index or
///   another writer is at work there, for a memory budget that is too small, and for more than 2^29
///   documents;
/// - what open_shards() throws for the set;
/// - DamageError, VersionError, IoError, CancelledError and DeadlineError as split_index() does.
Statistics join_shards(const std::filesystem::path& set, const std::filesystem::path& output,
                       const ShardOptions& options);

}  // namespace gannet::index
