#include "index/shard_set.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"
#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"
#include "index/manifest/manifest_members.hpp"
#include "index/shards/shard_set_layout.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// The body of shards.json, whose checksum is right.
std::string read_checked(const fs::path& path) {
  if (!is_shard_set(path.parent_path())) {
    throw IoError(path.parent_path().string() +
                  ": no set of shards (there is no shards.json); make one with `gannet shard`");
  }
  std::string json = read_small_file(path);
  check_checksum(json, path);
  return json;
}

ShardRecord read_record(const ManifestMembers& members, std::size_t number, std::uint64_t base) {
  ShardRecord shard;
  shard.name = members.text("name");
  shard.docid_base = members.number("docid_base");
  shard.documents = members.number("documents", kMaxIndexDocuments - base);
  shard.manifest = members.checksum("manifest");
  if (shard.name != shard_name(number)) members.fail("name", "is not that of the next shard");
  if (shard.docid_base != base) {
    members.fail("docid_base", "is not the number of documents before the shard");
  }
  return shard;
}

bool has_positions(const Index& index) { return index.segments().front()->positions() != nullptr; }

/// Throws unless a shard goes together with the first one.
void check_alike(const Index& shard, const fs::path& path, const Index& first,
                 const std::string& first_name) {
  if (shard.analyzer() != first.analyzer() || shard.defaults() != first.defaults() ||
      shard.schema() != first.schema()) {
    throw FormatError(path.string() +
                      ": it has another analyzer, other defaults or other fields than the first "
                      "shard; cut an index into shards again with `gannet shard`");
  }
  if (has_positions(shard) == has_positions(first)) return;
  throw FormatError(path.string() +
                    (has_positions(shard) ? ": it has positions, and " + first_name + " has none"
                                          : ": it has no positions, and " + first_name + " has") +
                    "; build all shards with positions or all without (`--no-positions`), or cut "
                    "an index into shards again with `gannet shard`");
}

/// The index of the shards [begin, end) of a set: each checked by `open`.
template <class Open>
Index join(const fs::path& directory, std::size_t begin, std::size_t end, const Open& open) {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<std::shared_ptr<const LiveDocuments>> live;
  std::optional<Index> first;
  for (std::size_t i = begin; i < end; ++i) {
    Index shard = open(i);
    if (first) check_alike(shard, directory / shard_name(i), *first, shard_name(begin));
    for (std::size_t s = 0; s < shard.segments().size(); ++s) {
      segments.push_back(shard.segments()[s]);
      live.push_back(shard.shared_live(s));
    }
    if (!first) first = std::move(shard);
  }
  return Index(std::move(segments), first->analyzer(), first->defaults(), first->schema(),
               std::move(live));
}

}  // namespace

std::string shard_name(std::size_t number) { return fmt::format("shard-{:04}", number); }

bool is_shard_set(const fs::path& directory) {
  std::error_code error;
  return fs::is_regular_file(directory / kShardSetName, error);
}

std::vector<ShardRecord> read_shard_set(const fs::path& directory) {
  const fs::path path = directory / kShardSetName;
  return parse_shard_set(read_checked(path), path);
}

std::vector<ShardRecord> parse_shard_set(std::string_view json, const fs::path& path) {
  simdjson::dom::parser parser;
  const ManifestMembers members(parse_object(parser, json, path), path);
  if (members.text("format") != kShardSetFormat) {
    members.fail("format", "is not that of a set of shards");
  }
  const std::uint64_t version = members.number("version");
  if (version == 0) members.fail("version", "0 does not exist");
  if (version != kFormatVersion) fail_version(path, version);
  std::vector<ShardRecord> shards;
  std::uint64_t base = 0;
  members.each("shards", [&](const ManifestMembers& shard) {
    if (shards.size() == kMaxShards) members.fail("shards", "are too many");
    shards.push_back(read_record(shard, shards.size(), base));
    base += shards.back().documents;
    shard.refuse_others("shards", {"name", "docid_base", "documents", "manifest"});
  });
  if (shards.empty()) members.fail("shards", "are none");
  members.refuse_others("set", {"format", "version", "shards", "xxh3"});
  return shards;
}

void check_shard_is_there(const fs::path& directory, const ShardRecord& shard) {
  const fs::path path = directory / shard.name;
  if (has_manifest(path)) return;
  throw DamageError(path.string() +
                    ": the shard is missing, and shards.json names it; restore it from a backup, "
                    "or cut the index into shards again with `gannet shard`");
}

Index open_shard(const fs::path& directory, const ShardRecord& shard, const Index* before) {
  check_shard_is_there(directory, shard);
  const fs::path path = directory / shard.name;
  Index index = before == nullptr ? Index::open(path) : Index::open(path, *before);
  if (index.statistics().documents != shard.documents ||
      xxh3(bytes_of(std::string_view(read_small_file(path / kManifestName)))) != shard.manifest) {
    throw FormatError(
        path.string() +
        ": the shard is not the one that its set was made of: it is another set's, or "
        "was changed since; documents are added to an index, which is sharded again "
        "with `gannet shard`");
  }
  return index;
}

Index open_shards(const fs::path& directory, const Index* before) {
  const std::vector<ShardRecord> shards = read_shard_set(directory);
  Index index = join(directory, 0, shards.size(),
                     [&](std::size_t i) { return open_shard(directory, shards[i], before); });
  index.path_ = directory;
  return index;
}

Index open_shards(const fs::path& directory, std::size_t first, std::size_t last) {
  const std::vector<ShardRecord> shards = read_shard_set(directory);
  if (first >= last || last > shards.size()) {
    throw UsageError(fmt::format("{} has {} shards, none of them number {} to {}",
                                 directory.string(), shards.size(), first, last));
  }
  return join(directory, first, last,
              [&](std::size_t i) { return open_shard(directory, shards[i], nullptr); });
}

std::vector<ShardRecord> check_shards(const fs::path& directory, std::size_t shards) {
  std::vector<ShardRecord> records;
  std::uint64_t base = 0;
  join(directory, 0, shards, [&](std::size_t i) {
    const fs::path path = directory / shard_name(i);
    Index index = Index::open(path);
    records.push_back({shard_name(i), base, index.statistics().documents,
                       xxh3(bytes_of(std::string_view(read_small_file(path / kManifestName))))});
    base += records.back().documents;
    return index;
  });
  return records;
}

}  // namespace gannet::index
