#include "codecs/described_column.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace gannet::codecs {
namespace {

constexpr std::size_t kUnitWords = kColumnUnit / sizeof(std::uint32_t);
constexpr std::size_t kHeaderUnits = sizeof(ColumnHeader) / kColumnUnit;

std::uint64_t bytes_of(std::span<const std::uint32_t> column) { return column.size_bytes(); }

const std::byte* memory_of(std::span<const std::uint32_t> column) {
  return reinterpret_cast<const std::byte*>(column.data());
}

[[noreturn]] void fail(const std::string& what) { throw FormatError("encoded column: " + what); }

/// Fills the last unit, and adds one that decoders may read.
void pad(std::vector<std::uint32_t>& words) {
  words.resize((words.size() + kUnitWords - 1) / kUnitWords * kUnitWords + kUnitWords);
}

/// Throws UsageError unless `values` are whole values; the codec checks the rest of what it is
/// given.
void check_whole(ValueType type, std::span<const std::byte> values) {
  if (values.size() % size_of(type) == 0) return;
  throw UsageError(std::to_string(values.size()) + " bytes are no whole number of values of type " +
                   std::string(name_of(type)) + " (of " + std::to_string(size_of(type)) +
                   " bytes each)");
}

}  // namespace

const char* text_of(ColumnStatus status) {
  switch (status) {
    case ColumnStatus::kOk:
      return "it is right";
    case ColumnStatus::kMisaligned:
      return "its address or its output's is no multiple of 16";
    case ColumnStatus::kTruncated:
      return "it is cut off";
    case ColumnStatus::kNotAColumn:
      return "it does not begin as an encoded column does";
    case ColumnStatus::kVersion:
      return "it was written by a later version of gannet";
    case ColumnStatus::kOtherCodec:
      return "its codec or its type is not the one that was asked for";
    case ColumnStatus::kDamaged:
      return "its bytes are not what its codec writes";
    case ColumnStatus::kRange:
      return "the range reaches beyond its values";
    case ColumnStatus::kTooManyValues:
      return "more values are wanted of it than the batch was planned for";
    case ColumnStatus::kOutputTooSmall:
      return "its values do not fit the output";
    case ColumnStatus::kChunkTooLarge:
      return "its chunks are too large for a range to be decoded (decode it whole)";
  }
  return "its status is unknown";
}

std::vector<std::uint32_t> encode_column(const Codec& codec, ValueType type,
                                         std::span<const std::byte> values,
                                         const Parameters& parameters, std::uint32_t part_values) {
  if (part_values < kMinPartValues || part_values % kTile != 0 || part_values > kMaxListLength) {
    throw UsageError("a column's parts cannot have " + std::to_string(part_values) +
                     " values (a multiple of 128, from " + std::to_string(kMinPartValues) + " to " +
                     std::to_string(kMaxListLength) + ")");
  }
  check_whole(type, values);
  const std::uint64_t count = values.size() / size_of(type);
  ColumnHeader header{};
  header.magic = kColumnMagic;
  header.version = kColumnVersion;
  header.codec = static_cast<std::uint32_t>(codec.id);
  header.type = static_cast<std::uint32_t>(type);
  header.parts = static_cast<std::uint32_t>((count + part_values - 1) / part_values);
  header.count = count;
  header.part_values = part_values;
  std::vector<std::uint32_t> column((kHeaderUnits + header.parts) * kUnitWords);
  std::vector<ColumnPart> parts;
  for (std::uint64_t first = 0; first < count; first += part_values) {
    const std::uint64_t size = std::min<std::uint64_t>(part_values, count - first);
    const std::size_t begin = column.size();
    codec.encode(type, values.subspan(first * size_of(type), size * size_of(type)), parameters,
                 column);
    parts.push_back({begin / kUnitWords, static_cast<std::uint32_t>(column.size() - begin), 0});
    pad(column);
  }
  if (count == 0) {
    // No part has anything to encode, but type and parameters are to be checked.
    std::vector<std::uint32_t> nothing;
    codec.encode(type, values, parameters, nothing);
  }
  header.bytes = bytes_of(column);
  std::memcpy(column.data(), &header, sizeof header);
  if (!parts.empty()) {
    std::memcpy(column.data() + kHeaderUnits * kUnitWords, parts.data(),
                parts.size() * sizeof(ColumnPart));
  }
  return column;
}

ColumnHeader read_header(std::span<const std::uint32_t> column) {
  if (reinterpret_cast<std::uintptr_t>(column.data()) % alignof(ColumnHeader) != 0) {
    throw UsageError("an encoded column must be aligned to 8 bytes, on the device to 16");
  }
  const ColumnStatus status = header_status(memory_of(column), bytes_of(column));
  if (status != ColumnStatus::kOk) fail(text_of(status));
  const ColumnHeader header = DescribedView{memory_of(column)}.header();
  for (std::uint32_t i = 0; i < header.parts; ++i) {
    if (!part_is_valid(memory_of(column), i)) {
      fail("part " + std::to_string(i) + " is not where it must be");
    }
  }
  return header;
}

void validate_column(std::span<const std::uint32_t> column) {
  const ColumnHeader header = read_header(column);
  const Codec& codec = codec_with(CodecId{header.codec});
  const auto type = static_cast<ValueType>(header.type);
  if (!codec.takes(type)) {
    fail(std::string(codec.name) + " does not code values of type " + std::string(name_of(type)));
  }
  for (std::uint32_t i = 0; i < header.parts; ++i) {
    const PartView part = DescribedView{memory_of(column)}.part(i);
    codec.validate(type, {part.words.words, part.words.size}, part.count);
  }
}

void decode_column(std::span<const std::uint32_t> column, std::uint64_t first, std::uint64_t count,
                   std::byte* out) {
  const ColumnHeader header = read_header(column);
  if (first > header.count || count > header.count - first) {
    throw UsageError("values " + std::to_string(first) + " to " + std::to_string(first + count) +
                     " of a column of " + std::to_string(header.count));
  }
  const Codec& codec = codec_with(CodecId{header.codec});
  const auto type = static_cast<ValueType>(header.type);
  const std::uint64_t end = first + count;
  while (first < end) {
    const auto i = static_cast<std::uint32_t>(first / header.part_values);
    const auto from = static_cast<std::uint32_t>(first % header.part_values);
    const PartView part = DescribedView{memory_of(column)}.part(i);
    const auto some =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(part.count - from, end - first));
    codec.decode(type, {part.words.words, part.words.size}, part.count, from, some, out);
    first += some;
    out += std::uint64_t{some} * size_of(type);
  }
}

}  // namespace gannet::codecs
