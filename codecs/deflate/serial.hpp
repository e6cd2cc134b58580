// Inflating symbol after symbol over the streams of streams.hpp: the form that the host runs, and
// CODAG's on the device, with all lanes decoding or lane 0 alone.
#pragma once

#include <cstring>
#include <type_traits>

#include "codecs/deflate/blocks.hpp"
#include "codecs/streams/streams.hpp"

namespace gannet::codecs::deflate {

/// A decoded symbol: bits 0-8 the literal or the length of a match, bits 9-24 its distance (0: a
/// literal), or one of the two below.
using Symbol = std::uint32_t;
inline constexpr Symbol kEndSymbol = 1u << 30;
inline constexpr Symbol kBadSymbol = 1u << 31;

GANNET_HD std::uint32_t distance_of(Symbol symbol) { return symbol >> 9; }
GANNET_HD std::uint32_t length_of(Symbol symbol) { return symbol < 512 ? 1 : symbol & 511; }
GANNET_HD Symbol match_symbol(std::uint32_t length, std::uint32_t distance) {
  return distance << 9 | length;
}

/// An input stream of whole words in plain memory, for the host or for lanes that all read the same
/// place; zero bits follow the last word. The bit functions are those of BitInput.
class WordInput {
 public:
  GANNET_HD WordInput(const std::uint32_t* words, std::uint32_t count)
      : words_(words), count_(count) {}

  GANNET_HD std::uint32_t peek_bits(std::uint32_t n) const {
    const std::uint32_t index = position_ / 32;
    return funnel(word(index), word(index + 1), position_) & low_mask(n);
  }
  GANNET_HD void skip_bits(std::uint32_t n) { position_ += n; }
  GANNET_HD std::uint32_t fetch_bits(std::uint32_t n) {
    const std::uint32_t bits = peek_bits(n);
    skip_bits(n);
    return bits;
  }
  GANNET_HD void align_to_byte() { position_ = (position_ + 7) / 8 * 8; }
  GANNET_HD std::uint32_t bit_position() const { return position_; }

 private:
  GANNET_HD std::uint32_t word(std::uint32_t index) const {
    return index < count_ ? words_[index] : 0;
  }

  const std::uint32_t* words_;
  std::uint32_t count_;
  std::uint32_t position_ = 0;
};

/// An output that keeps nothing but its length: for checking a stream.
class NoOutput {
 public:
  GANNET_HD std::uint32_t position() const { return position_; }
  GANNET_HD void write_byte(std::uint8_t) { ++position_; }
  GANNET_HD void memcpy(std::uint32_t, std::uint32_t length) { position_ += length; }

 private:
  std::uint32_t position_ = 0;
};

/// The host's output: plain bytes.
class ByteOutput {
 public:
  GANNET_HD explicit ByteOutput(std::uint8_t* out) : out_(out) {}
  GANNET_HD std::uint32_t position() const { return position_; }
  GANNET_HD void write_byte(std::uint8_t byte) { out_[position_++] = byte; }
  GANNET_HD void memcpy(std::uint32_t distance, std::uint32_t length) {
    std::uint8_t* to = out_ + position_;
    const std::uint8_t* from = to - distance;
    if (distance >= length) {
      std::memcpy(to, from, length);
    } else {
      for (std::uint32_t i = 0; i < length; ++i) to[i] = from[i];
    }
    position_ += length;
  }

 private:
  std::uint8_t* out_;
  std::uint32_t position_ = 0;
};

/// Decodes the next symbol of a block.
template <class Input>
GANNET_HD Symbol next_symbol(Input& input, const Tables& tables) {
  std::uint32_t bits = input.peek_bits(32);
  const std::uint32_t entry = find_literal(tables, bits);
  if (kind_of(entry) == kSpecial) return kBadSymbol;
  input.skip_bits(bits_of(entry));
  if (kind_of(entry) == kValue) return value_of(entry);
  if (kind_of(entry) == kEnd) return kEndSymbol;
  const std::uint32_t length = match_length(entry, bits);
  bits = input.peek_bits(32);
  const std::uint32_t second = find_distance(tables, bits);
  if (kind_of(second) == kSpecial) return kBadSymbol;
  input.skip_bits(bits_of(second));
  return match_symbol(length, match_distance(second, bits));
}

/// An input of which all lanes take, where usually lane 0 does: it is kept filled. The bit
/// functions are those of BitInput.
template <class Input>
class SharedInput {
 public:
  GANNET_HD explicit SharedInput(Input& input) : input_(input) {}
  GANNET_HD std::uint32_t peek_bits(std::uint32_t n) const { return input_.peek_bits(n); }
  GANNET_HD void skip_bits(std::uint32_t n) {
    input_.reserve();
    input_.skip_bits(n);
  }
  GANNET_HD std::uint32_t fetch_bits(std::uint32_t n) {
    input_.reserve();
    return input_.fetch_bits(n);
  }
  GANNET_HD void align_to_byte() {
    input_.reserve();
    input_.align_to_byte();
  }
  GANNET_HD std::uint32_t bit_position() const { return input_.bit_position(); }

