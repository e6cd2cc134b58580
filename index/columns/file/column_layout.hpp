// The first and the last bytes of a column file. COLUMN_FORMAT.md says what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "index/files/checksum.hpp"
#include "index/files/format.hpp"

namespace gannet::index {

inline constexpr std::string_view kColumnMagic = "GANNETCL";
inline constexpr std::string_view kColumnFooterMagic = "LCTENNAG";

struct ColumnHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t type;
  std::uint64_t reserved[5];
  std::uint64_t checksum;  ///< of the bytes before it
};
static_assert(sizeof(ColumnHeader) == 64);

struct ColumnFooter {
  std::uint64_t table_offset;
  std::uint64_t segments;
  std::uint64_t values;
  std::uint64_t file_length;
  std::uint64_t table_checksum;
  std::uint64_t header_checksum;
  char magic[8];
  std::uint64_t checksum;  ///< of the bytes before it
};
static_assert(sizeof(ColumnFooter) == 64);

template <class Record>
std::span<const std::byte> bytes_of_record(const Record& record) {
  return bytes_of(std::span<const Record>(&record, 1));
}

/// XXH3-64 of all bytes of a record but its last field, the checksum.
template <class Record>
std::uint64_t column_checksum(const Record& record) {
  return xxh3(bytes_of_record(record).first(sizeof(Record) - sizeof(std::uint64_t)));
}

}  // namespace gannet::index
