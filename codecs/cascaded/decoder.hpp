// Decoding a chunk of codec `cascaded`: backwards through the layers, in one buffer of a chunk's
// values. Every layer has at least as many values as the one below it, so values that stand at the
// end of the buffer can be expanded towards its end without overtaking themselves.
//
// There are two forms of the one decoder. The plain one reads the chunk's words only. The wide one,
// for device-wide decoding, takes four tiles at a time, so that their steps overlap, and may read
// kStreamOverread words behind the chunk.
#pragma once

#include <cstdint>

#include "codecs/cascaded/format.hpp"
#include "codecs/columns/rle_runs.hpp"

namespace gannet::codecs {

/// Lanes' exclusive scans of several values at once, step by step together; totals in `totals`.
template <class V, std::uint32_t kCount>
GANNET_HD void exclusive_scans(SerialLanes lanes, SerialLanes::Var<V> (&x)[kCount],
                               V (&totals)[kCount]) {
  for (std::uint32_t i = 0; i < kCount; ++i) totals[i] = lanes.exclusive_scan(x[i]);
}
#if defined(__CUDACC__)
template <class V, std::uint32_t kCount>
__device__ __forceinline__ void exclusive_scans(WarpLanes lanes, WarpLanes::Var<V> (&x)[kCount],
                                                V (&totals)[kCount]) {
  V sum[kCount];
#pragma unroll
  for (std::uint32_t i = 0; i < kCount; ++i) sum[i] = x[i].value;
#pragma unroll
  for (unsigned step = 1; step < kLanes; step *= 2) {
    V below[kCount];
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i) {
      below[i] = __shfl_up_sync(WarpLanes::kAll, sum[i], step);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i) {
      if (lanes.id() >= step) sum[i] += below[i];
    }
  }
#pragma unroll
  for (std::uint32_t i = 0; i < kCount; ++i) {
    x[i].value = sum[i] - x[i].value;
    totals[i] = __shfl_sync(WarpLanes::kAll, sum[i], kLanes - 1);
  }
}
#endif

/// Decodes chunks of T; kWide chooses the form, which takes kTilesAtOnce tiles at once.
template <class T, class Lanes, bool kWide, std::uint32_t kTilesAtOnce = kWide ? 2 : 1>
class CascadedDecoder {
 public:
  /// `scratch` (16-byte aligned) has room for `capacity` values and their runs' marks; capacity is
  /// the column's values a chunk.
  GANNET_HD CascadedDecoder(Lanes lanes, const CascadedChunk<T>& chunk, std::uint32_t capacity,
                            std::uint32_t* scratch)
      : lanes_(lanes),
        chunk_(chunk),
        buffer_(reinterpret_cast<T*>(scratch)),
        capacity_(capacity),
        marks_(scratch + capacity * sizeof(T) / 4, capacity) {}

  /// Decodes the chunk to out[0 .. size of the chunk).
  GANNET_HD void decode(T* out) {
    const OutSink result{out};
    if (chunk_.rles == 0) {
      unpack(chunk_.values({}), {chunk_.size, chunk_.deltas, 0}, result);
      return;
    }
    Level level = chunk_.level(chunk_.rles - 1);
    unpack(chunk_.values(level), {level.runs, chunk_.last_deltas(), chunk_.rles - 1},
           sink(level.runs));
    for (std::uint32_t i = chunk_.rles; i-- > 1;) {
      const Level above = chunk_.level(i - 1);
      const std::uint32_t deltas = i - 1 < chunk_.deltas ? 1 : 0;
      expand(level, {above.runs, deltas, i - 1}, sink(above.runs));
      level = above;
    }
    expand(level, {chunk_.size, 0, 0}, result);
  }

 private:
  using V = Wide<T>;
  using Level = typename CascadedChunk<T>::Level;
  using Fours = typename Lanes::template Var<Four<V>>;
  using Values = typename Lanes::template Var<V>;

