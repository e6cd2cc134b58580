// rle-v1: ORC's integer run-length encoding, version 1.
// Source: Apache ORC specification v1, "Integer Run Length Encoding, version 1"; as a codec of
// chunks on the GPU: Park et al., "CODAG", section II-A.
//
// A stream is a sequence of
//   runs       a byte 0..127 (length - 3), a byte -128..127 (delta), a varint (first value)
//   literals   a byte -1..-128 (minus their number), as many varints
// Signed values are zigzag-coded in the varints, unsigned ones are not. All arithmetic is modulo
// 2^64, of which a column's type keeps the low bits.
//
// The encoder decides as ORC's writer: three values in arithmetic progression start a run.
// Columns: strips.hpp.
#pragma once

#include <algorithm>

#include "codecs/orc/integers.hpp"
#include "codecs/orc/run_decoder.hpp"
#include "codecs/streams/strip_codec.hpp"

namespace gannet::codecs {

struct RleV1 : StripCodec<RleV1> {
  static constexpr std::string_view name = "rle-v1";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);

  // What StripColumn needs.

  static constexpr BitOrder order = BitOrder::kLsbFirst;

  template <class Value>
  class Decoder : public orc::RunDecoder<Value> {
   public:
    using Symbol = RunSymbol<Value>;
    using orc::RunDecoder<Value>::RunDecoder;

    /// A run, or one literal.
    template <class Input>
    GANNET_HD Symbol next(Input& input) {
      Symbol symbol{0, 0, 1};
      if (literals_ == 0) {
        const std::uint32_t header = input.peek_bits(16);
        const std::uint32_t control = header & 0xff;
        if (control < 128) {
          symbol.delta = static_cast<Value>(static_cast<std::int32_t>(header << 16) >> 24);
          symbol.length = control + kMinRun;
          ++literals_;
        } else {
          literals_ = 256 - control;
        }
        input.skip_bits(control < 128 ? 16 : 8);
      }
      --literals_;
      symbol.init = orc::decoded<Value>(orc::fetch_varint(input), is_signed_);
      return symbol;
    }

   private:
    using orc::RunDecoder<Value>::is_signed_;
    std::uint32_t literals_ = 0;  ///< that follow
  };

  static void encode_strip(std::span<const std::int64_t> values, bool is_signed,
                           std::vector<std::uint8_t>& bytes) {
    std::size_t first = 0;
    while (first < values.size()) {
      const std::span<const std::int64_t> rest = values.subspan(first);
      const std::size_t literals = literals_before_run(rest);
      if (literals > 0) {
        put_literals(rest.first(literals), is_signed, bytes);
        first += literals;
      } else {
        first += put_run(rest, is_signed, bytes);
      }
    }
  }

  /// What is wrong with the `size` bytes of a strip of `values` values.
  GANNET_HD static Fault strip_fault(const std::uint8_t* bytes, std::uint32_t size,
                                     std::uint32_t values) {
    std::uint32_t at = 0;
    std::uint32_t left = values;
    while (left > 0) {
      if (at == size) return orc::kEndsEarly;
      const std::uint8_t control = bytes[at++];
      const bool run = control < 128;
      const std::uint32_t length = run ? control + kMinRun : 256u - control;
      if (length > left) return "it has too many values";
      left -= length;
      if (run && at++ == size) return orc::kEndsEarly;
      for (std::uint32_t i = 0; i < (run ? 1 : length); ++i) {
        const std::uint32_t varint = orc::varint_length(bytes + at, size - at);
        if (varint == 0) return orc::kNoVarint;
        at += varint;
      }
    }
    return at == size ? nullptr : "it has bytes to spare";
  }

 private:
  static constexpr std::uint32_t kMinRun = 3;
  static constexpr std::uint32_t kMaxRun = 130;
  static constexpr std::uint32_t kMaxLiterals = 128;

  static std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }

  /// Whether values[i .. i + 3) start a run.
  static bool starts_run(std::span<const std::int64_t> values, std::size_t i) {
    const std::int64_t delta = difference(values[i + 1], values[i]);
    return delta >= -128 && delta <= 127 && difference(values[i + 2], values[i + 1]) == delta;
  }

  /// Number of values (at most kMaxLiterals) before the first run.
  static std::size_t literals_before_run(std::span<const std::int64_t> values) {
    const std::size_t most = std::min<std::size_t>(values.size(), kMaxLiterals);
    for (std::size_t i = 0; i + kMinRun <= most; ++i) {
      if (starts_run(values, i)) return i;
    }
    return most;
  }

  static void put_literals(std::span<const std::int64_t> values, bool is_signed,
                           std::vector<std::uint8_t>& bytes) {
    bytes.push_back(static_cast<std::uint8_t>(256 - values.size()));
    for (const std::int64_t value : values) orc::put_value(value, is_signed, bytes);
  }

  /// Writes the run with which `values` begin; returns its length.
  static std::size_t put_run(std::span<const std::int64_t> values, bool is_signed,
                             std::vector<std::uint8_t>& bytes) {
    const std::int64_t delta = difference(values[1], values[0]);
    std::size_t length = kMinRun;
    while (length < values.size() && length < kMaxRun &&
           difference(values[length], values[length - 1]) == delta) {
      ++length;
    }
    bytes.push_back(static_cast<std::uint8_t>(length - kMinRun));
    bytes.push_back(static_cast<std::uint8_t>(delta));
    orc::put_value(values[0], is_signed, bytes);
    return length;
  }
};

static_assert(StripFormat<RleV1>);

}  // namespace gannet::codecs
