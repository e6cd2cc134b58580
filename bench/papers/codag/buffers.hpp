// CODAG's input streams: chunks of bytes that a warp decodes together, one chunk a warp.
// Source: Park et al., "CODAG: Characterizing and Optimizing Decompression Algorithms for GPUs",
// sections IV-B to IV-F, tables I and II, algorithm 1.
//
// A decoder is as in codecs/streams/streams.hpp; decode_symbols() runs it by all lanes (the paper's
// all-thread decoding), or by lane 0 alone, which broadcasts the symbols: these then are trivially
// copyable, of whole 32-bit words, and take at most kReservedBytes from the input. Words come from
// a buffer of two cache lines in shared memory (SharedWords), from two registers a lane
// (RegisterWords), or straight from memory (PlainWords). Calls are made by all lanes of the warp
// together, with the same arguments. Everything is a template over its lanes, so the host runs what
// the GPU runs.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/streams/streams.hpp"
#include "codecs/streams/strips.hpp"

namespace gannet::codecs::papers {

/// Who runs the decoder.
enum class DecodeBy { kAllLanes, kLane0 };

/// Words of a cache line, what one refill reads.
inline constexpr std::uint32_t kLineWords = 32;

/// What one symbol may take from the input where lane 0 decodes alone.
inline constexpr std::uint32_t kReservedBytes = 120;

/// The value that lane 0 has. With one lane on the host, that is the value itself.
template <class Lanes>
GANNET_HD std::uint32_t from_lane0(Lanes lanes, std::uint32_t value) {
  typename Lanes::template Var<std::uint32_t> all;
  lanes.each([&](std::uint32_t lane) { all[lane] = value; });
  return lanes.broadcast(all, 0);
}

/// The same for any symbol.
template <class Lanes, class Symbol>
GANNET_HD Symbol symbol_of_lane0(Lanes lanes, const Symbol& symbol) {
  static_assert(std::is_trivially_copyable_v<Symbol> && sizeof(Symbol) % 4 == 0);
  struct Words {
    std::uint32_t word[sizeof(Symbol) / 4];
  };
  Words words = std::bit_cast<Words>(symbol);
  for (auto& word : words.word) word = from_lane0(lanes, word);
  return std::bit_cast<Symbol>(words);
}

/// The first word of the 128-byte line in which `range` begins, as an index that may be below the
/// range (modulo 2^32): refills then are whole lines.
GANNET_HD std::uint32_t first_of_line(const ByteRange& range) {
  const auto address = reinterpret_cast<std::uintptr_t>(range.words + range.first_word());
  return range.first_word() - static_cast<std::uint32_t>(address / 4 % kLineWords);
}

/// Lane's word of the line that starts at word `line`; nothing outside the range is read.
GANNET_HD std::uint32_t word_of_line(const ByteRange& range, std::uint32_t line,
                                     std::uint32_t lane) {
  const std::uint32_t index = line + lane;
  const bool before = static_cast<std::int32_t>(index - range.first_word()) < 0;
  return before ? 0 : range.word(index);
}

/// Algorithm 1 of the paper: a ring of two cache lines in shared memory (`buffer`: 64 words, the
/// warp's own). As soon as a line's worth of it is free, all lanes refill it.
template <class Lanes, DecodeBy by = DecodeBy::kAllLanes>
class SharedWords {
 public:
  static constexpr std::uint32_t kBufferWords = 2 * kLineWords;

  GANNET_HD SharedWords(Lanes lanes, ByteRange range, std::uint32_t* buffer)
      : lanes_(lanes), range_(range), buffer_(buffer), filled_(first_of_line(range)) {
    read_ = range.first_word();
    refill();
    refill();
  }

  GANNET_HD std::uint32_t next() {
    if constexpr (by == DecodeBy::kAllLanes) reserve();
    return buffer_[read_++ % kBufferWords];
  }

  GANNET_HD std::uint32_t word_at(std::uint32_t index) const { return range_.word(index); }

  /// Makes sure that at least a line of words is buffered. All lanes together.
  GANNET_HD void reserve() {
    if (filled_ - read_ <= kLineWords) refill();
  }

  /// Takes over how far lane 0 has read.
  GANNET_HD void follow(Lanes lanes) { read_ = from_lane0(lanes, read_); }

