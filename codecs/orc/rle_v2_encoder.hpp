// Encoding rle-v2, on the host: which kind of group values get, and its bytes. Chooses as ORC's
// writer does with its strategy "compression"; as there, values are compared and subtracted as
// signed ones. rle_v2.hpp says what the format is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/orc/integers.hpp"
#include "codecs/orc/rle_v2_format.hpp"

namespace gannet::codecs::orc {

class RleV2Encoder {
 public:
  using Bytes = std::vector<std::uint8_t>;
  using Values = std::span<const std::int64_t>;

  /// Appends the groups of `values`, of a signed column or not.
  static void encode(Values values, bool is_signed, Bytes& bytes) {
    std::size_t first = 0;
    while (first < values.size()) {
      const Values rest = values.subspan(first);
      const std::size_t repeats = repeats_at(rest);
      if (repeats >= kMinRepeat) {
        put_repeats(values[first], repeats, is_signed, bytes);
        first += repeats;
      } else {
        const std::size_t length = values_before_repeats(rest);
        put_varying(rest.first(length), is_signed, bytes);
        first += length;
      }
    }
  }

 private:
  static constexpr std::uint32_t kMaxShortRepeat = 10;
  static constexpr std::uint32_t kMaxValues = 512;
  /// Bases have a sign bit, and at most eight bytes.
  static constexpr std::uint32_t kMaxBaseBits = 56;

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

  static std::size_t repeats_at(Values values) {
    const std::size_t most = std::min<std::size_t>(values.size(), kMaxValues);
    std::size_t length = 1;
    while (length < most && values[length] == values[0]) ++length;
    return length;
  }

  /// Number of values before three equal ones; a group's worth at most.
  static std::size_t values_before_repeats(Values values) {
    const std::size_t most = std::min<std::size_t>(values.size(), kMaxValues);
    for (std::size_t i = 0; i + kMinRepeat <= most; ++i) {
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
    if (length <= kMaxShortRepeat) {
      const std::uint64_t stored = is_signed ? zigzag(value) : static_cast<std::uint64_t>(value);
      const std::uint32_t size = (bits_of(stored) + 7) / 8;
      Packer out(bytes);
      out.put(size - 1, 5);
      out.put(length - kMinRepeat, 3);
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
    put_value(first, is_signed, bytes);
    put_value(delta, true, bytes);
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
    if (is_signed) std::transform(values.begin(), values.end(), stored.begin(), zigzag);
    const auto put_direct = [&] { put_packed(stored, bytes); };
    if (values.size() <= kMinRepeat) return put_direct();
    const Shape shape = shape_of(values);
    if (!shape.subtracts) return put_direct();
    if (shape.fixed) {
      return put_fixed_delta(values[0], shape.first_delta, values.size(), is_signed, bytes);
    }
    if (shape.first_delta != 0 && (shape.rises || shape.falls)) {
      return put_deltas(values, shape, is_signed, bytes);
    }
    if (percentile_bits(stored, 1.0) - percentile_bits(stored, 0.9) <= 1 ||
        bits_of(absolute(shape.least)) >= kMaxBaseBits) {
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
    put_value(values[0], is_signed, bytes);
    put_value(shape.first_delta, true, bytes);
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

}  // namespace gannet::codecs::orc
