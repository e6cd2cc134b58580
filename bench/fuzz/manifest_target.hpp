// What the target `manifest` tries: a manifest with the right checksum is refused or read, and so
// is what makes a set of shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "bench/fuzz/disagreement.hpp"
#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"
#include "index/shards/shard_set_layout.hpp"

namespace gannet::fuzz {

/// Input: the manifest without its checksum member.
inline void try_manifest(std::span<const std::uint8_t> input) {
  std::string text(input.begin(), input.end());
  const std::string checksum = index::to_hex(index::xxh3(index::bytes_of(std::string_view(text))));
  text.append(index::kChecksumLead).append(checksum).append(index::kChecksumEnd);
  try {
    index::parse_manifest(text, "manifest.json");
  } catch (const FormatError&) {
    // Refused, as it should be.
  }
  try {
    const auto shards = index::parse_shard_set(text, "shards.json");
    std::uint64_t documents = 0;
    for (const index::ShardRecord& shard : shards) {
      need(shard.docid_base == documents, "shards of a set do not follow one another");
      documents += shard.documents;
    }
    need(!shards.empty() && documents <= index::kMaxIndexDocuments, "a set that no index can be");
  } catch (const FormatError&) {
    // The same.
  }
}

}  // namespace gannet::fuzz
