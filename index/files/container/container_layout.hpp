// What the writer and the reader of containers share and nobody else needs.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "index/files/checksum.hpp"
#include "index/files/container/container.hpp"
#include "index/files/format.hpp"

namespace gannet::index {

inline constexpr char kHeaderMagic[] = "GANNETIX";
inline constexpr char kFooterMagic[] = "XITENNAG";
inline constexpr std::uint32_t kMaxSections = 1024;

/// Checksum of a header or footer: of all its bytes but the last eight, which hold the checksum.
template <class Record>
std::uint64_t checksum_before_last(const Record& record) {
  return xxh3(bytes_of(std::span<const Record>(&record, 1)).first(sizeof record - 8));
}

/// The header of every file of a kind.
inline ContainerHeader header_of(FileKind kind) {
  ContainerHeader header{};
  std::memcpy(header.magic, kHeaderMagic, sizeof header.magic);
  header.version = kFormatVersion;
  header.kind = kind.tag;
  header.checksum = checksum_before_last(header);
  return header;
}

inline constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace gannet::index
