// Validation of encoded words, written once for both processors.
//
// A codec checks the frame of its words (header, index, total length) and every block or chunk with
// separate functions:
//
//   static Fault frame_fault(WordView words, std::uint32_t count);
//   static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t block);      tiles
//   template <class T> static Fault chunk_fault(WordView words, std::uint32_t count,         chunks
//                                               std::uint32_t chunk);   (frame_fault too takes <T>)
//
// The functions read only `words`, for any content. `count` is at most kMaxListLength.
// block_fault() and chunk_fault() are called only if frame_fault() returned null. They are called
// for blocks in any order, also concurrently. If no function returns a fault, decoding `count`
// values reads only `words` and writes only the output.
//
// The host checks one block after the other (validate_blocks(), validate_chunks()) and throws the
// first fault. The device checks with one thread per block (device/batch.hpp) and sets a status.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "codecs/base/cancellation.hpp"
#include "codecs/core/codec.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// The reason why words are refused: a sentence for an error message, in which "it" is the list,
/// the block or the chunk. A string literal. Null if there is no fault.
using Fault = const char*;

/// Words that have not been validated, not owned.
struct WordView {
  const std::uint32_t* words;
  std::uint64_t size;

  GANNET_HD std::uint32_t operator[](std::uint64_t i) const { return words[i]; }
  /// Whether words [begin, begin + length) exist. Does not overflow.
  GANNET_HD bool has(std::uint64_t begin, std::uint64_t length) const {
    return begin <= size && length <= size - begin;
  }
};

/// A tile codec with functions that check its frame and its blocks.
template <class Codec>
concept ChecksBlocks = requires(WordView words, std::uint32_t number) {
  { Codec::frame_fault(words, number) } -> std::same_as<Fault>;
  { Codec::block_fault(words, number, number) } -> std::same_as<Fault>;
};

/// A chunk codec with functions that check its frame and its chunks, for values of T.
template <class Codec, class T>
concept ChecksChunks = requires(WordView words, std::uint32_t number) {
  { Codec::template frame_fault<T>(words, number) } -> std::same_as<Fault>;
  { Codec::template chunk_fault<T>(words, number, number) } -> std::same_as<Fault>;
};

/// Faults that several codecs report.
inline constexpr Fault kCutOff = "it is cut off";
inline constexpr Fault kTooWide = "its values have more than 32 bits";
inline constexpr Fault kWrongStart = "it does not start where the one before it ends";

/// Throws FormatError if the words of a tile codec have a fault, or if `count` is above
/// kMaxListLength. The message names the block if the fault is in one. Throws CancelledError when
/// the token of the thread's StopScope asks for it. Takes time linear in `count`, no memory.
/// Thread-safe.
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

/// Throws FormatError if the words of a chunk codec, for a column of T, have a fault, or if `count`
/// is above kMaxListLength. The message has the number of the chunk ("block N") if the fault is in
/// one. Throws CancelledError when the token of the thread's StopScope asks for it. Takes time
/// linear in `count` and the number of words, no memory. Thread-safe.
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
