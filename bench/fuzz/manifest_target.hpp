// What the target `manifest` tries: a manifest with the right checksum is refused or read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codecs/error.hpp"
#include "index/files/container/checksum.hpp"
#include "index/manifest/manifest.hpp"
#include "index/manifest/manifest_layout.hpp"

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
}

}  // namespace gannet::fuzz
