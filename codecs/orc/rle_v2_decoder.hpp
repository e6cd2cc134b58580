// Decoding rle-v2: one group after another, a run or a packed value at a time; rle_v2.hpp says what
// the format is.
#pragma once

#include <cstdint>

#include "codecs/orc/integers.hpp"
#include "codecs/orc/rle_v2_format.hpp"
#include "codecs/orc/run_decoder.hpp"

namespace gannet::codecs::orc {

template <class Value>
class RleV2Decoder : public RunDecoder<Value> {
 public:
  using Symbol = RunSymbol<Value>;
  using RunDecoder<Value>::RunDecoder;

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
      symbol.length = (header >> 24 & 7) + kMinRepeat;
      symbol.init = decoded<Value>(fetch_wide(input, 8 * bytes), is_signed_);
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
    symbol.init = decoded<Value>(fetch_varint(input), is_signed_);
    const std::uint64_t delta = fetch_varint(input);
    symbol.delta = decoded<Value>(delta, true);
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
    if (kind_ == kDirect) return decoded<Value>(bits, is_signed_);
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

  using RunDecoder<Value>::is_signed_;
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

}  // namespace gannet::codecs::orc
