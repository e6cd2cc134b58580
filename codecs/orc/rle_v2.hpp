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
// The encoder chooses as ORC's writer does with its strategy "compression". Columns: strips.hpp.
#pragma once

#include <algorithm>
#include <array>

#include "codecs/orc/integers.hpp"
#include "codecs/orc/run_decoder.hpp"
#include "codecs/streams/strips.hpp"

namespace gannet::codecs {

struct RleV2 : StripCodec<RleV2> {
  static constexpr std::string_view name = "rle-v2";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);

  // What StripColumn needs.

  static constexpr BitOrder order = BitOrder::kMsbFirst;

  template <class Value>
  class Decoder : public orc::RunDecoder<Value> {
   public:
    using Symbol = RunSymbol<Value>;
    using orc::RunDecoder<Value>::RunDecoder;

    /// A run, or one of a group's packed values.
    template <class Input>
    GANNET_HD Symbol next(Input& input) {
      if (left_ == 0) {
        Symbol symbol{0, 0, 0};
        start_group(input, symbol);
        if (symbol.length > 0) return symbol;
      }
      const Value value = next_packed(input);
      if (--left_ == 0) end_group(input);
      return {value, 0, 1};
    }

   private:
    enum Kind : std::uint32_t { kShortRepeat, kDirect, kPatchedBase, kDelta };

    /// Takes a group's header. `symbol` is what comes before its packed values; if that has no
    /// values, there is a packed one.
    template <class Input>
    GANNET_HD void start_group(Input& input, Symbol& symbol) {
      const std::uint32_t header = input.peek_bits(32);
      kind_ = header >> 30;
      if (kind_ == kShortRepeat) {
        input.skip_bits(8);
        const std::uint32_t bytes = (header >> 27 & 7) + 1;
        symbol.length = (header >> 24 & 7) + kLeastRepeat;
        symbol.init = orc::decoded<Value>(fetch_wide(input, 8 * bytes), is_signed_);
        return;
      }
      const std::uint32_t code = header >> 25 & 31;
      const std::uint32_t length = (header >> 16 & 511) + 1;
      width_ = width_of(code);
      input.skip_bits(kind_ == kPatchedBase ? 32 : 16);
      if (kind_ == kDelta) {
        start_delta(input, code, length, symbol);
        return;
      }
      left_ = length;
      if (kind_ == kPatchedBase) start_patched(input, header);
    }

    template <class Input>
    GANNET_HD void start_delta(Input& input, std::uint32_t code, std::uint32_t length,
                               Symbol& symbol) {
      symbol.init = orc::decoded<Value>(orc::fetch_varint(input), is_signed_);
      const std::uint64_t delta = orc::fetch_varint(input);
      symbol.delta = orc::decoded<Value>(delta, true);
      symbol.length = code == 0 || length < 2 ? length : 2;
      left_ = length - static_cast<std::uint32_t>(symbol.length);
      base_ = symbol.init + symbol.delta;
      falls_ = delta % 2 == 1;
    }

    template <class Input>
    GANNET_HD void start_patched(Input& input, std::uint32_t header) {
      const std::uint32_t base_bits = 8 * ((header >> 13 & 7) + 1);
      patch_width_ = width_of(header >> 8 & 31);
      gap_width_ = (header >> 5 & 7) + 1;
      patches_ = header & 31;
      const std::uint64_t base = fetch_wide(input, base_bits);
      const std::uint64_t sign = std::uint64_t{1} << (base_bits - 1);
      base_ = static_cast<Value>((base & sign) != 0 ? 0 - (base & ~sign) : base);
      patch_at_ = input.bit_position() + (left_ * width_ + 7) / 8 * 8;
      patch_bytes_ = (patches_ * closest_width(gap_width_ + patch_width_) + 7) / 8;
      next_patch(input);
    }

