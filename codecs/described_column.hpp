// Described columns: encoded values in one piece of memory that says what it is, on the host as on
// the device. encode_column() here and DeviceColumnEncoder (device/column_encoder.hpp) write it,
// decode_column() here and decode_batch_async() (device/batch.hpp) read it; nothing else has to be
// passed along.
//
// Format, little-endian, in units of 16 bytes:
//   header    4 units (ColumnHeader)
//   parts     a unit for each part (ColumnPart)
//   words     the parts' encoded words, each from a whole unit on, in the parts' order, with at
//             least four words behind them that decoders may read; the rest is 0
// A column of more than `part_values` values is cut into parts, which are columns by themselves: so
// a column may have any number of values, though a codec takes 2^29 at a time. All parts but the
// last have part_values values, a multiple of 128 and at least 4,096: parts that shared their
// words, or had none to speak of, would let few bytes cost much time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/columns.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/parameters.hpp"
#include "codecs/core/value_type.hpp"

namespace gannet::codecs {

/// "GNTC", read as a number.
inline constexpr std::uint32_t kColumnMagic = 0x43544e47;
inline constexpr std::uint32_t kColumnVersion = 1;

/// What described columns in memory are aligned to, in bytes, and their size a multiple of.
inline constexpr std::uint32_t kColumnUnit = 16;

/// Values of a part, unless the caller says otherwise.
inline constexpr std::uint32_t kPartValues = 1u << 28;

/// Fewest values of a part that is not the last.
inline constexpr std::uint32_t kMinPartValues = 4096;

/// The first 64 bytes.
struct ColumnHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t codec;        ///< a CodecId
  std::uint32_t type;         ///< a ValueType
  std::uint32_t flags;        ///< none yet: 0
  std::uint32_t parts;        ///< ceil(count / part_values)
  std::uint64_t count;        ///< values in all
  std::uint64_t bytes;        ///< of all, header included
  std::uint32_t part_values;  ///< kMinPartValues .. kMaxListLength
  std::uint32_t reserved[5];  ///< 0
};
static_assert(sizeof(ColumnHeader) == 64);

/// Where a part's words are.
struct ColumnPart {
  std::uint64_t first_unit;  ///< from the beginning of the header
  std::uint32_t words;
  std::uint32_t reserved;  ///< 0
};
static_assert(sizeof(ColumnPart) == 16);

/// A part's words and values.
struct PartView {
  WordView words;
  std::uint32_t count;
};

/// A described column whose header has no fault, in host or device memory, not owned.
struct DescribedView {
  const std::byte* memory;

  GANNET_HD const ColumnHeader& header() const {
    return *reinterpret_cast<const ColumnHeader*>(memory);
  }
  GANNET_HD PartView part(std::uint32_t i) const {
    const ColumnPart row = reinterpret_cast<const ColumnPart*>(memory + sizeof(ColumnHeader))[i];
    const std::uint64_t left = header().count - std::uint64_t{i} * header().part_values;
    const auto* words =
        reinterpret_cast<const std::uint32_t*>(memory + row.first_unit * kColumnUnit);
    return {{words, row.words},
            left < header().part_values ? static_cast<std::uint32_t>(left) : header().part_values};
  }
};

/// What may be wrong with a described column, on either processor.
enum class ColumnStatus : std::uint32_t {
  kOk = 0,
  kMisaligned,      ///< column or output is not on 16 bytes
  kTruncated,       ///< it has more bytes than there are
  kNotAColumn,      ///< it does not begin as a described column does
  kVersion,         ///< it was written by a later version
  kOtherCodec,      ///< its codec or its type is not the batch's
  kDamaged,         ///< its bytes are not what its codec writes
  kRange,           ///< the range reaches beyond its values
  kTooManyValues,   ///< more values are wanted than the batch was planned for
  kOutputTooSmall,  ///< the values do not fit the output
  kChunkTooLarge,   ///< a range, and a chunk does not fit shared memory: decode the whole column
};

