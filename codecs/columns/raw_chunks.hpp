// none, for values of 64 bits: the values as they are.
//
// Format: the values as little-endian bytes, one behind the other, filled up to a word with zeros.
// Values of up to 32 bits: the tile codec of the same name, lists/raw_tiles.hpp.
#pragma once

#include <cstring>
#include <type_traits>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/faults.hpp"

namespace gannet::codecs {

struct RawChunks {
  static constexpr std::string_view name = "none";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);
  template <class T>
  static constexpr bool takes = std::is_integral_v<T> && sizeof(T) == 8;
  /// Values that a warp copies; the words do not depend on it.
  static constexpr std::uint32_t kChunk = 4096;

  template <class T>
  static void encode(std::span<const T> values, const Parameters& parameters,
                     std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    parameters.finish(name);
    append_bytes(std::as_bytes(values), words);
  }

  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_chunks<RawChunks, T>(words, count);
  }

  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    return words.size == words_of<T>(count) ? nullptr
                                            : "it has not as many words as its values take";
  }
  template <class T>
  GANNET_HD static Fault chunk_fault(WordView, std::uint32_t, std::uint32_t) {
    return nullptr;
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t*) {
    return kChunk;
  }

  template <class T>
  static constexpr std::uint32_t scratch_words = 0;

  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t*, T* out) {
    const std::uint32_t size = chunk_size(column.count, kChunk, chunk);
    const std::uint64_t first = std::uint64_t{chunk} * kChunk;
    const std::uint32_t* words = column.words + first * sizeof(T) / sizeof(std::uint32_t);
    if constexpr (std::is_same_v<Lanes, SerialLanes>) {
      std::memcpy(out, words, size * sizeof(T));  // words may not be aligned to T
    } else {
      const T* values = reinterpret_cast<const T*>(words);
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t i = lane; i < size; i += kLanes) out[i] = values[i];
      });
    }
    return true;
  }

 private:
  template <class T>
  GANNET_HD static std::uint64_t words_of(std::uint64_t count) {
    return (count * sizeof(T) + 3) / 4;
  }
};

}  // namespace gannet::codecs
