#include "index/fields/build/text_coder.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/build/column_coder.hpp"
#include "index/fields/build/spool_cursor.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

/// Encodes all texts as one column of bytes.
void write_bytes(ContainerWriter& file, const ColumnSpool& values, const std::stop_token& stop) {
  ColumnEncoder encoder(codecs::ValueType::kU8, block_options(values.spec(), stop),
                        [&file](std::span<const std::byte> bytes) { file.append(bytes); });
  encoder.begin();
  const Spool& texts = values.text_spool();
  std::vector<std::byte> piece;
  for (std::uint64_t at = 0; at < texts.size(); at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, texts.size() - at)));
    texts.read_at(at, piece);
    encoder.append(piece);
  }
  encoder.finish();
}

/// Where each document's text starts, and the end.
void write_offsets(ContainerWriter& file, const ColumnSpool& values, const std::stop_token& stop) {
  SpoolCursor<std::uint64_t> words(values.present_spool());
  SpoolCursor<std::uint64_t> lengths(values.values_spool());
  StopCheck check_stop(stop);
  std::vector<std::uint64_t> offsets{0};
  std::uint64_t word = 0;
  std::uint64_t end = 0;
  for (std::uint64_t document = 0; document < values.documents(); ++document) {
    check_stop();
    if (document % 64 == 0) word = words.next();
    if ((word >> document % 64 & 1) != 0) end += lengths.next();
    offsets.push_back(end);
    if (offsets.size() < kPieceBytes) continue;
    file.append_values(std::span<const std::uint64_t>(offsets));
    offsets.clear();
  }
  file.append_values(std::span<const std::uint64_t>(offsets));
}

}  // namespace

FieldRow write_texts(ContainerWriter& file, std::size_t number, ColumnSpool& values,
                     const std::stop_token& stop) {
  FieldRow row{};
  row.unit = 1;
  row.code_limit = values.having() == 0 ? 0 : kByteLimit;
  row.codes = values.text_spool().size();
  row.having = values.having();
  file.begin_section(field_tag(FieldSection::kCodes, number));
  try {
    write_bytes(file, values, stop);
  } catch (const UsageError& error) {
    throw UsageError("field '" + values.spec().name + "', whose texts are bytes: " + error.what());
  }
  file.end_section();
  file.begin_section(field_tag(FieldSection::kOffsets, number));
  write_offsets(file, values, stop);
  file.end_section();
  if (row.having != values.documents()) {
    file.write_spool(field_tag(FieldSection::kPresent, number), values.present_spool());
  }
  return row;
}

}  // namespace gannet::index
