// deflate: RFC 1951 streams in independent chunks; for bytes (stored text), and for columns of any
// type, whose values are taken as little-endian bytes.
// Source: RFC 1951, and Park et al., "CODAG: Characterizing and Optimizing Decompression Algorithms
// for GPUs", sections II-A and V-B (chunks of 128 KiB, zlib at its highest level).
//
// Format, in 32-bit words:
//   chunk bytes    bytes of every chunk but the last before encoding, a multiple of 1,024
//   chunk starts   chunks + 1 words, counted from the beginning; the last one is the length of all
//   chunks         each one deflate stream, padded with zero bytes to a word
// A chunk refers to no byte before its own first one.
//
// Parameters: level=1..9 (zlib's, default 9; 0 stores), chunk=1..1024 (KiB, default 128).
//
// Two decoders run from the same tables (tables.hpp, blocks.hpp):
//   serial.hpp     symbol after symbol; the host's decoder
//   parallel.hpp   32 segments of the stream at once; the device's decoder
// (A third one, CODAG's, lies in bench/papers/codag, to be compared with.) Each is safe with any
// bytes: it never reads outside the chunk's words nor writes outside its output, and ends.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/deflate/parallel.hpp"
#include "codecs/deflate/serial.hpp"

namespace gannet::codecs {

namespace deflate {

/// Appends `bytes` as one deflate stream, padded with zeros to a word. `level` as zlib's (0..9).
/// Throws std::bad_alloc.
void compress(std::span<const std::uint8_t> bytes, std::uint32_t level,
              std::vector<std::uint32_t>& words);

/// Inflates the stream that starts at words[0] with the serial decoder on the host; its output is
/// of a type such as NoOutput or ByteOutput. Returns the bits that it takes, or 0 if the words do
/// not start with a stream of at most `size` bytes.
template <class Out>
GANNET_HD std::uint32_t inflate_words(const std::uint32_t* words, std::uint32_t count,
                                      std::uint32_t size, Tables& tables, HeadSpace& space,
                                      Out& output) {
  WordInput input(words, count);
  SerialInflate<SerialLanes, WordInput, Out> inflate({}, 32 * count, size, tables, space);
  return inflate.run(input, output) ? input.bit_position() : 0;
}

}  // namespace deflate

struct Deflate {
  static constexpr std::string_view name = "deflate";
  static constexpr CodecId id = id_of(CodecKind::kChunks, name);
  template <class T>
  static constexpr bool takes = std::is_integral_v<T>;

  static constexpr std::uint32_t kUnit = 1024;      ///< bytes; chunks are multiples of it
  static constexpr std::uint32_t kMaxUnits = 1024;  ///< in a chunk
  static constexpr std::uint32_t kHeaderWords = 1;

  template <class T>
  static void encode(std::span<const T> values, Parameters parameters,
                     std::vector<std::uint32_t>& words) {
    const std::uint32_t level = parameters.take("level", 9, 0, 9);
    const std::uint32_t chunk_bytes = kUnit * parameters.take("chunk", 128, 1, kMaxUnits);
    parameters.finish(name);
    check_encodable(name, values.size());
    const auto bytes =
        std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes());
    const std::size_t base = words.size();
    const std::size_t chunks = bytes.size() / chunk_bytes + (bytes.size() % chunk_bytes != 0);
    words.push_back(chunk_bytes);
    words.resize(words.size() + chunks + 1);
    for (std::size_t i = 0; i < chunks; ++i) {
      throw_if_stopped();
      words[base + kHeaderWords + i] = static_cast<std::uint32_t>(words.size() - base);
      const std::size_t first = i * chunk_bytes;
      const std::size_t size = std::min<std::size_t>(chunk_bytes, bytes.size() - first);
      deflate::compress(bytes.subspan(first, size), level, words);
    }
    words[base + kHeaderWords + chunks] = static_cast<std::uint32_t>(words.size() - base);
  }

