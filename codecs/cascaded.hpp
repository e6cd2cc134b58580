// cascaded: layers of run-length and delta coding, then frame of reference and bit-packing of all
// that remains.
// Source: nvCOMP's documentation, "Cascaded compression": the layers, their order, and what is
// packed. Its bytes are not documented; the format below is ours.
//
// A plan has r run-length layers, d delta layers (0..7 each) and bit-packing or not. A column is
// cut into chunks, which know nothing of each other. Round i = 0, 1, ... of coding a chunk
//   - replaces the values by those of their runs and keeps the lengths, if i < r;
//   - replaces the values by the differences of neighbours and keeps the first value, if i < d.
// Then the values, and the lengths of every layer, are stored as offsets from their smallest, in
// the width that the largest offset needs. All arithmetic is modulo 2^(bits of the type); only the
// search for the smallest value knows a sign: that of the type, or of a delta.
//
// Format, in 32-bit words:
//   plan          r in bits 0-7, d in bits 8-15, bit-packing (0, 1) from bit 16 on
//   chunk size    values a chunk, a multiple of 128
//   chunk starts  chunks + 1 words, counted from the beginning; the last one is the length of all
//   chunks, each
//     layers      max(r, 1) words, one a run-length layer:
//                   bits 0-11   number of runs - 1 (0 if there is no value left)
//                   bits 12-15  width of the packed lengths
//                   bits 16-24  what is added to them, less 1: the shortest length, 512 at most
//                   bits 25-31  in the first word: width of the packed values
//     firsts      the first value of each delta layer (0 if there was none)
//     reference   what is added to the packed values: the smallest
//     lengths     the runs' lengths, layer by layer, each filled up to a word
//     values      filled up to a word
// Firsts and reference take a word, or two if the type has 64 bits. Without bit-packing, values
// have the type's width and reference 0, lengths have 12 bits and 1 is added.
//
// Decoding runs backwards through the layers, in one buffer of a chunk's values: every layer has at
// least as many values as the one below it, so values that stand at the end of the buffer can be
// expanded towards its end without overtaking themselves.
#pragma once

#include "gannet/codecs/cascaded_encoder.hpp"
#include "gannet/codecs/cascaded_format.hpp"
#include "gannet/codecs/rle_runs.hpp"

namespace gannet::codecs {

struct Cascaded {
  static constexpr CodecId id{65};
  static constexpr std::string_view name = "cascaded";
  template <class T>
  static constexpr bool takes = std::is_integral_v<T> && sizeof(T) <= 8;

  /// Parameters rles, deltas (0..7), bitpack (0, 1) and chunk (values). Without the first three, or
  /// with auto=1, the plan is chosen (choose_cascaded_plan()).
  template <class T>
  static void encode(std::span<const T> values, Parameters parameters,
                     std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    encode_planned(values, plan_for(values, std::move(parameters)), words);
  }

  /// The same by a given plan. Throws UsageError if it is none.
  template <class T>
  static void encode_planned(std::span<const T> values, const CascadedPlan& plan,
                             std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    check_plan<T>(plan);
    const std::size_t base = words.size();
    const std::uint32_t chunks = chunk_count(static_cast<std::uint32_t>(values.size()), plan.chunk);
    words.insert(words.end(), {plan.word(), plan.chunk});
    words.resize(words.size() + chunks + 1);
    CascadedEncoder<T> encoder(plan);
    for (std::uint32_t c = 0; c < chunks; ++c) {
      words[base + kCascadedHead + c] = static_cast<std::uint32_t>(words.size() - base);
      const std::size_t first = std::size_t{c} * plan.chunk;
      encoder.encode(
          values.subspan(first, std::min<std::size_t>(plan.chunk, values.size() - first)), words);
    }
    words[base + kCascadedHead + chunks] = static_cast<std::uint32_t>(words.size() - base);
  }

