// What the lanes of ParallelInflate (parallel.hpp) share: how a window of the stream is cut, and
// the memory for it.
#pragma once

#include <cstdint>

#include "codecs/deflate/serial.hpp"

namespace gannet::codecs::deflate {

/// How a window is cut.
struct Shape {
  std::uint32_t segment_words;  ///< most words of the stream that a lane scans
  std::uint32_t list;           ///< symbols that fit the list
  std::uint32_t enough;         ///< lanes that must agree
  std::uint32_t rounds;         ///< most times that lanes scan again
};

inline constexpr Shape kUsualShape{15, 1248, 28, 3};

/// Bytes that are written at once, and symbols that are looked at for them.
inline constexpr std::uint32_t kQuad = 4;
inline constexpr std::uint32_t kQuads = 4;
inline constexpr std::uint32_t kBatch = kQuads * kQuad * kLanes;
inline constexpr std::uint32_t kBatchSymbols = 4 * kLanes;
static_assert(kBatch >= kMaxMatch, "every batch must finish a symbol");

/// Matches from this length on are copied by themselves, a word a lane.
inline constexpr std::uint32_t kLongMatch = 128;

/// What the lanes share while they write a batch.
struct BatchSpace {
  std::uint32_t origins[kBatch];         ///< of the bytes
  std::uint32_t marks[kBatch / 4];       ///< a byte each: whether a symbol starts there
  std::uint32_t sources[kBatchSymbols];  ///< of the symbols: an origin less its byte's place
  std::int16_t offsets[kBatchSymbols];   ///< of the symbols' first bytes
};

/// What the lanes share while they decode a window.
template <Shape shape>
struct Window {
  /// Words of the window: 31 bits may precede the first segment and 47 may follow the last; lanes
  /// read two words at a time.
  static constexpr std::uint32_t kWords = kLanes * shape.segment_words + 4;
  union {
    std::uint32_t words[kWords];
    BatchSpace batch;  ///< when the words are used up
  };
  Symbol list[shape.list];
};

/// Shared memory of a warp, or any memory on the host. 16-byte aligned.
template <Shape shape>
struct Space {
  Tables tables;
  BaseExtraTable base_extra;
  union {
    HeadSpace head;
    Window<shape> window;
  };
};

}  // namespace gannet::codecs::deflate
