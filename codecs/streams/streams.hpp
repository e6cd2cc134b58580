// Byte streams and their decoders, after CODAG's framework.
// Source: Park et al., "CODAG: Characterizing and Optimizing Decompression Algorithms for GPUs",
// sections IV-B to IV-F, tables I and II, algorithm 2.
//
// A decoder is written once, over an input and an output stream: StreamDecoder, below.
// decode_symbols() runs it until the output is full or write() says so. What varies lies in the
// streams: MemoryInput reads plain memory, a word ahead; PositionInput has no buffer at all, for
// lanes that have a stream each (strips.hpp). CODAG's own input streams, which the lanes of a warp
// fill together, are compared with in bench/papers/codag.
//
// Output is for a warp: calls are made by all of its lanes together, with the same arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// Whether the first bit of a byte is its lowest (deflate) or its highest (ORC). Fields of several
/// bits follow suit: their first bit is the lowest or the highest of the value.
enum class BitOrder { kLsbFirst, kMsbFirst };

/// Bytes [begin, end) counted from the first byte of `words`. Streams read the words that hold one
/// of these bytes and no other.
struct ByteRange {
  const std::uint32_t* words;
  std::uint32_t begin;
  std::uint32_t end;

  GANNET_HD std::uint32_t first_word() const { return begin / 4; }
  /// The word at `index` (>= first_word()); its bytes beyond the end are 0.
  GANNET_HD std::uint32_t word(std::uint32_t index) const {
    if (4 * index + 4 <= end) return words[index];
    if (4 * index >= end) return 0;
    return words[index] & ((1u << (8 * (end - 4 * index))) - 1);
  }
};

/// What decodes one byte format, symbol by symbol.
template <class Decoder, class Input, class Output>
concept StreamDecoder = requires(Decoder& decoder, Input& input, Output& output,
                                 const typename Decoder::Symbol& symbol) {
  /// Decodes one symbol.
  { decoder.next(input) } -> std::same_as<typename Decoder::Symbol>;
  /// Writes it; false if it was the last one.
  { Decoder::write(symbol, output) } -> std::same_as<bool>;
};