/// A sentence for people.
const char* text_of(ColumnStatus status);

/// What is wrong with the header of `bytes` bytes at `memory` (aligned to kColumnUnit), which may
/// hold anything; reads inside of them only. If nothing is, the table of parts is among the bytes.
GANNET_HD ColumnStatus header_status(const std::byte* memory, std::uint64_t bytes) {
  if (bytes < sizeof(ColumnHeader)) return ColumnStatus::kTruncated;
  const ColumnHeader& header = *reinterpret_cast<const ColumnHeader*>(memory);
  if (header.magic != kColumnMagic) return ColumnStatus::kNotAColumn;
  if (header.version != kColumnVersion || header.flags != 0) return ColumnStatus::kVersion;
  for (const std::uint32_t word : header.reserved) {
    if (word != 0) return ColumnStatus::kVersion;
  }
  if (header.type < 1 || header.type > 8) return ColumnStatus::kDamaged;
  if (header.bytes > bytes) return ColumnStatus::kTruncated;
  const std::uint64_t values = header.part_values;
  if (values < kMinPartValues || values % kTile != 0 || values > kMaxListLength) {
    return ColumnStatus::kDamaged;
  }
  if (header.count / values + (header.count % values != 0 ? 1 : 0) != header.parts) {
    return ColumnStatus::kDamaged;
  }
  const std::uint64_t units = header.bytes / kColumnUnit;
  const std::uint64_t first = sizeof(ColumnHeader) / kColumnUnit + header.parts;
  if (header.bytes % kColumnUnit != 0 || first > units) return ColumnStatus::kDamaged;
  return ColumnStatus::kOk;
}

/// Whether row `i` of the table of parts is right, in a column whose header has no fault: the
/// part's words, and those that may be read behind them, are inside of the column and behind the
/// part before. Rows are asked one by one, in any order; if all are right, no two parts share a
/// word.
GANNET_HD bool part_is_right(const std::byte* memory, std::uint32_t i) {
  const ColumnHeader& header = *reinterpret_cast<const ColumnHeader*>(memory);
  const auto* rows = reinterpret_cast<const ColumnPart*>(memory + sizeof header);
  const auto units_of = [](std::uint32_t words) { return (std::uint64_t{words} + 4 + 3) / 4; };
  // The sum may be anything if the row before is wrong, which is then found there.
  const std::uint64_t first = i == 0 ? sizeof header / kColumnUnit + header.parts
                                     : rows[i - 1].first_unit + units_of(rows[i - 1].words);
  const ColumnPart part = rows[i];
  const std::uint64_t units = header.bytes / kColumnUnit;
  return part.reserved == 0 && part.first_unit >= first && part.first_unit <= units &&
         units_of(part.words) <= units - part.first_unit;
}

/// Encodes `values`, an array of `type` of any length, to a described column. The size of the
/// result times four is its bytes. `part_values` is a multiple of 128 from kMinPartValues to
/// kMaxListLength: few parts, for each costs a few dozen bytes. Throws UsageError for
/// parameters that make no sense, a type that the codec does not code, and bytes that are no whole
/// number of values.
std::vector<std::uint32_t> encode_column(const Codec& codec, ValueType type,
                                         std::span<const std::byte> values,
                                         const Parameters& parameters = {},
                                         std::uint32_t part_values = kPartValues);

/// The header of a described column, its table of parts checked. Throws FormatError.
ColumnHeader read_header(std::span<const std::uint32_t> column);

/// Throws FormatError unless `column` is a described column that decodes inside of its bounds.
void validate_column(std::span<const std::uint32_t> column);

/// Decodes values [first, first + count) of a validated described column to `out`, which has room
/// for `count` of its type and is aligned to it. Throws UsageError for a range beyond its end.
void decode_column(std::span<const std::uint32_t> column, std::uint64_t first, std::uint64_t count,
                   std::byte* out);

}  // namespace gannet::codecs
