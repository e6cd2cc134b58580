// Validation, written once for both processors: what is wrong with encoded words, found piece by
// piece.
//
// A codec says what is wrong with the frame of its words (header, index, total length) and with
// each block or chunk by itself:
//
//   static Fault frame_fault(WordView words, std::uint32_t count);
//   static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t block);      tiles
//   template <class T> static Fault chunk_fault(WordView words, std::uint32_t count,         chunks
//                                               std::uint32_t chunk);   (frame_fault too takes <T>)
//
// All read inside of `words` only, whatever they hold; block_fault() and chunk_fault() are asked if
// the frame has no fault, of any block by itself, in any order, at the same time. Where no piece
// has a fault, decoding `count` values reads inside of the words and writes inside of the output.
// The host asks one block after the other (validate_blocks, validate_chunks below) and throws what
// it is told; the device asks one thread per block (device/batch.hpp) and sets a status.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "codecs/core/codec.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// What is wrong: a sentence for people, without its subject's name. Null if nothing is.
using Fault = const char*;

/// Words that nothing is known of, not owned.
struct WordView {
  const std::uint32_t* words;
  std::uint64_t size;

  GANNET_HD std::uint32_t operator[](std::uint64_t i) const { return words[i]; }
  /// Whether words [begin, begin + length) are among them.
  GANNET_HD bool has(std::uint64_t begin, std::uint64_t length) const {
    return begin <= size && length <= size - begin;
  }
};

/// Says what is wrong with a tile codec's words piece by piece.
template <class Codec>
concept ChecksBlocks = requires(WordView words, std::uint32_t number) {
  { Codec::frame_fault(words, number) } -> std::same_as<Fault>;
  { Codec::block_fault(words, number, number) } -> std::same_as<Fault>;
};

/// Says what is wrong with a chunk codec's words of values of T, piece by piece.
template <class Codec, class T>
concept ChecksChunks = requires(WordView words, std::uint32_t number) {
  { Codec::template frame_fault<T>(words, number) } -> std::same_as<Fault>;
  { Codec::template chunk_fault<T>(words, number, number) } -> std::same_as<Fault>;
};

inline constexpr Fault kCutOff = "it is cut off";
inline constexpr Fault kTooWide = "its values have more than 32 bits";
inline constexpr Fault kWrongStart = "it does not start where the one before it ends";

/// Throws FormatError, naming the block, if a tile codec's words have a fault.
template <ChecksBlocks Codec>
void validate_blocks(std::span<const std::uint32_t> words, std::uint32_t count) {
  check_count(Codec::name, count);
  const WordView view{words.data(), words.size()};
  if (const Fault fault = Codec::frame_fault(view, count)) fail_list(Codec::name, fault);
  StopCheck check_stop;
  for (std::uint32_t block = 0; block < ceil_div(count, Codec::block); ++block) {
    check_stop();
    const Fault fault = Codec::block_fault(view, count, block);
    if (fault != nullptr) fail_block(Codec::name, block, fault);
  }
}

/// Throws FormatError, naming the chunk, if a chunk codec's words of a column of T have a fault.
template <class Codec, class T>
void validate_chunks(std::span<const std::uint32_t> words, std::uint32_t count) {
  check_count(Codec::name, count);
  const WordView view{words.data(), words.size()};
  if (const Fault fault = Codec::template frame_fault<T>(view, count)) {
    fail_list(Codec::name, fault);
  }
  const std::uint32_t values = count == 0 ? 1 : Codec::template chunk_values<T>(words.data());
  for (std::uint32_t chunk = 0; chunk < ceil_div(count, values); ++chunk) {
    throw_if_stopped();
    const Fault fault = Codec::template chunk_fault<T>(view, count, chunk);
    if (fault != nullptr) fail_block(Codec::name, chunk, fault);
  }
}

}  // namespace gannet::codecs
