// What an index was written with: to append to it, to change it, or to write one like it.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>

#include "index/write_options.hpp"

namespace gannet::index {

/// Throws UsageError if the folder holds a set of shards, of which nothing may change: says what to
/// do instead.
void refuse_shard_set(const std::filesystem::path& directory);

/// What an index was written with, to append to it. Throws what Index::open() throws for a
/// manifest, and UsageError for a set of shards, which cannot be written to.
WriteOptions write_options_of(const std::filesystem::path& directory);

/// What an index was written with, to change it in its place: read with the index locked, so that
/// no other writer comes between this and the change. The options hold the lock: `lock`, or if that
/// is null, one that is taken here. Throws UsageError also while another writer is at work.
WriteOptions options_to_change(const std::filesystem::path& directory, std::stop_token stop,
                               std::shared_ptr<DirectoryLock> lock = {});

/// What the index in `directory` was written with, for a new one elsewhere. Throws what
/// write_options_of() throws, and VersionError if the manifest has members that this version does
/// not know.
WriteOptions options_for_copy(const std::filesystem::path& directory);

}  // namespace gannet::index
