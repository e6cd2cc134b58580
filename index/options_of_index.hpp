// The options with which an index was written: to append to it, to change it, or to write another
// index with them. All functions read the manifest and throw IoError, FormatError or VersionError
// if it cannot be read. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>

#include "index/write_options.hpp"

namespace gannet::index {

/// Throws UsageError, whose message says what to do instead, if the folder holds a set of shards:
/// shards.json has checksums of the shards, so that these must not change. Reads no manifest.
void refuse_shard_set(const std::filesystem::path& directory);

/// Options to append to the index in `directory`. Codecs and stored text are those of the last
/// segment. Throws UsageError for a set of shards.
WriteOptions write_options_of(const std::filesystem::path& directory);

/// Options to change the index in `directory` in place. The function locks the index before it
/// reads the options, so that no other writer can change the index in between. The options hold the
/// lock: `lock`, or if that is null, one that the function takes, for which it waits up to
/// `lock_wait` seconds. Throws UsageError for a set of shards, BusyError while another writer holds
/// the lock, and CancelledError when a stop is requested while it waits.
WriteOptions options_to_change(const std::filesystem::path& directory, std::stop_token stop,
                               std::shared_ptr<DirectoryLock> lock = {}, double lock_wait = 0);

/// Options to write a new index elsewhere, like the index in `directory`. Throws UsageError for a
/// set of shards, and VersionError if the manifest has members that this version does not know.
WriteOptions options_for_copy(const std::filesystem::path& directory);

}  // namespace gannet::index
