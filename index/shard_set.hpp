// A set of shards: a folder with indexes shard-0000, shard-0001 and so on, whose documents follow
// one another, and shards.json, which makes them a set. FORMAT.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/index.hpp"

namespace gannet::index {

/// Most shards of a set.
inline constexpr std::size_t kMaxShards = 4096;

/// The record of a shard in shards.json.
struct ShardRecord {
  std::string name;              ///< name of the shard's folder
  std::uint64_t docid_base = 0;  ///< number of documents in the shards before this one
  std::uint64_t documents = 0;   ///< documents of the shard, deleted ones included
  std::uint64_t manifest = 0;    ///< XXH3-64 of the bytes of the shard's manifest.json
  bool operator==(const ShardRecord&) const = default;
};

/// The folder name of a shard: "shard-0000" for number 0.
std::string shard_name(std::size_t number);

/// Whether the folder holds a set of shards.
bool is_shard_set(const std::filesystem::path& directory);

/// Reads shards.json. Throws IoError if the folder has no readable one, FormatError or
/// VersionError.
std::vector<ShardRecord> read_shard_set(const std::filesystem::path& directory);

/// Throws DamageError if a set names a shard that is not there, IoError where that cannot be told.
void check_shard_is_there(const std::filesystem::path& directory, const ShardRecord& shard);

/// Opens one shard of a set as an index. `before`, if not null, is used as by Index::open(). Throws
/// FormatError if the manifest is not that of `shard`, because the shard was changed or belongs to
/// another set, and what check_shard_is_there() and Index::open() throw.
Index open_shard(const std::filesystem::path& directory, const ShardRecord& shard,
                 const Index* before = nullptr);

/// Opens all shards of a set as one index, whose documents are numbered in the order of the shards.
/// Queries have the answers that one index of all documents gives. Throws what read_shard_set() and
/// open_shard() throw, and FormatError if the shards differ in analyzer, scoring defaults or
/// schema.
Index open_shards(const std::filesystem::path& directory, const Index* before = nullptr);

/// Opens the shards first .. last - 1 of a set as one index, for a process that searches a part of
/// the set. Documents are numbered from 0, statistics are those of the opened shards, and path() is
/// empty. Throws UsageError unless first < last <= shards, and what open_shards() of all throws.
Index open_shards(const std::filesystem::path& directory, std::size_t first, std::size_t last);

/// Makes a set of shards in a new or empty folder. The caller writes the index of each shard, in
/// any order and by any means, and calls commit(). A writer that is destroyed without a commit
/// removes the shards. Not thread-safe.
class ShardSetWriter {
 public:
  /// Makes the folder if it does not exist, locks it, and removes what a killed writer of sets left
  /// there. Throws UsageError if the folder has other files or a set, lies in an index, or is
  /// locked by another writer, and unless `shards` is 1 to kMaxShards; IoError.
  ShardSetWriter(const std::filesystem::path& directory, std::size_t shards);
  ~ShardSetWriter();
  ShardSetWriter(const ShardSetWriter&) = delete;
  ShardSetWriter& operator=(const ShardSetWriter&) = delete;

  /// The folder into which the caller writes the index of shard `number` (< shards).
  std::filesystem::path shard(std::size_t number) const;
  /// Opens all shards, checks that they fit together, and writes shards.json with all syncs that
  /// make the set durable. Called once. Throws IoError, what Index::open() throws for a shard,
  /// FormatError if shards differ in analyzer, scoring defaults or schema, and UsageError if they
  /// have more than 2^32 - 1 documents together.
  std::vector<ShardRecord> commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