    template <class Input>
    GANNET_HD Value next_packed(Input& input) {
      std::uint64_t bits = fetch_wide(input, width_);
      if (kind_ == kDirect) return orc::decoded<Value>(bits, is_signed_);
      if (kind_ == kDelta) {
        base_ += static_cast<Value>(falls_ ? 0 - bits : bits);
        return base_;
      }
      if (gap_-- == 0) {
        bits |= patch_;
        next_patch(input);
        --gap_;
      }
      return base_ + static_cast<Value>(bits);
    }

    /// Reads the next patch: the gap before it and its bits, where they go.
    template <class Input>
    GANNET_HD void next_patch(const Input& input) {
      gap_ = 0;
      while (patches_ > 0) {
        const std::uint32_t width = closest_width(gap_width_ + patch_width_);
        const std::uint64_t entry = wide_at(input, patch_at_, width);
        patch_at_ += width;
        --patches_;
        const std::uint32_t gap =
            static_cast<std::uint32_t>(entry >> patch_width_) & low_mask(gap_width_);
        const std::uint64_t bits = entry & ((std::uint64_t{1} << patch_width_) - 1);
        gap_ += gap;
        if (gap == 255 && bits == 0) continue;
        patch_ = width_ < 64 ? bits << width_ : 0;
        return;
      }
      gap_ = kNoPatch;
    }

    /// Steps over the bits that fill a group's last byte, and over its patches.
    template <class Input>
    GANNET_HD void end_group(Input& input) {
      input.align_to_byte();
      if (kind_ != kPatchedBase) return;
      std::uint32_t bytes = patch_bytes_;
      for (; bytes >= 4; bytes -= 4) input.skip_bits(32);
      input.skip_bits(8 * bytes);
    }

    template <class Input>
    GANNET_HD static std::uint64_t fetch_wide(Input& input, std::uint32_t n) {
      if (n <= 32) return input.fetch_bits(n);
      const std::uint64_t high = input.fetch_bits(n - 32);
      return high << 32 | input.fetch_bits(32);
    }

    template <class Input>
    GANNET_HD static std::uint64_t wide_at(const Input& input, std::uint32_t at, std::uint32_t n) {
      if (n <= 32) return input.bits_at(at, n);
      return static_cast<std::uint64_t>(input.bits_at(at, n - 32)) << 32 |
             input.bits_at(at + n - 32, 32);
    }

    static constexpr std::uint32_t kNoPatch = 1u << 31;

    using orc::RunDecoder<Value>::is_signed_;
    bool falls_ = false;  ///< deltas are subtracted
    std::uint32_t kind_ = 0;
    std::uint32_t left_ = 0;      ///< packed values that follow
    std::uint32_t width_ = 0;     ///< bits of each
    Value base_ = 0;              ///< of patched values; the value before, for deltas
    std::uint32_t gap_ = 0;       ///< values before the next patched one
    std::uint64_t patch_ = 0;     ///< what is put to its bits
    std::uint32_t patch_at_ = 0;  ///< where the patch after that one stands
    std::uint32_t patches_ = 0;   ///< how many there are from there
    std::uint32_t patch_width_ = 0;
    std::uint32_t gap_width_ = 0;
    std::uint32_t patch_bytes_ = 0;
  };