  /// Throws UsageError unless `plan` is one for values of T.
  template <class T>
  static void check_plan(const CascadedPlan& plan) {
    if (plan_fault<T>(plan) != nullptr) {
      throw UsageError(std::string(name) + ": " + plan_fault<T>(plan));
    }
  }

  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    if (words.size() < kCascadedHead + 1) fail_list(name, "it is cut off");
    const CascadedPlan plan = CascadedPlan::of(words.data());
    if (plan_fault<T>(plan) != nullptr) fail_list(name, plan_fault<T>(plan));
    const std::uint32_t chunks = chunk_count(count, plan.chunk);
    std::uint64_t expected = std::uint64_t{kCascadedHead} + chunks + 1;
    if (words.size() < expected) fail_list(name, "it is cut off");
    for (std::uint32_t c = 0; c < chunks; ++c) {
      if (words[kCascadedHead + c] != expected) {
        fail_block(name, c, "it does not start where the one before it ends");
      }
      expected +=
          checked_size<T>(words.subspan(expected), plan, chunk_size(count, plan.chunk, c), c);
    }
    if (words[kCascadedHead + chunks] != expected || words.size() != expected) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its chunks take " +
                          std::to_string(expected));
    }
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t* words) {
    return words[1];
  }

  /// Words of scratch memory for chunks of `values` values.
  template <class T>
  GANNET_HD static constexpr std::uint32_t scratch_words_for(std::uint32_t values) {
    return values * static_cast<std::uint32_t>(sizeof(T)) / 4 + values / 32 * 2;
  }

  template <class T>
  static constexpr std::uint32_t scratch_words = scratch_words_for<T>(CascadedPlan::most_chunk<T>);

  template <class T, class Lanes>
  GANNET_HD static void decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    const CascadedChunk<T> words = cascaded_chunk<T>(column, chunk);
    const OutSink<T> result{out, words.size};
    if (words.rles == 0) {
      const PackedSource<Wide<T>> source{words.values({}), words.deltas};
      sweep<T>(lanes, words, {words.size, words.deltas, 0}, source, result);
      return;
    }
    const std::uint32_t capacity = column.words[1];
    Buffer<T> buffer{reinterpret_cast<T*>(scratch), capacity};
    RunMarks marks(scratch + capacity * sizeof(T) / 4, capacity);
    auto level = words.level(words.rles - 1);
    const std::uint32_t last = words.last_deltas();
    sweep<T>(lanes, words, {level.runs, last, words.rles - 1},
             PackedSource<Wide<T>>{words.values(level), last}, buffer.sink(level.runs));
    for (std::uint32_t i = words.rles; i-- > 1;) {
      const auto above = words.level(i - 1);
      const std::uint32_t deltas = i - 1 < words.deltas ? 1 : 0;
      lanes.sync();
      mark(lanes, marks, level, deltas);
      sweep<T>(lanes, words, {above.runs, deltas, i - 1},
               RunSource<T>{marks, buffer.at(level.runs), level.runs}, buffer.sink(above.runs));
      level = above;
    }
    lanes.sync();
    mark(lanes, marks, level, 0);
    sweep<T>(lanes, words, {words.size, 0, 0},
             RunSource<T>{marks, buffer.at(level.runs), level.runs}, result);
  }

#if defined(__CUDACC__)
  /// The column's own launch: scratch memory for the chunks that it has, not for the largest.
  template <class T>
  static void launch_decode(ListView column, std::uint32_t chunk_values, T* out,
                            cudaStream_t stream);
