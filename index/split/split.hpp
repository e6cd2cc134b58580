// Cutting an index into shards, and joining them again.
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

struct ShardOptions {
  /// As BuildOptions has them.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Once it has passed, the call ends with DeadlineError, as after a stop request.
  Deadline deadline = kNoDeadline;
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// Cuts the documents of an index that are not deleted into `shards` runs, of as many documents but
/// for one, and writes each as an index of one segment, as building its documents would (with the
/// analyzer, defaults, fields and stored text of the index); then makes them a set in `output`, a
/// folder that is new or empty. The index stays as it is. Reads it once a shard, as a stream.
/// Throws UsageError for an output that holds something, or 0 shards or more than kMaxShards; else
/// what merge_index() throws; nothing is left then.
std::vector<ShardRecord> split_index(const std::filesystem::path& index,
                                     const std::filesystem::path& output, std::size_t shards,
                                     const ShardOptions& options);

/// Writes all documents of a set of shards that are not deleted as an index of one segment: the
/// bytes that building them at once gives. Returns its statistics. Throws UsageError if there is
/// an index in `output`, else what open_shards() and merge_index() throw.
Statistics join_shards(const std::filesystem::path& set, const std::filesystem::path& output,
                       const ShardOptions& options);

}  // namespace gannet::index