 private:
  Input& input_;
};

/// Inflates one stream. `Input` and `Output` are streams of streams.hpp, or those above.
template <DecodeBy by, class Lanes, class Input, class Out>
class SerialInflate {
 public:
  /// Nothing is accepted from beyond bit `limit` of the input and nothing written beyond byte
  /// `size` of the output, whatever the bits say.
  GANNET_HD SerialInflate(Lanes lanes, std::uint32_t limit, std::uint32_t size, Tables& tables,
                          HeadSpace& space)
      : lanes_(lanes), limit_(limit), size_(size), tables_(tables), space_(space) {}

  /// Whether `input`, which stands at bit 0, is a stream that ends within its limit and within the
  /// size. All lanes together. restart(byte) gives an input that stands at byte `byte`: where lane
  /// 0 decodes alone, the other lanes' inputs are of no use after a block.
  template <class Restart>
  GANNET_HD bool run(Input& input, Out& output, Restart restart) {
    for (;;) {
      Shared shared(input);
      const bool last = shared.fetch_bits(1) != 0;
      const std::uint32_t type = shared.fetch_bits(2);
      bool good = false;
      if (type == 0) {
        good = stored(shared, output);
      } else if (type == 1) {
        good = fixed_tables(lanes_, space_, tables_) && symbols(input, output);
      } else if (type == 2) {
        good = dynamic_tables(lanes_, shared, limit_ - base_, space_, tables_) &&
               symbols(input, output);
      }
      if (!good || position(input) > limit_) return false;
      if (last) return true;
      if constexpr (by == DecodeBy::kLane0) {
        const std::uint32_t at = position(input);
        base_ = at / 8 * 8;
        input = restart(at / 8);
        input.skip_bits(at % 8);
      }
    }
  }

  /// The bit at which `input` stands.
  template <class AnyInput>
  GANNET_HD std::uint32_t position(const AnyInput& input) const {
    return base_ + input.bit_position();
  }

 private:
  /// How the input is read where all lanes do.
  using Shared = std::conditional_t<by == DecodeBy::kLane0, SharedInput<Input>, Input&>;

  GANNET_HD bool stored(Shared& input, Out& output) {
    std::uint32_t length = 0;
    if (!stored_length(input, length)) return false;
    if (length > size_ - output.position()) return false;
    const std::uint32_t at = position(input);
    if (at > limit_ || length > (limit_ - at) / 8) return false;
    for (std::uint32_t i = 0; i < length; ++i) {
      output.write_byte(static_cast<std::uint8_t>(input.fetch_bits(8)));
    }
    return true;
  }

  GANNET_HD bool symbols(Input& input, Out& output) {
    for (;;) {
      const Symbol symbol = decode(input);
      if (position(input) > limit_) return false;
      if (symbol >= kEndSymbol) return symbol == kEndSymbol;
      const std::uint32_t length = length_of(symbol);
      if (length > size_ - output.position()) return false;
      if (distance_of(symbol) == 0) {
        output.write_byte(static_cast<std::uint8_t>(symbol));
      } else {
        if (distance_of(symbol) > output.position()) return false;
        output.memcpy(distance_of(symbol), length);
      }
    }
  }

  GANNET_HD Symbol decode(Input& input) {
    if constexpr (by == DecodeBy::kAllLanes) {
      return next_symbol(input, tables_);
    } else {
      input.reserve();
      Symbol symbol = 0;
      lanes_.each([&](std::uint32_t lane) {
        if (lane == 0) symbol = next_symbol(input, tables_);
      });
      input.follow(lanes_);
      return from_lane0(lanes_, symbol);
    }
  }

  Lanes lanes_;
  std::uint32_t limit_;
  std::uint32_t size_;
  Tables& tables_;
  HeadSpace& space_;
  std::uint32_t base_ = 0;  ///< the bit from which the input counts
};

}  // namespace gannet::codecs::deflate
