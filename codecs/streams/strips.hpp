// Columns of byte streams, cut so that the 32 lanes of a warp decode a chunk side by side.
//
// A chunk is cut into 32 strips of equally many values, and the stream is cut at every strip: no
// symbol reaches from one strip into the next. So a strip's bytes are a stream by themselves, and a
// chunk's bytes, one strip after the other, are the stream of the chunk's values. There are two
// ways to decode a chunk:
//   - decode_serial(): from its first byte to its last, on the host. (CODAG's warps do the same:
//     bench/papers/codag.)
//   - decode_strips(): a strip a lane, every lane with a stream and a decoder of its own. A step
//     decodes 32 symbols rather than one. Rows of 64 bytes per lane are collected in shared memory
//     and leave it as whole sectors.
// Both run the codec's one decoder.
//
// Format, in 32-bit words:
//   header       values a chunk; 1 if the values are signed, else 0
//   starts       chunks + 1 words: where each chunk begins, from the beginning of the header; the
//                last one is the length of all
//   chunks       16 words with 32 16-bit numbers: the bytes of each strip (0 for strips beyond the
//                end of the column), the first strip's in the lowest bits; then the bytes of the
//                strips, filled up to a whole word with zeros
//
// What the codec gives is the concept StripFormat; orc/rle_v1.hpp is one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/streams/streams.hpp"
#include "codecs/streams/strip_format.hpp"

namespace gannet::codecs {
/// Columns of strips; `Codec` is a StripFormat. All functions are thread-safe.
template <class Codec>
struct StripColumn {
  static constexpr std::uint32_t kStrips = kLanes;
  /// Strips hold a multiple of 64 values, so that their rows are aligned in every type.
  static constexpr std::uint32_t kChunkUnit = 64 * kStrips;
  /// With at most 4096 values, no strip has more than 64 KiB.
  static constexpr std::uint32_t kMaxChunk = 4096 * kStrips;
  static constexpr std::uint32_t kHeaderWords = 2;
  static constexpr std::uint32_t kSizeWords = kStrips / 2;

  /// Bytes of a strip's row in scratch memory, and from one row to the next: rows are written and
  /// read 16 bytes at a time without conflicts between banks.
  static constexpr std::uint32_t kRowBytes = 64;
  static constexpr std::uint32_t kRowPitch = 80;
  static constexpr std::uint32_t kRowWords = kStrips * kRowPitch / 4;

  /// Words of a chunk that decode_chunk() stages: none, since shared memory that large chunks leave
  /// unused would take the L1 cache from them, which they need. strips_kernel.cuh stages chunks of
  /// up to kStageWords.
  static constexpr std::uint32_t kScratchWords = kRowWords;
  static constexpr std::uint32_t kStageWords = 1024;

