// What the writer and the reader of sets of shards share and nobody else needs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "index/files/format.hpp"
#include "index/shard_set.hpp"

namespace gannet::index {

inline constexpr std::string_view kShardSetFormat = "gannet shards";

/// What the text of a shards.json says, whose checksum is not looked at. Throws FormatError, which
/// names `path`, VersionError.
std::vector<ShardRecord> parse_shard_set(std::string_view json, const std::filesystem::path& path);

/// What a set of the shards in the folder is to say of them. Throws FormatError if they do not fit
/// together.
std::vector<ShardRecord> check_shards(const std::filesystem::path& directory, std::size_t shards);

}  // namespace gannet::index