/// A word with its bytes in reverse order.
GANNET_HD std::uint32_t reversed_bytes(std::uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

/// Words straight from memory: for the host, and for lanes with a stream each. One word is read
/// ahead, so that a lane seldom waits for it.
class MemoryWords {
 public:
  MemoryWords() = default;
  GANNET_HD explicit MemoryWords(ByteRange range)
      : range_(range), index_(range.first_word()), ahead_(range.word(index_)) {}

  /// The next word, 0 beyond the end.
  GANNET_HD std::uint32_t next() {
    const std::uint32_t word = ahead_;
    ahead_ = range_.word(++index_);
    return word;
  }

  /// The word at an index, out of order.
  GANNET_HD std::uint32_t word_at(std::uint32_t index) const { return range_.word(index); }

 private:
  ByteRange range_;
  std::uint32_t index_;
  std::uint32_t ahead_;
};

/// The paper's input_stream: fields of up to 32 bits, from a source of words such as MemoryWords.
/// Beyond the end there are zero bits; positions count from the start of the range.
template <class Words, BitOrder order>
class BitInput {
 public:
  static constexpr bool kMsbFirst = order == BitOrder::kMsbFirst;

  BitInput() = default;
  /// `begin` is that of the range that `words` reads.
  GANNET_HD BitInput(Words words, std::uint32_t begin) : words_(words), begin_(begin) {
    append(words_.next());
    append(words_.next());
    skip_bits(begin % 4 * 8);
    taken_ = 0;
  }

  /// The next `n` (0..32) bits, which stay.
  GANNET_HD std::uint32_t peek_bits(std::uint32_t n) const {
    if constexpr (order == BitOrder::kLsbFirst) {
      const std::uint64_t mask = (std::uint64_t{1} << n) - 1;
      return static_cast<std::uint32_t>(window_ & mask);
    } else {
      const auto top = static_cast<std::uint32_t>(window_ >> 32);
      return static_cast<std::uint32_t>(static_cast<std::uint64_t>(top) >> (32 - n));
    }
  }

  /// Steps over `n` (0..32) bits.
  GANNET_HD void skip_bits(std::uint32_t n) {
    if constexpr (order == BitOrder::kLsbFirst) {
      window_ >>= n;
    } else {
      window_ <<= n;
    }
    filled_ -= n;
    taken_ += n;
    if (filled_ < 32) append(words_.next());
  }

  /// The next `n` (0..32) bits.
  GANNET_HD std::uint32_t fetch_bits(std::uint32_t n) {
    const std::uint32_t bits = peek_bits(n);
    skip_bits(n);
    return bits;
  }

  /// Steps to the next byte boundary, or nowhere if this is one.
  GANNET_HD void align_to_byte() { skip_bits((0u - taken_) % 8); }

  /// `n` (0..32) bits at a bit position, straight from memory: for the few fields that stand out
  /// of order.
  GANNET_HD std::uint32_t bits_at(std::uint32_t position, std::uint32_t n) const {
    const std::uint32_t bit = begin_ % 4 * 8 + position;
    const std::uint32_t word = begin_ / 4 + bit / 32;
    const std::uint64_t first = words_.word_at(word);
    const std::uint64_t second = bit % 32 + n > 32 ? words_.word_at(word + 1) : 0;
    if constexpr (order == BitOrder::kLsbFirst) {
      const std::uint64_t both = second << 32 | first;
      return static_cast<std::uint32_t>(both >> bit % 32 & ((std::uint64_t{1} << n) - 1));
    } else {
      const std::uint64_t both = std::uint64_t{reversed_bytes(static_cast<std::uint32_t>(first))}
                                     << 32 |
                                 reversed_bytes(static_cast<std::uint32_t>(second));
      const std::uint64_t top = (both << bit % 32) >> 32;
      return static_cast<std::uint32_t>(top >> (32 - n));
    }
  }

  /// Bits taken so far.
  GANNET_HD std::uint32_t bit_position() const { return taken_; }
  /// Bytes of which a bit was taken.
  GANNET_HD std::uint32_t byte_position() const { return (taken_ + 7) / 8; }

 protected:
  Words words_;
  std::uint32_t taken_ = 0;

 private:
  GANNET_HD void append(std::uint32_t word) {
    if constexpr (order == BitOrder::kLsbFirst) {
      window_ |= static_cast<std::uint64_t>(word) << filled_;
    } else {
      window_ |= static_cast<std::uint64_t>(reversed_bytes(word)) << (32 - filled_);
    }
    filled_ += 32;
  }

  std::uint32_t begin_ = 0;
  std::uint64_t window_ = 0;  ///< the next bits: its lowest or its highest, in the stream's order
  std::uint32_t filled_ = 0;  ///< bits in the window; at least 32 between calls
};

/// An input stream over words that are all at hand, such as those that a warp has staged in shared
/// memory for its lanes: it has no buffer, so every lane may have one at hardly any cost. Reads the
/// word of its position and the next one, also beyond the end of the stream: a caller must not take
/// more than there is, and have a readable word behind. Positions count from the first word.
template <BitOrder order, bool reversed_words = false>
class PositionInput {
 public:
  static constexpr bool kMsbFirst = order == BitOrder::kMsbFirst;

  PositionInput() = default;
  /// Starts at byte `begin` of `words`. With `reversed_words`, the bytes of every word are in
  /// reverse order (reversed_bytes()).
  GANNET_HD PositionInput(const std::uint32_t* words, std::uint32_t begin)
      : words_(words), bit_(8 * begin) {}

  GANNET_HD std::uint32_t peek_bits(std::uint32_t n) const { return bits_at(bit_, n); }
  GANNET_HD void skip_bits(std::uint32_t n) { bit_ += n; }
  GANNET_HD std::uint32_t fetch_bits(std::uint32_t n) {
    const std::uint32_t bits = peek_bits(n);
    skip_bits(n);
    return bits;
  }
  GANNET_HD void align_to_byte() { bit_ = (bit_ + 7) / 8 * 8; }
  GANNET_HD std::uint32_t bit_position() const { return bit_; }
  GANNET_HD std::uint32_t byte_position() const { return (bit_ + 7) / 8; }

  GANNET_HD std::uint32_t bits_at(std::uint32_t position, std::uint32_t n) const {
    const std::uint32_t first = word(position / 32);
    const std::uint32_t second = word(position / 32 + 1);
    if constexpr (order == BitOrder::kLsbFirst) {
      const std::uint64_t both = static_cast<std::uint64_t>(second) << 32 | first;
      return static_cast<std::uint32_t>(both >> position % 32) & low_mask(n);
    } else {
      const std::uint64_t both = static_cast<std::uint64_t>(first) << 32 | second;
      const auto top = static_cast<std::uint32_t>((both << position % 32) >> 32);
      return n == 0 ? 0 : top >> (32 - n);
    }
  }

 private:
  GANNET_HD std::uint32_t word(std::uint32_t index) const {
    return kMsbFirst != reversed_words ? reversed_bytes(words_[index]) : words_[index];
  }

  const std::uint32_t* words_ = nullptr;
  std::uint32_t bit_ = 0;
};

/// A stream in plain memory, for the host or for one lane.
template <BitOrder order>
struct MemoryInput : BitInput<MemoryWords, order> {
  MemoryInput() = default;
  GANNET_HD explicit MemoryInput(ByteRange range)
      : BitInput<MemoryWords, order>(MemoryWords(range), range.begin) {}
};

/// The paper's output_stream: values of type T (bytes, for deflate) in order. What does not fit the
/// capacity is dropped.
template <class T, class Lanes>
class Output {
 public:
  using Type = T;
  /// `out` may be any memory that all lanes see.
  GANNET_HD Output(Lanes lanes, T* out, std::uint32_t capacity)
      : lanes_(lanes), out_(out), capacity_(capacity) {}

  GANNET_HD std::uint32_t position() const { return position_; }
  GANNET_HD bool full() const { return position_ == capacity_; }

  /// Writes one value; one lane does it.
  GANNET_HD void write_value(T value) {
    if (full()) return;
    lanes_.each([&](std::uint32_t lane) {
      if (lane == 0) out_[position_] = value;
    });
    ++position_;
  }

  GANNET_HD void write_byte(std::uint8_t byte) requires(sizeof(T) == 1) {
    write_value(static_cast<T>(byte));
  }

  /// Writes init, init + delta, ... : `length` values, modulo 2^bits. Lanes write them in turn, 16
  /// bytes each where the output is aligned for that.
  GANNET_HD void write_run(T init, std::uint32_t length, T delta) {
    length = fitting(length);
    T* to = out_ + position_;
    const std::uint32_t head = length < 2 * kLanes ? length : before_aligned(to, length);
    const std::uint32_t vectors = (length - head) / kVector;
    const std::uint32_t tail = head + vectors * kVector;
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t i = lane; i < head; i += kLanes) to[i] = at(init, delta, i);
      for (std::uint32_t v = lane; v < vectors; v += kLanes) {
        Vector vector;
        for (std::uint32_t i = 0; i < kVector; ++i) {
          vector.value[i] = at(init, delta, head + v * kVector + i);
        }
        *reinterpret_cast<Vector*>(to + head + v * kVector) = vector;
      }
      if (tail + lane < length) to[tail + lane] = at(init, delta, tail + lane);
    });
    position_ += length;
  }

  /// Appends `length` values that stand `offset` (1..position()) values back; the copy may overlap
  /// itself. Algorithm 2 of the paper: bytes up to a word boundary, then a word a lane. All values
  /// are taken from before the old end (modulo the offset if it is shorter), so one barrier
  /// suffices.
  GANNET_HD void memcpy(std::uint32_t offset, std::uint32_t length) {
    length = fitting(length);
    lanes_.sync();
    T* to = out_ + position_;
    const T* from = to - offset;
    if (sizeof(T) == 1 && length >= 8) {
      copy_words(reinterpret_cast<std::uint8_t*>(to), offset, length);
    } else {
      lanes_.each([&](std::uint32_t lane) {
        for (std::uint32_t i = lane; i < length; i += kLanes) {
          to[i] = from[offset >= length ? i : i % offset];
        }
      });
    }
    position_ += length;
  }

 private:
  static constexpr std::uint32_t kVector = 16 / sizeof(T);
  struct alignas(16) Vector {
    T value[kVector];
  };

  GANNET_HD std::uint32_t fitting(std::uint32_t length) const {
    const std::uint32_t left = capacity_ - position_;
    return length < left ? length : left;
  }

  /// Values before the first 16-byte boundary, at most `length`.
  GANNET_HD static std::uint32_t before_aligned(const T* to, std::uint32_t length) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    const auto values = static_cast<std::uint32_t>((0 - address) % 16 / sizeof(T));
    return values < length ? values : length;
  }

  GANNET_HD static T at(T init, T delta, std::uint32_t i) {
    return static_cast<T>(static_cast<std::uint64_t>(init) + static_cast<std::uint64_t>(delta) * i);
  }

  /// `length` >= 8 bytes.
  GANNET_HD void copy_words(std::uint8_t* to, std::uint32_t offset, std::uint32_t length) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    const auto head = static_cast<std::uint32_t>((0 - address) % 4);
    const std::uint32_t words = (length - head) / 4;
    const std::uint32_t tail = head + 4 * words;
    const std::uint8_t* from = to - offset;
    lanes_.each([&](std::uint32_t lane) {
      if (lane < head) to[lane] = from[lane % offset];
      for (std::uint32_t w = lane; w < words; w += kLanes) {
        const std::uint32_t first = head + 4 * w;
        *reinterpret_cast<std::uint32_t*>(to + first) =
            offset >= length ? unaligned(from + first) : wrapped(from, offset, first);
      }
      if (tail + lane < length) to[tail + lane] = from[(tail + lane) % offset];
    });
  }

  /// The four bytes at `from`, by loads of the one or two words that hold them.
  GANNET_HD static std::uint32_t unaligned(const std::uint8_t* from) {
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % 4);
    const auto* words = reinterpret_cast<const std::uint32_t*>(from - skew);
    if (skew == 0) return words[0];
    return words[0] >> (8 * skew) | words[1] << (32 - 8 * skew);
  }

  /// Bytes first .. first + 3 of the endless repetition of from[0 .. offset).
  GANNET_HD static std::uint32_t wrapped(const std::uint8_t* from, std::uint32_t offset,
                                         std::uint32_t first) {
    std::uint32_t word = 0;
    std::uint32_t place = first % offset;
    for (std::uint32_t i = 0; i < 4; ++i) {
      word |= static_cast<std::uint32_t>(from[place]) << (8 * i);
      place = place + 1 == offset ? 0 : place + 1;
    }
    return word;
  }

  Lanes lanes_;
  T* out_;
  std::uint32_t capacity_;
  std::uint32_t position_ = 0;
};

/// The host's output stream.
template <class T>
using HostOutput = Output<T, SerialLanes>;

/// Decodes until the output is full or the decoder has written its last symbol.
template <class Decoder, class Input, class Out>
GANNET_HD void decode_symbols(Decoder& decoder, Input& input, Out& output) {
  while (!output.full()) {
    if (!Decoder::write(decoder.next(input), output)) return;
  }
}

}  // namespace gannet::codecs
