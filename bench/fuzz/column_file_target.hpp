// What the target `column_file` tries: bytes that are opened as a column file are refused, or can
// be decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "index/columns/column_file.hpp"
#include "index/columns/file/column_layout.hpp"

namespace gannet::fuzz {

/// Makes the checksums right where header, table and footer stand, so that what is behind them is
/// reached.
inline void repair_checksums(std::vector<std::byte>& bytes) {
  using index::ColumnFooter;
  using index::ColumnHeader;
  using index::ColumnSegment;
  if (bytes.size() < sizeof(ColumnHeader) + sizeof(ColumnFooter)) return;
  ColumnHeader header;
  ColumnFooter footer;
  const std::size_t footer_at = bytes.size() - sizeof footer;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(&footer, bytes.data() + footer_at, sizeof footer);
  header.checksum = index::column_checksum(header);
  const std::size_t rows = (footer_at - sizeof header) / sizeof(ColumnSegment);
  if (footer.segments <= rows) {
    const std::size_t table_at = footer_at - footer.segments * sizeof(ColumnSegment);
    for (std::size_t at = table_at; at < footer_at; at += sizeof(ColumnSegment)) {
      ColumnSegment segment;
      std::memcpy(&segment, bytes.data() + at, sizeof segment);
      if (segment.words > bytes.size() || segment.offset > table_at ||
          index::stored_bytes(segment) > table_at - segment.offset) {
        continue;
      }
      segment.checksum =
          index::xxh3(std::span(bytes).subspan(segment.offset, index::stored_bytes(segment)));
      std::memcpy(bytes.data() + at, &segment, sizeof segment);
    }
    footer.table_checksum = index::xxh3(std::span(bytes).subspan(table_at, footer_at - table_at));
  }
  footer.header_checksum = header.checksum;
  footer.checksum = index::column_checksum(footer);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + footer_at, &footer, sizeof footer);
}

/// Decoding more than this would only take long: a few words can stand for half a billion values.
inline constexpr std::uint32_t kMaxValues = 1u << 18;

/// Input: a byte that says whether checksums are repaired, then the file.
inline void try_column_file(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  const auto file_bytes = std::as_bytes(input.subspan(1));
  std::vector<std::byte> bytes(file_bytes.begin(), file_bytes.end());
  if (input[0] % 2 == 0) repair_checksums(bytes);
  try {
    const index::ColumnFile file(std::span<const std::byte>(bytes), "input");
    for (std::size_t i = 0; i < file.segments().size(); ++i) {
      if (file.segments()[i].count > kMaxValues) continue;
      file.decode(file.first_value(i), file.segments()[i].count, [](auto) {});
    }
  } catch (const FormatError&) {
    // Refused, as it should be.
  }
}

}  // namespace gannet::fuzz