  static void encode_strip(std::span<const std::int64_t> values, bool is_signed,
                           std::vector<std::uint8_t>& bytes) {
    std::size_t first = 0;
    while (first < values.size()) {
      const std::span<const std::int64_t> rest = values.subspan(first);
      const std::size_t repeats = repeats_at(rest);
      if (repeats >= kLeastRepeat) {
        put_repeats(values[first], repeats, is_signed, bytes);
        first += repeats;
      } else {
        const std::size_t length = values_before_repeats(rest);
        put_varying(rest.first(length), is_signed, bytes);
        first += length;
      }
    }
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

  /// The width that a code stands for.
  GANNET_HD static std::uint32_t width_of(std::uint32_t code) {
    if (code < 24) return code + 1;
    return code < 28 ? 2 * code - 22 : 8 * code - 184;
  }

  /// The smallest width with a code that is not below `bits` (0..64).
  GANNET_HD static std::uint32_t closest_width(std::uint32_t bits) {
    if (bits <= 24) return bits == 0 ? 1 : bits;
    return bits <= 32 ? (bits + 1) / 2 * 2 : (bits + 7) / 8 * 8;
  }

 private:
  static constexpr std::uint32_t kLeastRepeat = 3;
  static constexpr std::uint32_t kMostShortRepeat = 10;
  static constexpr std::uint32_t kMostValues = 512;
  /// Bases have a sign bit, and at most eight bytes.
  static constexpr std::uint32_t kMostBaseBits = 56;

  using Bytes = std::vector<std::uint8_t>;
  using Values = std::span<const std::int64_t>;

  // Validation.

  struct Group {
    std::uint32_t values;
    std::uint32_t bytes;
  };

  /// What the group at the beginning of `bytes` (not necessarily all of it) takes.
  GANNET_HD static Fault read_group(const std::uint8_t* bytes, std::uint32_t size, Group& group) {
    if (size == 0) return orc::kEndsEarly;
    const std::uint32_t kind = bytes[0] >> 6;
    if (kind == 0) {
      group = {(bytes[0] & 7u) + kLeastRepeat, 2u + (bytes[0] >> 3 & 7)};
      return nullptr;
    }
    if (size < 2) return orc::kEndsEarly;
    const std::uint32_t code = bytes[0] >> 1 & 31;
    const std::uint32_t width = width_of(code);
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
    if (code != 0) group.bytes += packed_bytes(group.values - 2, width_of(code));
    return nullptr;
  }

  GANNET_HD static Fault read_patched(const std::uint8_t* bytes, std::uint32_t size,
                                      std::uint32_t width, Group& group) {
    if (size < 4) return orc::kEndsEarly;
    const std::uint32_t base_bytes = (bytes[2] >> 5) + 1u;
    const std::uint32_t patch_width = width_of(bytes[2] & 31);
    const std::uint32_t gap_width = (bytes[3] >> 5) + 1u;
    const std::uint32_t patches = bytes[3] & 31;
    if (patches == 0) return "a group to be patched has no patches";
    if (gap_width + patch_width > 64) return "patches have more than 64 bits";
    group.bytes = 4 + base_bytes + packed_bytes(group.values, width) +
                  packed_bytes(patches, closest_width(gap_width + patch_width));
    return nullptr;
  }

  GANNET_HD static std::uint32_t packed_bytes(std::uint32_t values, std::uint32_t width) {
    return (values * width + 7) / 8;
  }

  // Encoding. As in ORC's writer, values are compared and subtracted as signed ones.

  /// Collects packed numbers, highest bit first; ends at a whole byte.
  class Packer {
   public:
    explicit Packer(Bytes& bytes) : bytes_(bytes) {}
    ~Packer() {
      if (filled_ > 0) bytes_.push_back(pending_);
    }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;

    void put(std::uint64_t value, std::uint32_t width) {
      while (width > 0) {
        const std::uint32_t part = std::min(width, 8 - filled_);
        width -= part;
        const auto bits = static_cast<std::uint32_t>(value >> width) & ((1u << part) - 1);
        filled_ += part;
        pending_ = static_cast<std::uint8_t>(pending_ | bits << (8 - filled_));
        if (filled_ == 8) {
          bytes_.push_back(pending_);
          pending_ = 0;
          filled_ = 0;
        }
      }
    }

   private:
    Bytes& bytes_;
    std::uint8_t pending_ = 0;
    std::uint32_t filled_ = 0;
  };

  static std::uint32_t bits_of(std::uint64_t value) {
    return closest_width(static_cast<std::uint32_t>(std::bit_width(value)));
  }

  static std::uint32_t code_of(std::uint32_t width) {
    if (width <= 24) return width - 1;
    return width <= 32 ? (width + 22) / 2 : (width + 184) / 8;
  }

  static std::size_t repeats_at(Values values) {
    const std::size_t most = std::min<std::size_t>(values.size(), kMostValues);
    std::size_t length = 1;
    while (length < most && values[length] == values[0]) ++length;
    return length;
  }

  /// Number of values before three equal ones; a group's worth at most.
  static std::size_t values_before_repeats(Values values) {
    const std::size_t most = std::min<std::size_t>(values.size(), kMostValues);
    for (std::size_t i = 0; i + kLeastRepeat <= most; ++i) {
      if (values[i] == values[i + 1] && values[i] == values[i + 2]) return i;
    }
    return most;
  }

  static void put_header(std::uint32_t kind, std::uint32_t code, std::size_t length, Packer& out) {
    out.put(kind, 2);
    out.put(code, 5);
    out.put(length - 1, 9);
  }

  static void put_repeats(std::int64_t value, std::size_t length, bool is_signed, Bytes& bytes) {
    if (length <= kMostShortRepeat) {
      const std::uint64_t stored =
          is_signed ? orc::zigzag(value) : static_cast<std::uint64_t>(value);
      const std::uint32_t size = (bits_of(stored) + 7) / 8;
      Packer out(bytes);
      out.put(size - 1, 5);
      out.put(length - kLeastRepeat, 3);
      out.put(stored, 8 * size);
      return;
    }
    put_fixed_delta(value, 0, length, is_signed, bytes);
  }

  static void put_fixed_delta(std::int64_t first, std::int64_t delta, std::size_t length,
                              bool is_signed, Bytes& bytes) {
    {
      Packer header(bytes);
      put_header(3, 0, length, header);
    }
    orc::put_value(first, is_signed, bytes);
    orc::put_value(delta, true, bytes);
  }

  /// What the choice of an encoding for varying values depends on.
  struct Shape {
    std::int64_t least;
    std::int64_t most;
    std::int64_t first_delta;
    std::uint64_t largest_delta = 0;  ///< absolute value, of all deltas but the first
    bool rises = true;
    bool falls = true;
    bool fixed = true;
    bool subtracts;  ///< no difference of two values overflows
  };

  static Shape shape_of(Values values) {
    Shape shape{};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    shape.least = *least;
    shape.most = *most;
    shape.rises = shape.falls = shape.fixed = true;
    std::int64_t ignored;
    shape.subtracts = !__builtin_sub_overflow(shape.most, shape.least, &ignored);
    if (!shape.subtracts) return shape;
    shape.first_delta = values[1] - values[0];
    for (std::size_t i = 1; i < values.size(); ++i) {
      const std::int64_t delta = values[i] - values[i - 1];
      shape.rises &= delta >= 0;
      shape.falls &= delta <= 0;
      shape.fixed &= delta == shape.first_delta;
      if (i > 1) shape.largest_delta = std::max(shape.largest_delta, absolute(delta));
    }
    return shape;
  }

  static std::uint64_t absolute(std::int64_t value) {
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  }

  /// Writes values of which no three that follow one another are equal.
  static void put_varying(Values values, bool is_signed, Bytes& bytes) {
    std::vector<std::uint64_t> stored(values.begin(), values.end());
    if (is_signed) std::transform(values.begin(), values.end(), stored.begin(), orc::zigzag);
    const auto put_direct = [&] { put_packed(stored, bytes); };
    if (values.size() <= kLeastRepeat) return put_direct();
    const Shape shape = shape_of(values);
    if (!shape.subtracts) return put_direct();
    if (shape.fixed) {
      return put_fixed_delta(values[0], shape.first_delta, values.size(), is_signed, bytes);
    }
    if (shape.first_delta != 0 && (shape.rises || shape.falls)) {
      return put_deltas(values, shape, is_signed, bytes);
    }
    if (percentile_bits(stored, 1.0) - percentile_bits(stored, 0.9) <= 1 ||
        bits_of(absolute(shape.least)) >= kMostBaseBits) {
      return put_direct();
    }
    std::vector<std::uint64_t> above(values.begin(), values.end());
    for (auto& value : above) value -= static_cast<std::uint64_t>(shape.least);
    if (percentile_bits(above, 1.0) == percentile_bits(above, 0.95)) return put_direct();
    put_patched(above, shape.least, bytes);
  }

  /// The width that all but a share 1 - p of the values keep within.
  static std::uint32_t percentile_bits(const std::vector<std::uint64_t>& values, double p) {
    std::array<std::uint32_t, 32> with_code{};
    for (const std::uint64_t value : values) ++with_code[code_of(bits_of(value))];
    auto wider = static_cast<std::uint32_t>(static_cast<double>(values.size()) * (1.0 - p));
    std::uint32_t code = 31;
    for (; code > 0 && wider >= with_code[code]; --code) wider -= with_code[code];
    return width_of(code);
  }

  static void put_packed(const std::vector<std::uint64_t>& stored, Bytes& bytes) {
    const std::uint32_t width = percentile_bits(stored, 1.0);
    Packer out(bytes);
    put_header(1, code_of(width), stored.size(), out);
    for (const std::uint64_t value : stored) out.put(value, width);
  }

  static void put_deltas(Values values, const Shape& shape, bool is_signed, Bytes& bytes) {
    // Code 0 says that the delta is fixed: one bit is written as two.
    const std::uint32_t width = std::max(bits_of(shape.largest_delta), 2u);
    {
      Packer header(bytes);
      put_header(3, code_of(width), values.size(), header);
    }
    orc::put_value(values[0], is_signed, bytes);
    orc::put_value(shape.first_delta, true, bytes);
    Packer out(bytes);
    for (std::size_t i = 2; i < values.size(); ++i) {
      out.put(absolute(values[i] - values[i - 1]), width);
    }
  }

  struct Patch {
    std::size_t gap;
    std::uint64_t bits;
  };

  /// The patches of the values that `width` bits do not hold.
  static std::vector<Patch> patches_of(const std::vector<std::uint64_t>& values,
                                       std::uint32_t width) {
    std::vector<Patch> patches;
    std::size_t before = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >> width == 0) continue;
      std::size_t gap = i - before;
      // Gaps have eight bits.
      for (; gap > 255; gap -= 255) patches.push_back({255, 0});
      patches.push_back({gap, values[i] >> width});
      before = i;
    }
    return patches;
  }

  static void put_patched(const std::vector<std::uint64_t>& above, std::int64_t base,
                          Bytes& bytes) {
    std::uint32_t width = percentile_bits(above, 0.95);
    std::uint32_t patch_width = closest_width(percentile_bits(above, 1.0) - width);
    // A gap and a patch must fit 64 bits together.
    if (patch_width == 64) {
      patch_width = 56;
      width = 8;
    }
    const std::vector<Patch> patches = patches_of(above, width);
    std::size_t widest_gap = 1;
    for (const Patch& patch : patches) widest_gap = std::max(widest_gap, patch.gap);
    const std::uint32_t gap_width = bits_of(widest_gap);
    const std::uint32_t base_bytes = (bits_of(absolute(base)) + 1 + 7) / 8;
    const std::uint64_t sign = base < 0 ? std::uint64_t{1} << (8 * base_bytes - 1) : 0;
    {
      Packer out(bytes);
      put_header(2, code_of(width), above.size(), out);
      out.put(base_bytes - 1, 3);
      out.put(code_of(patch_width), 5);
      out.put(gap_width - 1, 3);
      out.put(patches.size(), 5);
      out.put(absolute(base) | sign, 8 * base_bytes);
      for (const std::uint64_t value : above) out.put(value, width);
    }
    Packer out(bytes);
    const std::uint32_t entry = closest_width(gap_width + patch_width);
    for (const Patch& patch : patches) {
      out.put(std::uint64_t{patch.gap} << patch_width | patch.bits, entry);
    }
  }
};

static_assert(StripFormat<RleV2>);

}  // namespace gannet::codecs
