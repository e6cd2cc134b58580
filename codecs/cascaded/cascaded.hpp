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
// How a chunk is decoded: decoder.hpp.
#pragma once

#include "codecs/cascaded/decoder.hpp"
#include "codecs/cascaded/encoder.hpp"
#include "codecs/cascaded/format.hpp"
#include "codecs/core/faults.hpp"

namespace gannet::codecs {

struct Cascaded {
  static constexpr std::string_view name = "cascaded";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);
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
      throw_if_stopped();
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
    validate_chunks<Cascaded, T>(words, count);
  }

  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (!words.has(0, kCascadedHead + 1)) return kCutOff;
    const CascadedPlan plan = CascadedPlan::of(words.words);
    if (const Fault fault = plan_fault<T>(plan)) return fault;
    const std::uint32_t chunks = chunk_count(count, plan.chunk);
    const std::uint64_t first = std::uint64_t{kCascadedHead} + chunks + 1;
    if (!words.has(0, first)) return kCutOff;
    const std::uint64_t end = words[kCascadedHead + chunks];
    if (end != words.size || (chunks == 0 && end != first)) {
      return "it has not as many words as its chunks take";
    }
    return nullptr;
  }

  /// A chunk stands between two starts; it must take just the words between them.
  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t count, std::uint32_t c) {
    const CascadedPlan plan = CascadedPlan::of(words.words);
    const std::uint64_t first = std::uint64_t{kCascadedHead} + chunk_count(count, plan.chunk) + 1;
    const std::uint64_t begin = words[kCascadedHead + c];
    const std::uint64_t end = words[kCascadedHead + c + 1];
    if (c == 0 && begin != first) return "it does not follow the chunk starts";
    if (end < begin || end > words.size) return "it does not end inside the column";
    std::uint64_t taken = 0;
    const Fault fault = size_fault<T>({words.words + begin, end - begin}, plan,
                                      chunk_size(count, plan.chunk, c), taken);
    if (fault != nullptr) return fault;
    return taken == end - begin ? nullptr : "something follows its values";
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
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    decode<T, Lanes, false>(lanes, column, chunk, column.words[1], scratch, out);
    return true;
  }

  /// The same for device-wide decoding: `values` is chunk_values(), `out` is aligned to 16 bytes,
  /// and there are kStreamOverread words behind the column that may be read.
  template <class T, class Lanes>
  GANNET_HD static void decode_chunk_wide(Lanes lanes, ListView column, std::uint32_t chunk,
                                          std::uint32_t values, std::uint32_t* scratch, T* out) {
    decode<T, Lanes, true>(lanes, column, chunk, values, scratch, out);
  }

 private:
  template <class T, class Lanes, bool kWide>
  GANNET_HD static void decode(Lanes lanes, ListView column, std::uint32_t chunk,
                               std::uint32_t values, std::uint32_t* scratch, T* out) {
    CascadedDecoder<T, Lanes, kWide>(lanes, cascaded_chunk<T>(column, chunk, values), values,
                                     scratch)
        .decode(out);
  }

  template <class T>
  static CascadedPlan plan_for(std::span<const T> values, Parameters parameters) {
    constexpr std::uint32_t kAbsent = 0xffffffffu;
    constexpr std::uint32_t kMax = CascadedPlan::kMaxLayers;
    const std::uint32_t rles = parameters.take("rles", kAbsent, 0, kMax);
    const std::uint32_t deltas = parameters.take("deltas", kAbsent, 0, kMax);
    const std::uint32_t bitpack = parameters.take("bitpack", kAbsent, 0, 1);
    const std::uint32_t choose = parameters.take("auto", kAbsent, 0, 1);
    const std::uint32_t chunk =
        parameters.take("chunk", CascadedPlan::usual_chunk<T>, CascadedPlan::kMinChunk,
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
  GANNET_HD static Fault plan_fault(const CascadedPlan& plan) {
    if (plan.rles > CascadedPlan::kMaxLayers) return "it has too many run-length layers";
    if (plan.deltas > CascadedPlan::kMaxLayers) return "it has too many delta layers";
    if (plan.bitpack > 1) return "bit-packing is neither on nor off";
    if (plan.chunk < CascadedPlan::kMinChunk || plan.chunk > CascadedPlan::most_chunk<T> ||
        plan.chunk % kTile != 0) {
      return "the values a chunk are not a multiple of 128, or too few or too many";
    }
    return nullptr;
  }

  /// What is wrong with a chunk of `size` values that `words` begins with; `taken` are the words
  /// that it takes, if nothing is. The run lengths are told from a chunk that may be cut off one
  /// layer after the other, since where a layer's lengths are depends on those before it.
  template <class T>
  GANNET_HD static Fault size_fault(WordView words, const CascadedPlan& plan, std::uint32_t size,
                                    std::uint64_t& taken) {
    const CascadedChunk<T> chunk{words.words, size, plan.rles, plan.deltas};
    std::uint64_t end = chunk.head_words();
    if (words.size < end) return kCutOff;
    const std::uint32_t value_width = chunk.layer(0).value_width();
    if (value_width > 8 * sizeof(T)) return "its values are too wide";
    typename CascadedChunk<T>::Level level{};
    for (std::uint32_t i = 0; i < plan.rles; ++i) {
      level = chunk.level(i);
      if (level.lengths.width > CascadedLayer::kPlainLengthWidth) {
        return "its run lengths are too wide";
      }
      end += stream_words(level.runs, level.lengths.width);
      if (words.size < end) return kCutOff;
      std::uint64_t total = 0;
      for (std::uint32_t run = 0; run < level.runs; ++run) total += level.lengths.at(run);
      if (total != level.positions) return "its runs have not as many values as it has";
    }
    end += stream_words(chunk.values(level).count, value_width);
    if (words.size < end) return kCutOff;
    taken = end;
    return nullptr;
  }
};

}  // namespace gannet::codecs