#endif

 private:
  /// What a sweep produces: `size` values, after `deltas` delta layers from `layer` on are undone.
  struct Sweep {
    std::uint32_t size;
    std::uint32_t deltas;
    std::uint32_t layer;
  };

  /// Values of the last round, packed; value 0 stands at position `deltas`.
  template <class V>
  struct PackedSource {
    PackedStream<V> stream;
    std::uint32_t deltas;
    GANNET_HD Four<V> operator()(std::uint32_t position) const {
      return stream.four(position - deltas);
    }
  };

  /// Values of runs, expanded by the runs' marks.
  template <class T>
  struct RunSource {
    RunMarks marks;
    const T* values;
    std::uint32_t runs;
    GANNET_HD Four<Wide<T>> operator()(std::uint32_t position) const {
      if (runs == 0) return {};
      Four<Wide<T>> four;
      const RunsOfFour at = marks.at(position);
      std::uint32_t run = at.run;
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (i > 0) run = at.next(run, i);
        four.value[i] = values[run];
      }
      return four;
    }
  };

  /// Writes the first `size` values to out.
  template <class T>
  struct OutSink {
    T* out;
    std::uint32_t size;
    template <class Lanes>
    GANNET_HD void operator()(Lanes lanes, std::uint32_t position,
                              const Four<Wide<T>>& four) const {
      store_four<T>(lanes, four, position, size, out);
    }
  };

  /// Writes them at the end of the buffer.
  template <class T>
  struct BufferSink {
    T* out;
    std::uint32_t size;
    template <class Lanes>
    GANNET_HD void operator()(Lanes, std::uint32_t position, const Four<Wide<T>>& four) const {
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (position + i < size) out[position + i] = static_cast<T>(four.value[i]);
      }
    }
  };

  template <class T>
  struct Buffer {
    T* values;
    std::uint32_t capacity;
    /// Where `count` values stand that end with the buffer.
    GANNET_HD T* at(std::uint32_t count) const { return values + (capacity - count); }
    GANNET_HD BufferSink<T> sink(std::uint32_t count) const { return {at(count), count}; }
  };

  template <class Lanes, class Level>
  GANNET_HD static void mark(Lanes lanes, RunMarks& marks, const Level& level,
                             std::uint32_t shift) {
    marks.mark(lanes, level.positions + shift, shift, level.runs,
               [&](std::uint32_t, std::uint32_t run, std::uint32_t* lengths) {
                 const Four<std::uint32_t> four = level.lengths.four(run);
                 for (std::uint32_t i = 0; i < 4; ++i) lengths[i] = four.value[i];
               });
  }

  /// Takes values from `source`, tile by tile, undoes delta layers, and gives them to `sink`.
  template <class T, class Lanes, class Source, class Sink>
  GANNET_HD static void sweep(Lanes lanes, const CascadedChunk<T>& words, const Sweep& what,
                              const Source& source, const Sink& sink) {
    using V = Wide<T>;
    typename Lanes::template Var<Four<V>> four;
    typename Lanes::template Var<V> carries;  // lane j: the value before the tile in layer j
    lanes.each([&](std::uint32_t lane) { carries[lane] = 0; });
    for (std::uint32_t tile = 0; tile < what.size; tile += kTile) {
      lanes.each([&](std::uint32_t lane) { four[lane] = source(tile + 4 * lane); });
      lanes.sync();  // source and sink may be the same memory
      if (tile == 0 && what.deltas > 0) {
        lanes.each([&](std::uint32_t lane) { clear_before(4 * lane, what.deltas, four[lane]); });
      }
      for (std::uint32_t j = what.deltas; j-- > 0;) {
        if (tile == 0) {
          const V first = words.first(what.layer + j);
          lanes.each([&](std::uint32_t lane) { put(4 * lane, j, first, four[lane]); });
        }
        add_up<V>(lanes, j, carries, four);
      }
      lanes.each([&](std::uint32_t lane) { sink(lanes, tile + 4 * lane, four[lane]); });
    }
  }

  /// Zeros for positions before `end`.
  template <class V>
  GANNET_HD static void clear_before(std::uint32_t first, std::uint32_t end, Four<V>& four) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i < end) four.value[i] = 0;
    }
  }

  template <class V>
  GANNET_HD static void put(std::uint32_t first, std::uint32_t position, V value, Four<V>& four) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i == position) four.value[i] = value;
    }
  }

  /// Replaces a tile's values by their sums from the first tile on.
  template <class V, class Lanes>
  GANNET_HD static void add_up(Lanes lanes, std::uint32_t j,
                               typename Lanes::template Var<V>& carries,
                               typename Lanes::template Var<Four<V>>& four) {
    typename Lanes::template Var<V> before;
    typename Lanes::template Var<std::uint32_t> from;
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 1; i < 4; ++i) four[lane].value[i] += four[lane].value[i - 1];
      before[lane] = four[lane].value[3];
      from[lane] = j;
    });
    const V total = lanes.exclusive_scan(before);
    const typename Lanes::template Var<V> carry = lanes.gather(carries, from);
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < 4; ++i) four[lane].value[i] += carry[lane] + before[lane];
      if (lane == j) carries[lane] = carry[lane] + total;
    });
  }

  template <class T>
  static CascadedPlan plan_for(std::span<const T> values, Parameters parameters) {
    constexpr std::uint32_t kAbsent = 0xffffffffu;
    constexpr std::uint32_t kMost = CascadedPlan::kMostLayers;
    const std::uint32_t rles = parameters.take("rles", kAbsent, 0, kMost);
    const std::uint32_t deltas = parameters.take("deltas", kAbsent, 0, kMost);
    const std::uint32_t bitpack = parameters.take("bitpack", kAbsent, 0, 1);
    const std::uint32_t choose = parameters.take("auto", kAbsent, 0, 1);
    const std::uint32_t chunk =
        parameters.take("chunk", CascadedPlan::usual_chunk<T>, CascadedPlan::kLeastChunk,
                        CascadedPlan::most_chunk<T>);
    parameters.finish(name);
    const bool given = rles != kAbsent || deltas != kAbsent || bitpack != kAbsent;
    if (given && choose == 1) throw UsageError("cascaded: auto=1 chooses rles, deltas, bitpack");
    const CascadedPlan plan{rles == kAbsent ? 0 : rles, deltas == kAbsent ? 0 : deltas,
                            bitpack == kAbsent ? 1 : bitpack, chunk};
    check_plan<T>(plan);
    const bool chosen = choose == kAbsent ? !given : choose == 1;
    return chosen ? choose_cascaded_plan(values, chunk) : plan;
  }

  /// What is wrong with a plan; null if nothing is.
  template <class T>
  static const char* plan_fault(const CascadedPlan& plan) {
    if (plan.rles > CascadedPlan::kMostLayers) return "it has too many run-length layers";
    if (plan.deltas > CascadedPlan::kMostLayers) return "it has too many delta layers";
    if (plan.bitpack > 1) return "bit-packing is neither on nor off";
    if (plan.chunk < CascadedPlan::kLeastChunk || plan.chunk > CascadedPlan::most_chunk<T> ||
        plan.chunk % kTile != 0) {
      return "the values a chunk are not a multiple of 128, or too few or too many";
    }
    return nullptr;
  }

  /// Words of chunk c, which `words` begins with; throws FormatError unless decoding it stays
  /// inside of them and yields `size` values.
  template <class T>
  static std::uint64_t checked_size(std::span<const std::uint32_t> words, const CascadedPlan& plan,
                                    std::uint32_t size, std::uint32_t c) {
    const CascadedChunk<T> chunk{words.data(), size, plan.rles, plan.deltas};
    std::uint64_t end = chunk.head_words();
    if (words.size() < end) fail_block(name, c, "it is cut off");
    const std::uint32_t value_width = chunk.layer(0).value_width();
    if (value_width > 8 * sizeof(T)) fail_block(name, c, "its values are too wide");
    typename CascadedChunk<T>::Level level{};
    for (std::uint32_t i = 0; i < plan.rles; ++i) {
      level = chunk.level(i);
      if (level.lengths.width > CascadedLayer::kPlainLengthWidth) {
        fail_block(name, c, "its run lengths are too wide");
      }
      end += stream_words(level.runs, level.lengths.width);
      if (words.size() < end) fail_block(name, c, "it is cut off");
      check_lengths(level, c);
    }
    const std::uint32_t left = chunk.values(level).count;
    end += stream_words(left, value_width);
    if (words.size() < end) fail_block(name, c, "it is cut off");
    return end;
  }

  template <class Level>
  static void check_lengths(const Level& level, std::uint32_t c) {
    std::uint64_t total = 0;
    for (std::uint32_t run = 0; run < level.runs; ++run) total += level.lengths.at(run);
    if (total == level.positions) return;
    fail_block(name, c,
               "its runs have " + std::to_string(total) + " values, not " +
                   std::to_string(level.positions));
  }
};

