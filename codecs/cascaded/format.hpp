// The words of codec `cascaded`: its plan and its chunks. What they mean: cascaded.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "codecs/cascaded/stream.hpp"
#include "codecs/core/chunk_codec.hpp"

namespace gannet::codecs {

/// A cascaded scheme: how many run-length and delta layers, whether what remains is bit-packed, and
/// values a chunk.
struct CascadedPlan {
  static constexpr std::uint32_t kMaxLayers = 7;
  static constexpr std::uint32_t kMinChunk = kTile;

  std::uint32_t rles = 0;      ///< 0..7
  std::uint32_t deltas = 0;    ///< 0..7
  std::uint32_t bitpack = 1;   ///< 0 or 1
  std::uint32_t chunk = 1024;  ///< multiple of 128 from 128 to most_chunk<T>

  /// Most values in a chunk of T: 8 KiB, and positions of 12 bits.
  template <class T>
  static constexpr std::uint32_t most_chunk = sizeof(T) == 1 ? 4096 : 8192 / sizeof(T);

  /// Values in a chunk if no parameter says otherwise: 4 KiB.
  template <class T>
  static constexpr std::uint32_t usual_chunk = 4096 / sizeof(T);

  /// The first word of a column.
  GANNET_HD std::uint32_t word() const { return rles | deltas << 8 | bitpack << 16; }
  GANNET_HD static CascadedPlan of(const std::uint32_t* words) {
    return {words[0] & 0xff, words[0] >> 8 & 0xff, words[0] >> 16, words[1]};
  }

  /// Run-length and delta layers alternate; there are as many rounds as the more frequent has.
  GANNET_HD std::uint32_t rounds() const { return rles > deltas ? rles : deltas; }

  /// Whether values are compared with their sign when the smallest is looked for: deltas always
  /// have one.
  template <class T>
  bool signed_values() const {
    return std::is_signed_v<T> || deltas > 0;
  }
};

/// Words before a column's chunk starts.
inline constexpr std::uint32_t kCascadedHead = 2;

/// A chunk's layer word: about one run-length layer, and in the first of them the values' width.
struct CascadedLayer {
  static constexpr std::uint32_t kMaxShortest = 512;
  static constexpr std::uint32_t kPlainLengthWidth = 12;

  std::uint32_t word;

  GANNET_HD static std::uint32_t make(std::uint32_t runs, std::uint32_t length_width,
                                      std::uint32_t shortest) {
    return (runs - 1) | length_width << 12 | (shortest - 1) << 16;
  }
  GANNET_HD static std::uint32_t with_value_width(std::uint32_t word, std::uint32_t width) {
    return word | width << 25;
  }
  /// Runs that make up `positions` values.
  GANNET_HD std::uint32_t runs(std::uint32_t positions) const {
    return positions == 0 ? 0 : (word & 0xfff) + 1;
  }
  GANNET_HD std::uint32_t length_width() const { return word >> 12 & 0xf; }
  /// What is added to every packed length.
  GANNET_HD std::uint32_t shortest() const { return (word >> 16 & 0x1ff) + 1; }
  GANNET_HD std::uint32_t value_width() const { return word >> 25; }
};

/// How many of `count` values a delta layer leaves beside the first one.
GANNET_HD std::uint32_t cascaded_deltas(std::uint32_t count, std::uint32_t layers) {
  return count > layers ? count - layers : 0;
}

/// A chunk's words. Nothing is checked: they must have passed validate().
template <class T>
struct CascadedChunk {
  using V = Wide<T>;
  static constexpr std::uint32_t kValueWords = sizeof(T) == 8 ? 2 : 1;

  const std::uint32_t* words;
  std::uint32_t size;  ///< values
  std::uint32_t rles;
  std::uint32_t deltas;

  /// One run-length layer.
  struct Level {
    std::uint32_t positions;  ///< values that it expands to
    std::uint32_t runs;
    PackedStream<std::uint32_t> lengths;
  };

  GANNET_HD std::uint32_t layers() const { return rles > 0 ? rles : 1; }
  /// Words before the first stream.
  GANNET_HD std::uint32_t head_words() const { return layers() + (deltas + 1) * kValueWords; }
  GANNET_HD CascadedLayer layer(std::uint32_t i) const { return {words[i]}; }

  /// The value before the deltas of delta layer j; for j = deltas, the values' reference.
  GANNET_HD V first(std::uint32_t j) const {
    const std::uint32_t* at = words + layers() + j * kValueWords;
    if constexpr (sizeof(T) == 8) {
      return joined_words(at[0], at[1]);
    } else {
      return at[0];
    }
  }

  GANNET_HD Level level(std::uint32_t i) const {
    const std::uint32_t* at = words + head_words();
    std::uint32_t positions = size;
    for (std::uint32_t j = 0;; ++j) {
      const CascadedLayer here = layer(j);
      const std::uint32_t runs = here.runs(positions);
      if (j == i) return {positions, runs, {at, runs, here.length_width(), here.shortest()}};
      at += stream_words(runs, here.length_width());
      positions = cascaded_deltas(runs, j < deltas ? 1 : 0);
    }
  }

  /// Delta layers that follow the last run-length layer directly.
  GANNET_HD std::uint32_t last_deltas() const {
    if (rles == 0) return deltas;
    return deltas >= rles ? deltas - rles + 1 : 0;
  }

  /// The values that remain when all layers are done; `last` is level(rles - 1), if there is one.
  GANNET_HD PackedStream<V> values(const Level& last) const {
    const std::uint32_t width = layer(0).value_width();
    if (rles == 0) {
      return {words + head_words(), cascaded_deltas(size, deltas), width, first(deltas)};
    }
    return {last.lengths.words + stream_words(last.runs, last.lengths.width),
            cascaded_deltas(last.runs, last_deltas()), width, first(deltas)};
  }
};

/// Chunk `chunk` of a column of `chunk_values` values a chunk.
template <class T>
GANNET_HD CascadedChunk<T> cascaded_chunk(ListView column, std::uint32_t chunk,
                                          std::uint32_t chunk_values) {
  const CascadedPlan plan = CascadedPlan::of(column.words);
  return {column.words + column.words[kCascadedHead + chunk],
          chunk_size(column.count, chunk_values, chunk), plan.rles, plan.deltas};
}

/// The layout where the number of values of a chunk is not known yet.
template <class T>
GANNET_HD CascadedChunk<T> cascaded_chunk(ListView column, std::uint32_t chunk) {
  return cascaded_chunk<T>(column, chunk, column.words[1]);
}

}  // namespace gannet::codecs
