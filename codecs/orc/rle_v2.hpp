// rle-v2: ORC's integer run-length encoding, version 2.
// Source: Apache ORC specification v1, "Integer Run Length Encoding, version 2"; as a codec of
// chunks on the GPU: Park et al., "CODAG", section II-A.
//
// A stream is a sequence of groups of four kinds; the two highest bits of the first byte say which.
// Packed numbers have their highest bit first; a group's packed numbers end at a whole byte.
//   0 short repeat   bits: 3 bytes of the value - 1, 3 length - 3; the value, highest byte first
//   1 direct         bits: 5 width code, 9 length - 1; the values, packed
//   2 patched base   bits: 5 width code, 9 length - 1, 3 bytes of the base - 1, 5 patch width code,
//                    3 gap width - 1, 5 number of patches; the base, highest byte first, its
//                    highest bit its sign; value - base, packed, without the bits that are patched;
//                    the patches, packed: a gap (values since the patch before) and the bits to put
//                    above the packed ones. A gap of 255 with bits 0 patches nothing
//   3 delta          bits: 5 width code (0: all deltas are the first one), 9 length - 1; varints of
//                    the first value and of the first delta (zigzag-coded always); the absolute
//                    values of the further deltas, packed: they have the sign of the first
// Width codes 0..23 stand for 1..24 bits, the others for 26, 28, 30, 32, 40, 48, 56 and 64.
// Values of signed columns are zigzag-coded in short repeats, direct groups and the varint. All
// arithmetic is modulo 2^64, of which a column's type keeps the low bits.
//
// Encoder, decoder: rle_v2_encoder.hpp, rle_v2_decoder.hpp; here are the codec and the validator.
// Columns: strips.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/orc/integers.hpp"
#include "codecs/orc/rle_v2_decoder.hpp"
#include "codecs/orc/rle_v2_encoder.hpp"
#include "codecs/streams/strip_codec.hpp"

namespace gannet::codecs {

struct RleV2 : StripCodec<RleV2> {
  static constexpr std::string_view name = "rle-v2";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);

  // What StripColumn needs.

  static constexpr BitOrder order = BitOrder::kMsbFirst;

  template <class Value>
  using Decoder = orc::RleV2Decoder<Value>;

  static void encode_strip(std::span<const std::int64_t> values, bool is_signed,
                           std::vector<std::uint8_t>& bytes) {
    orc::RleV2Encoder::encode(values, is_signed, bytes);
  }

  /// What is wrong with the `size` bytes of a strip of `values` values.
  GANNET_HD static Fault strip_fault(const std::uint8_t* bytes, std::uint32_t size,
                                     std::uint32_t values) {
    Group group{};
    std::uint32_t left = values;
    while (left > 0) {
      const Fault fault = read_group(bytes, size, group);
      if (fault != nullptr) return fault;
      if (group.values > left) return "it has too many values";
      if (group.bytes > size) return orc::kEndsEarly;
      left -= group.values;
      bytes += group.bytes;
      size -= group.bytes;
    }
    return size == 0 ? nullptr : "it has bytes to spare";
  }

 private:
  struct Group {
    std::uint32_t values;
    std::uint32_t bytes;
  };

  /// What the group at the beginning of `bytes` (not necessarily all of it) takes.
  GANNET_HD static Fault read_group(const std::uint8_t* bytes, std::uint32_t size, Group& group) {
    if (size == 0) return orc::kEndsEarly;
    const std::uint32_t kind = bytes[0] >> 6;
    if (kind == 0) {
      group = {(bytes[0] & 7u) + orc::kMinRepeat, 2u + (bytes[0] >> 3 & 7)};
      return nullptr;
    }
    if (size < 2) return orc::kEndsEarly;
    const std::uint32_t code = bytes[0] >> 1 & 31;
    const std::uint32_t width = orc::width_of(code);
    group.values = ((bytes[0] & 1u) << 8 | bytes[1]) + 1;
    if (kind == 1) {
      group.bytes = 2 + packed_bytes(group.values, width);
      return nullptr;
    }
    return kind == 2 ? read_patched(bytes, size, width, group)
                     : read_delta(bytes, size, code, group);
  }

  GANNET_HD static Fault read_delta(const std::uint8_t* bytes, std::uint32_t size,
                                    std::uint32_t code, Group& group) {
    const std::uint32_t first = orc::varint_length(bytes + 2, size - 2);
    if (first == 0) return orc::kNoVarint;
    const std::uint32_t delta = orc::varint_length(bytes + 2 + first, size - 2 - first);
    if (delta == 0) return orc::kNoVarint;
    if (code != 0 && group.values < 2) return "a group of deltas has a single value";
    group.bytes = 2 + first + delta;
    if (code != 0) group.bytes += packed_bytes(group.values - 2, orc::width_of(code));
    return nullptr;
  }

  GANNET_HD static Fault read_patched(const std::uint8_t* bytes, std::uint32_t size,
                                      std::uint32_t width, Group& group) {
    if (size < 4) return orc::kEndsEarly;
    const std::uint32_t base_bytes = (bytes[2] >> 5) + 1u;
    const std::uint32_t patch_width = orc::width_of(bytes[2] & 31);
    const std::uint32_t gap_width = (bytes[3] >> 5) + 1u;
    const std::uint32_t patches = bytes[3] & 31;
    if (patches == 0) return "a group to be patched has no patches";
    if (gap_width + patch_width > 64) return "patches have more than 64 bits";
    group.bytes = 4 + base_bytes + packed_bytes(group.values, width) +
                  packed_bytes(patches, orc::closest_width(gap_width + patch_width));
    return nullptr;
  }

  GANNET_HD static std::uint32_t packed_bytes(std::uint32_t values, std::uint32_t width) {
    return (values * width + 7) / 8;
  }
};

static_assert(StripFormat<RleV2>);

}  // namespace gannet::codecs