#if defined(__CUDACC__)

inline constexpr std::uint32_t kCascadedWarps = 4;

/// A warp a chunk.
template <class T>
__global__ void __launch_bounds__(kCascadedWarps* kLanes)
    cascaded_kernel(ListView column, std::uint32_t chunk_values, T* out) {
  extern __shared__ uint4 cascaded_scratch[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t chunk = blockIdx.x * kCascadedWarps + warp;
  if (chunk >= chunk_count(column.count, chunk_values)) return;
  std::uint32_t* scratch = reinterpret_cast<std::uint32_t*>(cascaded_scratch) +
                           warp * Cascaded::scratch_words_for<T>(chunk_values);
  Cascaded::decode_chunk<T>(WarpLanes{}, column, chunk, scratch,
                            out + std::uint64_t{chunk} * chunk_values);
}

template <class T>
void Cascaded::launch_decode(ListView column, std::uint32_t chunk_values, T* out,
                             cudaStream_t stream) {
  const std::uint32_t blocks = ceil_div(chunk_count(column.count, chunk_values), kCascadedWarps);
  const std::uint32_t bytes = kCascadedWarps * scratch_words_for<T>(chunk_values) * 4;
  cascaded_kernel<T><<<blocks, kCascadedWarps * kLanes, bytes, stream>>>(column, chunk_values, out);
}

#endif

}  // namespace gannet::codecs