  template <class T>
  static void encode(std::span<const T> values, std::uint32_t chunk_values,
                     std::vector<std::uint32_t>& words) {
    check_encodable(Codec::name, values.size());
    if (chunk_values % kChunkUnit != 0) {
      throw UsageError(std::string(Codec::name) + ": parameter chunk must be a multiple of " +
                       std::to_string(kChunkUnit));
    }
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t chunks = chunk_count(count, chunk_values);
    const std::size_t base = words.size();
    words.insert(words.end(), {chunk_values, std::is_signed_v<T> ? 1u : 0u});
    words.resize(words.size() + chunks + 1);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      throw_if_stopped();
      words[base + kHeaderWords + chunk] = position_of(words.size() - base);
      encode_chunk(
          values.subspan(std::size_t{chunk} * chunk_values, chunk_size(count, chunk_values, chunk)),
          chunk_values / kStrips, words);
    }
    words[base + kHeaderWords + chunks] = position_of(words.size() - base);
  }

  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (!words.has(0, kHeaderWords + 1)) return kCutOff;
    const std::uint32_t chunk_values = words[0];
    if (chunk_values == 0 || chunk_values % kChunkUnit != 0 || chunk_values > kMaxChunk) {
      return "chunks cannot have so many values each";
    }
    if (words[1] != (std::is_signed_v<T> ? 1u : 0u)) {
      return "the header does not say whether values are signed as the type does";
    }
    const std::uint32_t chunks = chunk_count(count, chunk_values);
    const std::uint64_t first = std::uint64_t{kHeaderWords} + chunks + 1;
    if (!words.has(0, first)) return kCutOff;
    if (words[kHeaderWords] != first) return "the first chunk does not follow the header";
    return words[kHeaderWords + chunks] == words.size
               ? nullptr
               : "it has not as many words as its chunks take";
  }

  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t count, std::uint32_t chunk) {
    const std::uint64_t begin = words[kHeaderWords + chunk];
    const std::uint64_t end = words[kHeaderWords + chunk + 1];
    if (end < begin || end > words.size) return "it does not end inside the column";
    return strips_fault({words.words + begin, end - begin}, words[0] / kStrips,
                        chunk_size(count, words[0], chunk));
  }

  /// The chunk's whole stream.
  GANNET_HD static ByteRange stream_of(ListView column, std::uint32_t chunk) {
    const std::uint32_t first = column.words[kHeaderWords + chunk];
    const std::uint32_t last = column.words[kHeaderWords + chunk + 1];
    return {column.words + first, 4 * kSizeWords, 4 * (last - first)};
  }

  /// Decodes a chunk from its first byte to its last, on the host. `T` is unsigned or signed, as in
  /// the column or not.
  template <class T>
  GANNET_HD static void decode_serial(ListView column, std::uint32_t chunk, T* out) {
    MemoryInput<Codec::order> input(stream_of(column, chunk));
    typename Codec::template Decoder<StripValue<T>> decoder(column.words[1] != 0);
    HostOutput<T> output({}, out, chunk_size(column.count, column.words[0], chunk));
    decode_symbols(decoder, input, output);
  }

  /// Words of the chunk's strips.
  GANNET_HD static std::uint32_t strip_words(ListView column, std::uint32_t chunk) {
    return stream_of(column, chunk).end / 4 - kSizeWords;
  }

  /// Decodes a chunk, a strip a lane, reading it where it is: there must be a readable word behind
  /// it. `scratch` (16-byte aligned) has kRowWords words, `out` is aligned to 16 bytes.
  template <class T, class Lanes>
  GANNET_HD static void decode_strips(Lanes lanes, ListView column, std::uint32_t chunk,
                                      std::uint32_t* scratch, T* out) {
    const std::uint32_t* sizes = stream_of(column, chunk).words;
    using Input = PositionInput<Codec::order>;
    decode_strips_from<Input>(lanes, sizes + kSizeWords, sizes, column, chunk, scratch, out);
  }

  /// The same, but the strips are copied to the scratch memory first: it has kRowWords +
  /// strip_words() + 1 words.
  template <class T, class Lanes>
  GANNET_HD static void decode_staged_strips(Lanes lanes, ListView column, std::uint32_t chunk,
                                             std::uint32_t* scratch, T* out) {
    const std::uint32_t* sizes = stream_of(column, chunk).words;
    const std::uint32_t words = strip_words(column, chunk);
    std::uint32_t* staged = scratch + kRowWords;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t* from = sizes + kSizeWords;
      for (std::uint32_t i = lane; i < words; i += kLanes) {
        staged[i] = kMsbFirst ? reversed_bytes(from[i]) : from[i];
      }
    });
    lanes.sync();
    using Input = PositionInput<Codec::order, kMsbFirst>;
    decode_strips_from<Input>(lanes, staged, sizes, column, chunk, scratch, out);
  }

  /// Decodes a chunk in the way that is best for `Lanes`.
  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    if constexpr (std::is_same_v<Lanes, SerialLanes>) {
      decode_serial(column, chunk, out);
    } else {
      decode_strips<T>(lanes, column, chunk, scratch, out);
    }
    return true;
  }

 private:
  static constexpr bool kMsbFirst = Codec::order == BitOrder::kMsbFirst;

  /// The bytes of the strips begin with `first`, `sizes` are their sizes.
  template <class Input, class T, class Lanes>
  GANNET_HD static void decode_strips_from(Lanes lanes, const std::uint32_t* first,
                                           const std::uint32_t* sizes, ListView column,
                                           std::uint32_t chunk, std::uint32_t* scratch, T* out) {
    using Reader = StripReader<T, Input>;
    constexpr std::uint32_t kRowValues = kRowBytes / sizeof(T);
    const std::uint32_t size = chunk_size(column.count, column.words[0], chunk);
    const std::uint32_t strip = column.words[0] / kStrips;
    typename Lanes::template Var<std::uint32_t> begins;
    lanes.each([&](std::uint32_t lane) { begins[lane] = strip_bytes(sizes, lane); });
    lanes.exclusive_scan(begins);
    typename Lanes::template Var<Reader> readers;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t before = lane * strip;
      const std::uint32_t values = before < size ? size - before : 0;
      readers[lane] =
          Reader(Input(first, begins[lane]), column.words[1] != 0, values < strip ? values : strip);
    });
    const std::uint32_t longest = size < strip ? size : strip;
    for (std::uint32_t done = 0; done < longest; done += kRowValues) {
      lanes.each([&](std::uint32_t lane) {
        readers[lane].read_row(reinterpret_cast<T*>(scratch + lane * (kRowPitch / 4)));
      });
      lanes.sync();
      write_rows(lanes, scratch, strip, done, size, out);
      lanes.sync();
    }
  }

  /// One lane's strip: its values one after the other.
  template <class T, class Input>
  class StripReader {
   public:
    using Value = StripValue<T>;
    StripReader() = default;
    GANNET_HD StripReader(Input input, bool is_signed, std::uint32_t values)
        : input_(input), decoder_(is_signed), coming_(values) {}

    /// Decodes kRowBytes of values to `row`; behind the strip's last value there are zeros.
    GANNET_HD void read_row(T* row) {
      std::uint32_t done = 0;
      while (done < kRowValues) {
        if (left_ == 0) refill();
        if (done == 0 && left_ >= kRowValues) {
          fill_row(row);
          return;
        }
        // Two ways out: compilers do not unroll it, which for short runs would be in vain.
        while (true) {
          row[done++] = take();
          if (--left_ == 0) break;
          if (done == kRowValues) break;
        }
      }
    }

   private:
    static constexpr std::uint32_t kRowValues = kRowBytes / sizeof(T);
    static constexpr std::uint32_t kVector = 16 / sizeof(T);
    struct alignas(16) Vector {
      T value[kVector];
    };

    GANNET_HD void refill() {
      if (coming_ == 0) {
        next_ = delta_ = 0;
        left_ = kRowValues;
        return;
      }
      const RunSymbol<Value> symbol = decoder_.next(input_);
      next_ = symbol.init;
      delta_ = symbol.delta;
      left_ = static_cast<std::uint32_t>(symbol.length);
      coming_ -= left_;
    }

    GANNET_HD void fill_row(T* row) {
      for (std::uint32_t i = 0; i < kRowBytes / 16; ++i) {
        Vector vector;
        for (auto& value : vector.value) value = take();
        reinterpret_cast<Vector*>(row)[i] = vector;
      }
      left_ -= kRowValues;
    }

    GANNET_HD T take() {
      const auto value = static_cast<T>(next_);
      next_ += delta_;
      return value;
    }

    Input input_;
    typename Codec::template Decoder<Value> decoder_;
    std::uint32_t coming_ = 0;  ///< values of the strip's further symbols
    std::uint32_t left_ = 0;    ///< values left of the current symbol
    Value next_ = 0;
    Value delta_ = 0;
  };

  GANNET_HD static std::uint32_t strip_bytes(const std::uint32_t* sizes, std::uint32_t strip) {
    return sizes[strip / 2] >> (strip % 2 * 16) & 0xffff;
  }

  /// Writes the rows of all strips, which hold the values [done, done + row) of each.
  template <class T, class Lanes>
  GANNET_HD static void write_rows(Lanes lanes, const std::uint32_t* scratch, std::uint32_t strip,
                                   std::uint32_t done, std::uint32_t size, T* out) {
    struct alignas(16) Vector {
      T value[16 / sizeof(T)];
    };
    constexpr std::uint32_t kVector = 16 / sizeof(T);
    constexpr std::uint32_t kParts = kRowBytes / 16;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t part = lane % kParts;
      for (std::uint32_t row = lane / kParts; row < kStrips; row += kLanes / kParts) {
        const std::uint32_t at = row * strip + done + part * kVector;
        if (at >= size) break;
        const auto vector =
            *reinterpret_cast<const Vector*>(scratch + row * (kRowPitch / 4) + part * 4);
        if (at + kVector <= size) {
          *reinterpret_cast<Vector*>(out + at) = vector;
        } else {
          for (std::uint32_t i = 0; i < kVector; ++i) {
            if (at + i < size) out[at + i] = vector.value[i];
          }
        }
      }
    });
  }

  static std::uint32_t position_of(std::size_t word) {
    if (word > 0xffffffffu) {
      throw UsageError(std::string(Codec::name) + ": the column takes more than 16 GiB");
    }
    return static_cast<std::uint32_t>(word);
  }

  template <class T>
  static void encode_chunk(std::span<const T> values, std::uint32_t strip,
                           std::vector<std::uint32_t>& words) {
    const std::vector<std::int64_t> wide(values.begin(), values.end());
    const std::span<const std::int64_t> all = wide;
    std::vector<std::uint8_t> bytes;
    std::uint32_t sizes[kSizeWords] = {};
    for (std::uint32_t i = 0; i < kStrips && i * strip < wide.size(); ++i) {
      const std::size_t before = bytes.size();
      const std::size_t first = std::size_t{i} * strip;
      Codec::encode_strip(all.subspan(first, std::min<std::size_t>(strip, wide.size() - first)),
                          std::is_signed_v<T>, bytes);
      sizes[i / 2] |= static_cast<std::uint32_t>(bytes.size() - before) << (i % 2 * 16);
    }
    words.insert(words.end(), std::begin(sizes), std::end(sizes));
    const std::size_t first = words.size();
    words.resize(first + (bytes.size() + 3) / 4);
    if (!bytes.empty()) std::memcpy(words.data() + first, bytes.data(), bytes.size());
  }

  /// What is wrong with the words of a chunk of `size` values.
  GANNET_HD static Fault strips_fault(WordView words, std::uint32_t strip, std::uint32_t size) {
    if (!words.has(0, kSizeWords)) return kCutOff;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.words);
    std::uint64_t at = 4 * kSizeWords;
    for (std::uint32_t i = 0; i < kStrips; ++i) {
      const std::uint32_t length = strip_bytes(words.words, i);
      const std::uint32_t before = i * strip;
      const std::uint32_t left = before < size ? size - before : 0;
      const std::uint32_t values = left < strip ? left : strip;
      if (values == 0 && length != 0) return "a strip beyond its end has bytes";
      if (length > 4 * words.size - at) return kCutOff;
      if (values > 0) {
        const Fault fault = Codec::strip_fault(bytes + at, length, values);
        if (fault != nullptr) return fault;
      }
      at += length;
    }
    return (at + 3) / 4 == words.size ? nullptr : "it has words to spare";
  }
};

}  // namespace gannet::codecs
