// Inflating symbol after symbol: the form that the host runs.
#pragma once

#include <cstring>

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

/// Inflates one stream. `Input` and `Output` are streams of streams.hpp, or those above. Symbols
/// are decoded by next_symbol(input, tables), of which an input may bring a form of its own.
template <class Lanes, class Input, class Out>
class SerialInflate {
 public:
  /// Nothing is accepted from beyond bit `limit` of the input and nothing written beyond byte
  /// `size` of the output, whatever the bits say.
  GANNET_HD SerialInflate(Lanes lanes, std::uint32_t limit, std::uint32_t size, Tables& tables,
                          HeadSpace& space)
      : lanes_(lanes), limit_(limit), size_(size), tables_(tables), space_(space) {}

  /// Whether `input`, which stands at bit 0, is a stream that ends within its limit and within the
  /// size. All lanes together.
  GANNET_HD bool run(Input& input, Out& output) {
    for (;;) {
      const bool last = input.fetch_bits(1) != 0;
      const std::uint32_t type = input.fetch_bits(2);
      bool good = false;
      if (type == 0) {
        good = stored(input, output);
      } else if (type == 1) {
        good = fixed_tables(lanes_, space_, tables_) && symbols(input, output);
      } else if (type == 2) {
        good = dynamic_tables(lanes_, input, limit_, space_, tables_) && symbols(input, output);
      }
      if (!good || input.bit_position() > limit_) return false;
      if (last) return true;
    }
  }

 private:
  GANNET_HD bool stored(Input& input, Out& output) {
    std::uint32_t length = 0;
    if (!stored_length(input, length)) return false;
    if (length > size_ - output.position()) return false;
    const std::uint32_t at = input.bit_position();
    if (at > limit_ || length > (limit_ - at) / 8) return false;
    for (std::uint32_t i = 0; i < length; ++i) {
      output.write_byte(static_cast<std::uint8_t>(input.fetch_bits(8)));
    }
    return true;
  }

  GANNET_HD bool symbols(Input& input, Out& output) {
    for (;;) {
      const Symbol symbol = next_symbol(input, tables_);
      if (input.bit_position() > limit_) return false;
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

  Lanes lanes_;
  std::uint32_t limit_;
  std::uint32_t size_;
  Tables& tables_;
  HeadSpace& space_;
};

}  // namespace gannet::codecs::deflate