  /// Decodes every chunk once, keeping nothing of the output.
  template <class T>
  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_chunks<Deflate, T>(words, count);
    for (std::uint32_t i = 0; count > 0 && i < chunk_count(count, chunk_values<T>(words.data()));
         ++i) {
      throw_if_stopped();
      const std::uint32_t start = words[kHeaderWords + i];
      const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
          words[0], std::uint64_t{count} * sizeof(T) - std::uint64_t{i} * words[0]));
      check_chunk(words.subspan(start, words[kHeaderWords + i + 1] - start), i, size);
    }
  }

  /// The header, and that the chunks' words lie inside of the column. What the chunks hold is seen
  /// when they are decoded, which is safe with any bytes.
  template <class T>
  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (!words.has(0, kHeaderWords + 1)) return kCutOff;
    const std::uint32_t chunk_bytes = words[0];
    if (chunk_bytes == 0 || chunk_bytes % kUnit != 0 || chunk_bytes / kUnit > kMaxUnits) {
      return "chunks cannot have so many bytes";
    }
    const std::uint64_t bytes = std::uint64_t{count} * sizeof(T);
    const std::uint64_t chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
    const std::uint64_t first = kHeaderWords + chunks + 1;
    if (!words.has(0, first)) return kCutOff;
    if (words[kHeaderWords] != first) return "the first chunk does not follow the header";
    return words[kHeaderWords + chunks] == words.size
               ? nullptr
               : "it has not as many words, its chunks end at another one";
  }

  template <class T>
  GANNET_HD static Fault chunk_fault(WordView words, std::uint32_t, std::uint32_t chunk) {
    const std::uint32_t start = words[kHeaderWords + chunk];
    const std::uint32_t end = words[kHeaderWords + chunk + 1];
    if (end < start || end > words.size) return "it does not end inside the list";
    return end - start <= deflate::kMaxWords ? nullptr : "it is longer than any chunk";
  }

  template <class T>
  GANNET_HD static std::uint32_t chunk_values(const std::uint32_t* words) {
    return words[0] / sizeof(T);
  }

  using Space = deflate::Space<deflate::kUsualShape>;

  template <class T>
  static constexpr std::uint32_t scratch_words = sizeof(Space) / 4;

  template <class T, class Lanes>
  GANNET_HD static bool decode_chunk(Lanes lanes, ListView column, std::uint32_t chunk,
                                     std::uint32_t* scratch, T* out) {
    const std::uint32_t start = column.words[kHeaderWords + chunk];
    const std::uint32_t* words = column.words + start;
    const std::uint32_t length = column.words[kHeaderWords + chunk + 1] - start;
    const std::uint32_t size =
        chunk_size(column.count, chunk_values<T>(column.words), chunk) * sizeof(T);
    auto& space = *reinterpret_cast<Space*>(scratch);
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    if constexpr (std::is_same_v<Lanes, SerialLanes>) {
      deflate::ByteOutput output(bytes);
      return deflate::inflate_words(words, length, size, space.tables, space.head, output) != 0 &&
             output.position() == size;
    } else {
      return deflate::ParallelInflate<Lanes, deflate::kUsualShape>(lanes, words, length, bytes,
                                                                   size, space)
          .run();
    }
  }

 private:
  /// That a chunk is one stream of exactly `size` bytes and nothing else.
  static void check_chunk(std::span<const std::uint32_t> words, std::uint32_t chunk,
                          std::uint32_t size) {
    deflate::Tables tables;
    deflate::HeadSpace space;
    deflate::NoOutput output;
    const auto count = static_cast<std::uint32_t>(words.size());
    const std::uint32_t bits =
        deflate::inflate_words(words.data(), count, size, tables, space, output);
    if (bits == 0) fail_block(name, chunk, "it is not a deflate stream of its size");
    if (output.position() != size) {
      fail_block(
          name, chunk,
          "it has " + std::to_string(output.position()) + " bytes, not " + std::to_string(size));
    }
    const std::uint32_t whole_bytes = (bits + 7) / 8;
    const bool padded =
        whole_bytes % 4 == 0 || words[whole_bytes / 4] >> (8 * (whole_bytes % 4)) == 0;
    if ((whole_bytes + 3) / 4 != count || !padded) {
      fail_block(name, chunk, "something follows its stream");
    }
  }
};

}  // namespace gannet::codecs
