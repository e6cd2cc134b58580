#include "index/shards/shard_set.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "codecs/error.hpp"
#include "index/files/container/checksum.hpp"
#include "index/files/messages.hpp"
#include "index/files/posix_file.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"
#include "index/shards/shard_set_layout.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

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

const Json& member(const Json& object, const char* key, Json::value_t type, const fs::path& path) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end() || found->type() != type) {
    fail_format(path, std::string("\"") + key + "\" is missing, or not of its type");
  }
  return *found;
}

ShardRecord read_record(const Json& json, std::size_t number, std::uint64_t base,
                        const fs::path& path) {
  using Type = Json::value_t;
  ShardRecord shard;
  shard.name = member(json, "name", Type::string, path).get<std::string>();
  shard.docid_base = member(json, "docid_base", Type::number_unsigned, path);
  shard.documents = member(json, "documents", Type::number_unsigned, path);
  const auto manifest =
      from_hex(member(json, "manifest", Type::string, path).get_ref<const std::string&>());
  if (shard.name != shard_name(number)) fail_format(path, "shards are out of order");
  if (!manifest) fail_format(path, "\"manifest\" is no checksum of 16 hexadecimal digits");
  if (shard.docid_base != base) {
    fail_format(path, "\"docid_base\" is not the number of documents before the shard");
  }
  if (shard.documents > kMaxIndexDocuments - base) fail_format(path, "too many documents");
  shard.manifest = *manifest;
  return shard;
}

/// The index of all shards of a set: each checked by `open`.
template <class Open>
Index join(const fs::path& directory, std::size_t shards, const Open& open) {
  std::vector<std::shared_ptr<const Segment>> segments;
  std::vector<std::shared_ptr<const LiveDocuments>> live;
  std::optional<Index> first;
  for (std::size_t i = 0; i < shards; ++i) {
    Index shard = open(i);
    if (first && (shard.analyzer() != first->analyzer() || shard.defaults() != first->defaults() ||
                  shard.schema() != first->schema())) {
      fail_format(directory / shard_name(i),
                  "it has another analyzer, other defaults or other fields than the first shard");
    }
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
  const Json json = Json::parse(read_checked(path), nullptr, false);
  if (json.is_discarded()) fail_format(path, "not valid JSON");
  if (member(json, "format", Json::value_t::string, path) != kShardSetFormat) {
    fail_format(path, "\"format\" is not that of a set of shards");
  }
  const std::uint64_t version = member(json, "version", Json::value_t::number_unsigned, path);
  if (version > kFormatVersion) fail_version(path, version);
  const Json& list = member(json, "shards", Json::value_t::array, path);
  if (list.empty() || list.size() > kMaxShards) fail_format(path, "none or too many shards");
  std::vector<ShardRecord> shards;
  std::uint64_t base = 0;
  for (const Json& shard : list) {
    shards.push_back(read_record(shard, shards.size(), base, path));
    base += shards.back().documents;
  }
  return shards;
}

Index open_shard(const fs::path& directory, const ShardRecord& shard, const Index* before) {
  const fs::path path = directory / shard.name;
  Index index = before == nullptr ? Index::open(path) : Index::open(path, *before);
  if (index.statistics().documents != shard.documents ||
      xxh3(bytes_of(std::string_view(read_small_file(path / kManifestName)))) != shard.manifest) {
    fail_format(path,
                "the shard is not the one that its set was made of: it is another set's, or was "
                "changed since (documents are added to an index, which is sharded again)");
  }
  return index;
}

Index open_shards(const fs::path& directory, const Index* before) {
  const std::vector<ShardRecord> shards = read_shard_set(directory);
  Index index = join(directory, shards.size(),
                     [&](std::size_t i) { return open_shard(directory, shards[i], before); });
  index.path_ = directory;
  return index;
}

std::vector<ShardRecord> check_shards(const fs::path& directory, std::size_t shards) {
  std::vector<ShardRecord> records;
  std::uint64_t base = 0;
  join(directory, shards, [&](std::size_t i) {
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
