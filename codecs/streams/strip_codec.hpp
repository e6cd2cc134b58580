// Codecs of strips (strips.hpp), as chunk codecs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/streams/strips.hpp"

namespace gannet::codecs {

/// What a codec of strips owes as a chunk codec (concepts.hpp), but for its id and its name: its
/// base.
template <class Codec>
struct StripCodec {
  using Column = StripColumn<Codec>;
  template <class T>
  static constexpr bool takes = true;

  /// Parameters: chunk, values a chunk: a multiple of 2048, at most 131072.
  template <class T>
  static void encode(std::span<const T> values, Parameters parameters,
                     std::vector<std::uint32_t>& words) {
    const std::uint32_t chunk =
        parameters.take("chunk", kChunk, Column::kChunkUnit, Column::kMaxChunk);
    parameters.finish(Codec::name);
    Column::encode(values, chunk, words);
  }

  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_chunks<Codec, T>(words, count);
  }
  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    return Column::template frame_fault<T>(words, count);
  }
  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t count, std::uint32_t chunk) {
    return Column::template chunk_fault<T>(words, count, chunk);
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t* words) {
    return words[0];
  }

  template <class T>
  static constexpr std::uint32_t scratch_words = Column::kScratchWords;

  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    return Column::template decode_chunk<T>(lanes, column, chunk, scratch, out);
  }

  /// Values a chunk, unless the parameters say otherwise.
  static constexpr std::uint32_t kChunk = 2048;
};

}  // namespace gannet::codecs
