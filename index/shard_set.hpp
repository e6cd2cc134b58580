// A folder of shards: indexes shard-0000, shard-0001 ... that hold a collection in pieces, one
// behind the other, and shards.json, which makes them one set. FORMAT.md has its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "index/index.hpp"

namespace gannet::index {

/// Shards of a set, at most.
inline constexpr std::size_t kMaxShards = 4096;

/// A shard in its set.
struct ShardRecord {
  std::string name;              ///< of its folder
  std::uint64_t docid_base = 0;  ///< documents of the shards before it
  std::uint64_t documents = 0;   ///< of them all
  std::uint64_t manifest = 0;    ///< XXH3-64 of its manifest.json
  bool operator==(const ShardRecord&) const = default;
};

/// "shard-0000" for number 0.
std::string shard_name(std::size_t number);

/// Whether the folder holds a set of shards.
bool is_shard_set(const std::filesystem::path& directory);

/// What shards.json says. Throws IoError if there is none, FormatError, VersionError.
std::vector<ShardRecord> read_shard_set(const std::filesystem::path& directory);

/// Opens a shard of a set, complete by itself. Throws FormatError if it is not the index that the
/// set was made of (one of another set, or changed since), and what Index::open() throws. Takes
/// segments from `before` if that is not null and has them.
Index open_shard(const std::filesystem::path& directory, const ShardRecord& shard,
                 const Index* before = nullptr);

/// Opens all shards of a set as one index, documents numbered through: it answers as one index of
/// all documents does. Throws what open_shard() throws, FormatError for shards whose analyzers,
/// defaults or fields differ.
Index open_shards(const std::filesystem::path& directory, const Index* before = nullptr);

/// Opens the shards [first, last) of a set in the same way, for a process that answers a part of
/// it: their documents are numbered from 0, and the statistics are theirs. Throws UsageError if
/// there are no such shards.
Index open_shards(const std::filesystem::path& directory, std::size_t first, std::size_t last);

/// Makes a set: an empty or new folder, whose shards anyone may write until commit() makes them a
/// set. Destroyed before, it removes them. Not thread-safe.
class ShardSetWriter {
 public:
  /// Throws UsageError for a folder that holds anything but what a killed writer of sets has left,
  /// which is removed, while another writer is at work, and for 0 shards or more than kMaxShards.
  ShardSetWriter(const std::filesystem::path& directory, std::size_t shards);
  ~ShardSetWriter();
  ShardSetWriter(const ShardSetWriter&) = delete;
  ShardSetWriter& operator=(const ShardSetWriter&) = delete;

  /// Where the index of a shard is to be written.
  std::filesystem::path shard(std::size_t number) const;
  /// All shards are written: checks that they fit together, and makes them a set, durably. Throws
  /// what open_shards() throws, IoError.
  std::vector<ShardRecord> commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::index
