// rle: runs of equal values as (value, length) pairs, in two separate columns.
// Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer Compression in GPU",
// SIGMOD 2022, section 9.3 (the pairs and their two columns); the chunks are ours: runs end where
// a chunk ends, so that a chunk is decoded by itself.
//
// Format, in 32-bit words, n values, chunks of C values:
//   chunk size   C, a multiple of 128 from 128 to 4096 (parameter chunk, 2048 by default)
//   run starts   chunks + 1 words: number of runs before each chunk; the last one is that of all
//   values       the runs' values, little-endian, in the type's size; filled up to a word
//   lengths      the runs' lengths (1 .. C), 16 bits each; filled up to a word
#pragma once

#include <cstring>

#include "codecs/columns/rle_four.hpp"
#include "codecs/columns/rle_runs.hpp"
#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/faults.hpp"

namespace gannet::codecs {

struct Rle {
  static constexpr std::string_view name = "rle";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);
  template <class T>
  static constexpr bool takes = std::is_integral_v<T> && sizeof(T) <= 8;
  static constexpr std::uint32_t kMinChunk = kTile;
  static constexpr std::uint32_t kMaxChunk = 4096;

  /// Parameter chunk: values a chunk.
  template <class T>
  static void encode(std::span<const T> values, Parameters parameters,
                     std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const std::uint32_t chunk = parameters.take("chunk", 2048, kMinChunk, kMaxChunk);
    parameters.finish(name);
    if (chunk % kTile != 0) throw UsageError("rle: parameter chunk must be a multiple of 128");
    words.push_back(chunk);
    std::vector<T> runs;
    std::vector<std::uint16_t> lengths;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % chunk == 0) throw_if_stopped();
      if (i % chunk == 0) words.push_back(static_cast<std::uint32_t>(runs.size()));
      if (i % chunk != 0 && values[i] == runs.back()) {
        ++lengths.back();
      } else {
        runs.push_back(values[i]);
        lengths.push_back(1);
      }
    }
    words.push_back(static_cast<std::uint32_t>(runs.size()));
    append_bytes(std::as_bytes(std::span<const T>(runs)), words);
    append_bytes(std::as_bytes(std::span<const std::uint16_t>(lengths)), words);
  }

  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_chunks<Rle, T>(words, count);
  }

  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (words.size == 0) return kCutOff;
    const std::uint32_t size = words[0];
    if (size < kMinChunk || size > kMaxChunk || size % kTile != 0) {
      return "chunks cannot have so many values";
    }
    const std::uint32_t chunks = chunk_count(count, size);
    if (!words.has(0, std::uint64_t{chunks} + 2)) return kCutOff;
    const std::uint64_t runs = words[1 + chunks];
    if (words.size != chunks + 2 + (runs * sizeof(T) + 3) / 4 + (runs * 2 + 3) / 4) {
      return "it has not as many words as its runs take";
    }
    return words[1] == 0 ? nullptr : "the first chunk does not start with the first run";
  }

  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t count, std::uint32_t chunk) {
    const std::uint32_t chunks = chunk_count(count, words[0]);
    const Parts parts = parts_of<T>(words.words, chunks);
    const std::uint32_t begin = words[1 + chunk];
    const std::uint32_t end = words[2 + chunk];
    if (end < begin || end > words[1 + chunks]) return "its runs end before they start";
    std::uint64_t total = 0;
    for (std::uint32_t run = begin; run < end; ++run) {
      if (parts.length(run) == 0) return "it has a run without values";
      total += parts.length(run);
    }
    return total == chunk_size(count, words[0], chunk)
               ? nullptr
               : "its runs have not as many values as it has";
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t* words) {
    return words[0];
  }

  template <class T>
  static constexpr std::uint32_t scratch_words = RunMarks::words(kMaxChunk);

  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    const std::uint32_t values = column.words[0];
    const std::uint32_t size = chunk_size(column.count, values, chunk);
    const Parts parts = parts_of<T>(column.words, chunk_count(column.count, values));
    const std::uint32_t first_run = column.words[1 + chunk];
    const std::uint32_t runs = column.words[2 + chunk] - first_run;
    RunMarks marks(scratch, values);
    marks.mark(lanes, size, 0, runs, [&](std::uint32_t run) {
      Four<std::uint32_t> lengths;
      for (std::uint32_t i = 0; i < 4; ++i) {
        lengths.value[i] = run + i < runs ? parts.length(first_run + run + i) : 0;
      }
      return lengths;
    });
    for (std::uint32_t tile = 0; tile < size; tile += kTile) {
      lanes.each([&](std::uint32_t lane) {
        const std::uint32_t first = tile + 4 * lane;
        const RunsOfFour four = marks.at(first);
        Four<Wide<T>> decoded;
        std::uint32_t run = first_run + four.run;
        for (std::uint32_t i = 0; i < 4; ++i) {
          if (i > 0) run = four.next(run, i);
          decoded.value[i] = parts.template value<T>(run);
        }
        if (size - tile >= kTile) {
          store_all<T>(lanes, decoded, out + first);
        } else {
          store_some<T>(decoded, first, size, out);
        }
      });
    }
    return true;
  }

 private:
  /// The two columns of all chunks.
  struct Parts {
    const std::uint32_t* values;
    const std::uint32_t* lengths;

    GANNET_HD std::uint32_t length(std::uint32_t run) const {
      return lengths[run / 2] >> (run % 2 * 16) & 0xffff;
    }
    template <class T>
    GANNET_HD Wide<T> value(std::uint32_t run) const {
      if constexpr (sizeof(T) == 8) {
        const std::uint32_t* pair = values + 2 * std::uint64_t{run};
        return pair[0] | std::uint64_t{pair[1]} << 32;
      } else if constexpr (sizeof(T) == 4) {
        return values[run];
      } else {
        constexpr std::uint32_t kEach = 4 / sizeof(T);
        return values[run / kEach] >> (run % kEach * 8 * sizeof(T));
      }
    }
  };

  template <class T>
  GANNET_HD static Parts parts_of(const std::uint32_t* words, std::uint32_t chunks) {
    const std::uint32_t* values = words + 2 + chunks;
    const std::uint64_t runs = words[1 + chunks];
    return {values, values + (runs * sizeof(T) + 3) / 4};
  }
};

}  // namespace gannet::codecs