 private:
  GANNET_HD void refill() {
    lanes_.sync();
    lanes_.each([&](std::uint32_t lane) {
      buffer_[(filled_ + lane) % kBufferWords] = word_of_line(range_, filled_, lane);
    });
    filled_ += kLineWords;
    lanes_.sync();
  }

  Lanes lanes_;
  ByteRange range_;
  std::uint32_t* buffer_;
  std::uint32_t filled_;  ///< index of the first word that is not buffered
  std::uint32_t read_;    ///< index of the next word
};

/// The paper's other configuration: two cache lines in two registers a lane, read by broadcasts.
/// All lanes must take part, so there is no single-lane decoding from it.
template <class Lanes>
class RegisterWords {
 public:
  GANNET_HD RegisterWords(Lanes lanes, ByteRange range)
      : lanes_(lanes), range_(range), line_(first_of_line(range)) {
    place_ = range.first_word() - line_;
    load(line_, current_);
    load(line_ + kLineWords, ahead_);
  }

  GANNET_HD std::uint32_t next() {
    if (place_ == kLineWords) turn();
    return lanes_.broadcast(current_, place_++);
  }

  GANNET_HD std::uint32_t word_at(std::uint32_t index) const { return range_.word(index); }

 private:
  using Line = typename Lanes::template Var<std::uint32_t>;

  GANNET_HD void load(std::uint32_t line, Line& to) {
    lanes_.each([&](std::uint32_t lane) { to[lane] = word_of_line(range_, line, lane); });
  }

  GANNET_HD void turn() {
    line_ += kLineWords;
    place_ = 0;
    current_ = ahead_;
    load(line_ + kLineWords, ahead_);
  }

  Lanes lanes_;
  ByteRange range_;
  std::uint32_t line_;
  std::uint32_t place_;
  Line current_;
  Line ahead_;
};

/// Words straight from memory, whoever decodes.
struct PlainWords : MemoryWords {
  using MemoryWords::MemoryWords;
  GANNET_HD void reserve() {}
  template <class Lanes>
  GANNET_HD void follow(Lanes) {}
};

/// The paper's input_stream where lane 0 may decode alone.
template <class Words, BitOrder order>
class SharedInput : public BitInput<Words, order> {
 public:
  using BitInput<Words, order>::BitInput;

  /// All lanes together, before lane 0 decodes a symbol alone.
  GANNET_HD void reserve() { this->words_.reserve(); }
  /// All lanes together, after it: they take over how far lane 0 has come. (Their next bits stay
  /// what they were: of no use, but to lane 0.)
  template <class Lanes>
  GANNET_HD void follow(Lanes lanes) {
    this->words_.follow(lanes);
    this->taken_ = from_lane0(lanes, this->taken_);
  }
};

/// The input that a policy needs.
template <DecodeBy by, class Words, BitOrder order>
using CodagInput =
    std::conditional_t<by == DecodeBy::kLane0, SharedInput<Words, order>, BitInput<Words, order>>;

/// Decodes until the output is full or the decoder has written its last symbol.
template <DecodeBy by, class Lanes, class Decoder, class Input, class Out>
GANNET_HD void decode_symbols(Lanes lanes, Decoder& decoder, Input& input, Out& output) {
  while (!output.full()) {
    typename Decoder::Symbol symbol{};
    if constexpr (by == DecodeBy::kAllLanes) {
      symbol = decoder.next(input);
    } else {
      input.reserve();
      bool decoded = false;  // the host's lanes share one state
      lanes.each([&](std::uint32_t lane) {
        if (lane == 0 && !decoded) symbol = decoder.next(input);
        decoded = true;
      });
      input.follow(lanes);
      symbol = symbol_of_lane0(lanes, symbol);
    }
    if (!Decoder::write(symbol, output)) return;
  }
}

/// Decodes a chunk of a column of strips (codecs/streams/strips.hpp) from its first byte to its
/// last, from a stream of its bytes. `T` is unsigned or signed, as in the column or not.
template <class Codec, class T, DecodeBy by, class Lanes, class Input>
GANNET_HD void decode_whole_chunk(Lanes lanes, ListView column, std::uint32_t chunk, Input& input,
                                  T* out) {
  typename Codec::template Decoder<StripValue<T>> decoder(column.words[1] != 0);
  Output<T, Lanes> output(lanes, out, chunk_size(column.count, column.words[0], chunk));
  decode_symbols<by>(lanes, decoder, input, output);
}

}  // namespace gannet::codecs::papers