  /// What a sweep produces: `size` values, after `deltas` delta layers from `layer` on are undone.
  struct Sweep {
    std::uint32_t size;
    std::uint32_t deltas;
    std::uint32_t layer;
  };

  /// Values of the last round, packed; value 0 stands at position `deltas`.
  template <StreamClass kClass>
  struct PackedSource {
    PackedStream<V> stream;
    std::uint32_t deltas;
    std::uint32_t end;  ///< of the positions
    GANNET_HD Four<V> operator()(std::uint32_t position) const {
      if constexpr (kWide) {
        return stream.template four_wide<kClass>(position < end ? position - deltas : 0);
      } else {
        return stream.four(position - deltas);
      }
    }
  };

  /// Values of runs, expanded by the runs' marks.
  struct RunSource {
    RunMarks marks;
    const T* values;
    GANNET_HD Four<V> operator()(std::uint32_t position) const {
      Four<V> four;
      const RunsOfFour at = marks.at(position);
      std::uint32_t run = at.run;
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (i > 0) run = at.next(run, i);
        four.value[i] = values[run];
      }
      return four;
    }
  };

  /// The decoded values.
  struct OutSink {
    T* out;
    static constexpr bool kInPlace = false;
    GANNET_HD void all(Lanes lanes, std::uint32_t position, const Four<V>& four) const {
      store_all<T>(lanes, four, out + position);
    }
    GANNET_HD void some(std::uint32_t position, std::uint32_t size, const Four<V>& four) const {
      store_some<T>(four, position, size, out);
    }
  };

  /// The end of the buffer, aligned to a value only.
  struct BufferSink {
    T* out;
    static constexpr bool kInPlace = true;
    GANNET_HD void all(Lanes, std::uint32_t position, const Four<V>& four) const {
      for (std::uint32_t i = 0; i < 4; ++i) out[position + i] = static_cast<T>(four.value[i]);
    }
    GANNET_HD void some(std::uint32_t position, std::uint32_t size, const Four<V>& four) const {
      store_some<T>(four, position, size, out);
    }
  };

  /// Where `count` values stand that end with the buffer.
  GANNET_HD T* place(std::uint32_t count) const { return buffer_ + (capacity_ - count); }
  GANNET_HD BufferSink sink(std::uint32_t count) const { return {place(count)}; }

  template <class Sink>
  GANNET_HD void unpack(const PackedStream<V>& stream, const Sweep& what, const Sink& sink) {
    if (!kWide || (sizeof(V) == 8 && stream.width > 32)) {
      unpack_as<StreamClass::kAny>(stream, what, sink);
    } else if (stream.width <= 8) {
      unpack_as<StreamClass::kUpTo8>(stream, what, sink);
    } else if (stream.width <= 16) {
      unpack_as<StreamClass::kUpTo16>(stream, what, sink);
    } else {
      unpack_as<StreamClass::kUpTo32>(stream, what, sink);
    }
  }

  template <StreamClass kClass, class Sink>
  GANNET_HD void unpack_as(const PackedStream<V>& stream, const Sweep& what, const Sink& sink) {
    sweep(what, PackedSource<kClass>{stream, what.deltas, what.size}, sink);
  }

  template <class Sink>
  GANNET_HD void expand(const Level& level, const Sweep& what, const Sink& sink) {
    lanes_.sync();
    const PackedStream<std::uint32_t>& lengths = level.lengths;
    marks_.mark(
        lanes_, level.positions + what.deltas, what.deltas, level.runs, [&](std::uint32_t run) {
          if constexpr (kWide) {
            return lengths.template four_wide<StreamClass::kUpTo16>(run < lengths.count ? run : 0);
          } else {
            return lengths.four(run);
          }
        });
    sweep(what, RunSource{marks_, place(level.runs)}, sink);
  }

  /// Takes values from `source`, undoes delta layers, and gives them to `sink`.
  template <class Source, class Sink>
  GANNET_HD void sweep(const Sweep& what, const Source& source, const Sink& sink) {
    Values carries;  // lane j: the value before the next tile in layer j
    lanes_.each([&](std::uint32_t lane) { carries[lane] = 0; });
    std::uint32_t tile = 0;
    for (; what.size - tile >= kTilesAtOnce * kTile; tile += kTilesAtOnce * kTile) {
      step<kTilesAtOnce, true>(what, tile, source, sink, carries);
    }
    for (; tile < what.size; tile += kTile) step<1, false>(what, tile, source, sink, carries);
  }

  /// kTiles tiles of a sweep, all of them full or not.
  template <std::uint32_t kTiles, bool kFull, class Source, class Sink>
  GANNET_HD void step(const Sweep& what, std::uint32_t tile, const Source& source, const Sink& sink,
                      Values& carries) {
    Fours four[kTiles];
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t t = 0; t < kTiles; ++t) {
        four[t][lane] = source(tile + t * kTile + 4 * lane);
      }
    });
    if (Sink::kInPlace) lanes_.sync();
    if (what.deltas > 0) undo_deltas<kTiles>(what, tile, carries, four);
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t t = 0; t < kTiles; ++t) {
        const std::uint32_t position = tile + t * kTile + 4 * lane;
        if (kFull) {
          sink.all(lanes_, position, four[t][lane]);
        } else {
          sink.some(position, what.size, four[t][lane]);
        }
      }
    });
  }

  template <std::uint32_t kTiles>
  GANNET_HD void undo_deltas(const Sweep& what, std::uint32_t tile, Values& carries,
                             Fours (&four)[kTiles]) {
    if (tile == 0) {
      lanes_.each([&](std::uint32_t lane) { clear_before(4 * lane, what.deltas, four[0][lane]); });
    }
    for (std::uint32_t j = what.deltas; j-- > 0;) {
      if (tile == 0) {
        const V first = chunk_.first(what.layer + j);
        lanes_.each([&](std::uint32_t lane) { put(4 * lane, j, first, four[0][lane]); });
      }
      add_up<kTiles>(j, carries, four);
    }
  }

  /// Zeros for positions before `end`.
  GANNET_HD static void clear_before(std::uint32_t first, std::uint32_t end, Four<V>& four) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i < end) four.value[i] = 0;
    }
  }

  GANNET_HD static void put(std::uint32_t first, std::uint32_t position, V value, Four<V>& four) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i == position) four.value[i] = value;
    }
  }

  /// Replaces tiles' values by their sums from the first tile on.
  template <std::uint32_t kTiles>
  GANNET_HD void add_up(std::uint32_t j, Values& carries, Fours (&four)[kTiles]) {
    Values before[kTiles];
    typename Lanes::template Var<std::uint32_t> from;
    lanes_.each([&](std::uint32_t lane) {
      for (std::uint32_t t = 0; t < kTiles; ++t) {
        for (std::uint32_t i = 1; i < 4; ++i) four[t][lane].value[i] += four[t][lane].value[i - 1];
        before[t][lane] = four[t][lane].value[3];
      }
      from[lane] = j;
    });
    V totals[kTiles];
    exclusive_scans(lanes_, before, totals);
    const Values carry = lanes_.gather(carries, from);
    lanes_.each([&](std::uint32_t lane) {
      V base = carry[lane];
      for (std::uint32_t t = 0; t < kTiles; ++t) {
        for (std::uint32_t i = 0; i < 4; ++i) four[t][lane].value[i] += base + before[t][lane];
        base += totals[t];
      }
      if (lane == j) carries[lane] = base;
    });
  }

  Lanes lanes_;
  CascadedChunk<T> chunk_;
  T* buffer_;
  std::uint32_t capacity_;
  RunMarks marks_;
};

}  // namespace gannet::codecs
