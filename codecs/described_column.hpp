// Described columns: an encoded column in one piece of host or device memory, with a header that
// names the codec, the type and the number of values. encode_column() and DeviceColumnEncoder
// (device/column_encoder.hpp) write a described column. decode_column() and decode_batch_async()
// (device/batch.hpp) read it.
//
// Format, little-endian, in units of 16 bytes:
//   header    4 units (ColumnHeader)
//   parts     one unit for each part (ColumnPart)
//   words     the encoded words of the parts, in the order of the parts. The words of each part
//             start at a unit and are followed by 4 to 7 words of padding, which are 0: decoders
//             may read up to four words behind a part
// A column of more than `part_values` values is cut into parts, each encoded as a column of its
// own. So a column may have more values than a codec encodes at a time (2^29). All parts but the
// last have `part_values` values, a multiple of 128 and at least 4,096. Parts do not share words.
// These rules bound the decoding time of hostile columns: otherwise a few bytes could describe very
// many parts, all with the same words.
//
// All functions are thread-safe.
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

/// The bytes "GNTC" as a little-endian number.
inline constexpr std::uint32_t kColumnMagic = 0x43544e47;
inline constexpr std::uint32_t kColumnVersion = 1;

/// The unit of the format, in bytes. The size of a described column is a multiple of it. On the
/// device, a column is aligned to it; on the host, alignment to 8 bytes is enough.
inline constexpr std::uint32_t kColumnUnit = 16;

/// Default number of values of a part.
inline constexpr std::uint32_t kPartValues = 1u << 28;

/// Smallest number of values of a part other than the last.
inline constexpr std::uint32_t kMinPartValues = 4096;

/// The first 64 bytes of a described column.
struct ColumnHeader {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t codec;        ///< a CodecId
  std::uint32_t type;         ///< a ValueType
  std::uint32_t flags;        ///< 0: no flag is defined
  std::uint32_t parts;        ///< ceil(count / part_values)
  std::uint64_t count;        ///< values of all parts
  std::uint64_t bytes;        ///< size of the described column, header included
  std::uint32_t part_values;  ///< kMinPartValues .. kMaxListLength, a multiple of 128
  std::uint32_t reserved[5];  ///< 0
};
static_assert(sizeof(ColumnHeader) == 64);

/// The location of a part's words.
struct ColumnPart {
  std::uint64_t first_unit;  ///< in units of kColumnUnit bytes from the beginning of the header
  std::uint32_t words;       ///< number of 32-bit words, without padding
  std::uint32_t reserved;    ///< 0
};
static_assert(sizeof(ColumnPart) == 16);

/// The words and the number of values of a part; the words are not owned.
struct PartView {
  WordView words;
  std::uint32_t count;
};

/// A described column in host or device memory, not owned. header_status() and part_is_valid() must
/// have accepted the header and every part that is read.
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

/// The result of checking a described column, on the host or on the device. header_status() returns
/// only kOk, kTruncated, kNotAColumn, kVersion and kDamaged.
enum class ColumnStatus : std::uint32_t {
  kOk = 0,
  kMisaligned,      ///< the column or its output is not aligned to 16 bytes (device only)
  kTruncated,       ///< the memory is smaller than the header or than the size in the header
  kNotAColumn,      ///< the magic number is missing
  kVersion,         ///< version, flags or reserved words are unknown to this version
  kOtherCodec,      ///< the codec or the type differs from those of the batch
  kDamaged,         ///< the header, a part's location or encoded words are invalid
  kRange,           ///< the requested range exceeds the column
  kTooManyValues,   ///< the request has more values than BatchPlan::most_values
  kOutputTooSmall,  ///< the requested values do not fit the output
  kChunkTooLarge,   ///< a range was requested, but a chunk exceeds shared memory: decode all values
};

/// The meaning of a status as part of an error message, such as "it is cut off". Static storage.
const char* text_of(ColumnStatus status);

/// Checks the header of a described column in the `bytes` bytes at `memory` (aligned to 8 bytes).
/// The bytes may be arbitrary; the function reads none outside of them. If the function returns
/// kOk, the table of parts lies inside of the bytes, but its rows are unchecked. The codec's id is
/// not checked.
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

/// Whether row `i` (< header.parts) of the table of parts is valid, in a column for whose header
/// header_status() returned kOk. A row is valid if the part's words and four words of padding lie
/// inside of the column and behind the part before. Rows may be checked in any order and
/// concurrently. If all rows are valid, no two parts share a word.
GANNET_HD bool part_is_valid(const std::byte* memory, std::uint32_t i) {
  const ColumnHeader& header = *reinterpret_cast<const ColumnHeader*>(memory);
  const auto* rows = reinterpret_cast<const ColumnPart*>(memory + sizeof header);
  const auto units_of = [](std::uint32_t words) { return (std::uint64_t{words} + 4 + 3) / 4; };
  // The sum is arbitrary if row i - 1 is invalid; the check of row i - 1 finds that.
  const std::uint64_t first = i == 0 ? sizeof header / kColumnUnit + header.parts
                                     : rows[i - 1].first_unit + units_of(rows[i - 1].words);
  const ColumnPart part = rows[i];
  const std::uint64_t units = header.bytes / kColumnUnit;
  return part.reserved == 0 && part.first_unit >= first && part.first_unit <= units &&
         units_of(part.words) <= units - part.first_unit;
}

/// Encodes `values` to a described column. `values` is an array of `type`, aligned to the type, of
/// any length. `part_values` is the number of values of a part: a multiple of 128 from
/// kMinPartValues to kMaxListLength. Each part costs 32 to 44 bytes beyond its encoded words.
///
/// Throws UsageError if the codec does not take `type`, if a parameter or `part_values` is invalid,
/// and if `values` is not aligned or not a whole number of values. Throws CancelledError soon after
/// the token of the thread's StopScope requests a stop.
std::vector<std::uint32_t> encode_column(const Codec& codec, ValueType type,
                                         std::span<const std::byte> values,
                                         const Parameters& parameters = {},
                                         std::uint32_t part_values = kPartValues);

/// Checks the header and the table of parts and returns the header. Reads no encoded words. Throws
/// FormatError if the header or a row is invalid, UsageError if `column` is not aligned to 8 bytes.
ColumnHeader read_header(std::span<const std::uint32_t> column);

/// Throws FormatError unless `column` is a described column whose decoding reads inside of it only.
/// Time is linear in the size of the column. Throws UsageError if `column` is not aligned to 8
/// bytes, CancelledError soon after the token of the thread's StopScope requests a stop.
void validate_column(std::span<const std::uint32_t> column);

/// Decodes values [first, first + count) of a described column to `out`, which has room for `count`
/// values of the column's type and is aligned to the type. validate_column() must have accepted the
/// column: the function checks the header and the table of parts, but not the encoded words. Cost:
/// one step for each part of the column, then that of Codec::decode. Throws UsageError if the range
/// exceeds the column, if `out` is not aligned, and if `column` is not aligned to 8 bytes; throws
/// FormatError if the header or a row is invalid.
void decode_column(std::span<const std::uint32_t> column, std::uint64_t first, std::uint64_t count,
                   std::byte* out);

}  // namespace gannet::codecs
