#include "bench/papers/cikm19/host_simd.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "codecs/core/bits.hpp"

#if defined(__x86_64__)
#include <tmmintrin.h>
#define GANNET_SSSE3 __attribute__((target("ssse3")))
#endif

namespace gannet::codecs::papers {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Four lanes: the compiler has instructions for them, or does without.
using Four = std::uint32_t __attribute__((vector_size(16)));

Four load_row(const std::uint32_t* words) {
  Four row;
  std::memcpy(&row, words, sizeof(row));
  return row;
}

/// Value `Index` of every lane: all rows and shifts are known at compile time.
template <std::uint32_t Width, std::uint32_t Index>
Four lanes_at(const std::uint32_t* rows) {
  if constexpr (Width == 0) {
    return Four{};
  } else {
    constexpr std::uint32_t row = Index * Width / 32;
    constexpr std::uint32_t shift = Index * Width % 32;
    Four lanes = load_row(rows + 4 * row) >> shift;
    if constexpr (shift + Width > 32) lanes |= load_row(rows + 4 * row + 4) << (32 - shift);
    if constexpr (shift + Width != 32) lanes &= low_mask(Width);
    return lanes;
  }
}

template <std::uint32_t Width>
void unpack_rows(const std::uint32_t* __restrict rows, std::uint32_t* __restrict out) {
  const auto store = [&](Four lanes, std::uint32_t index) {
    std::memcpy(out + 4 * index, &lanes, sizeof(lanes));
  };
  [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
    (store(lanes_at<Width, I>(rows), I), ...);
  }
  (std::make_integer_sequence<std::uint32_t, 32>{});
}

using Unpacker = void (*)(const std::uint32_t*, std::uint32_t*);

template <std::uint32_t... Width>
constexpr std::array<Unpacker, 33> unpackers(std::integer_sequence<std::uint32_t, Width...>) {
  return {unpack_rows<Width>...};
}
constexpr auto kUnpackers = unpackers(std::make_integer_sequence<std::uint32_t, 33>{});

constexpr std::uint32_t kTags = 256;

constexpr std::uint32_t length_of(std::uint32_t tag, std::uint32_t i) {
  return 1 + (tag >> (2 * i) & 3);
}

/// Bytes of a full group.
constexpr std::array<std::uint8_t, kTags> full_group_bytes() {
  std::array<std::uint8_t, kTags> bytes{};
  for (std::uint32_t tag = 0; tag < kTags; ++tag) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 4; ++i) sum += length_of(tag, i);
    bytes[tag] = static_cast<std::uint8_t>(sum);
  }
  return bytes;
}
constexpr auto kGroupBytes = full_group_bytes();

/// Most bytes of a group's values.
constexpr std::size_t kMaxBytes = 16;

std::uint32_t load_bytes(const unsigned char* bytes, std::uint32_t length) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, length);
  return value;
}

/// Decodes `values` values without reading behind them; returns how many bytes they take.
std::uint32_t decode_exactly(std::uint32_t tag, const unsigned char* bytes, std::uint32_t values,
                             std::uint32_t* out) {
  std::uint32_t at = 0;
  for (std::uint32_t i = 0; i < values; ++i) {
    const std::uint32_t length = length_of(tag, i);
    out[i] = load_bytes(bytes + at, length);
    at += length;
  }
  return at;
}

/// Groups of which kMaxBytes bytes may be read, whole words at a time.
struct PortableGroups {
  static void decode(std::uint32_t tag, const unsigned char* bytes, std::uint32_t* out) {
    constexpr std::array<std::uint32_t, 4> kMasks{0xff, 0xffff, 0xffffff, 0xffffffff};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t selector = tag >> (2 * i) & 3;
      out[i] = load_bytes(bytes, 4) & kMasks[selector];
      bytes += selector + 1;
    }
  }
  /// A group may end at the last byte, and its last value be one byte of the four that are read.
  static constexpr std::size_t kReads = kMaxBytes + 3;
};

#if defined(__x86_64__)

/// For each tag, which byte of the group each byte of the four values is; 0x80 gives zero.
constexpr std::array<std::array<std::uint8_t, 16>, kTags> shuffles() {
  std::array<std::array<std::uint8_t, 16>, kTags> masks{};
  for (std::uint32_t tag = 0; tag < kTags; ++tag) {
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t k = 0; k < 4; ++k) {
        masks[tag][4 * i + k] =
            k < length_of(tag, i) ? static_cast<std::uint8_t>(at++) : std::uint8_t{0x80};
      }
    }
  }
  return masks;
}
alignas(16) constexpr auto kShuffles = shuffles();

struct ShuffledGroups {
  GANNET_SSSE3 static void decode(std::uint32_t tag, const unsigned char* bytes,
                                  std::uint32_t* out) {
    const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    const __m128i mask = _mm_load_si128(reinterpret_cast<const __m128i*>(kShuffles[tag].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(data, mask));
  }
  static constexpr std::size_t kReads = kMaxBytes;
};

#endif

/// Tags in front of each group's bytes.
struct TagsBetween {
  const unsigned char* at;
  std::uint32_t tag() { return *at++; }
  const unsigned char*& bytes() { return at; }
};

/// Tags apart from the bytes.
struct TagsApart {
  const unsigned char* tags;
  const unsigned char* at;
  std::uint32_t tag() { return *tags++; }
  const unsigned char*& bytes() { return at; }
};

/// What the fast loop leaves: groups at the end of the bytes, and the incomplete one.
template <class Stream>
void decode_rest(Stream stream, std::uint32_t count, std::uint32_t* out) {
  while (count > 0) {
    const std::uint32_t values = count < 4 ? count : 4;
    const std::uint32_t tag = stream.tag();
    stream.bytes() += decode_exactly(tag, stream.bytes(), values, out);
    out += values;
    count -= values;
  }
}

template <class Stream>
void decode_portable(Stream stream, const unsigned char* end, std::uint32_t count,
                     std::uint32_t* out) {
  // One byte more than the group reads, for a tag in between.
  while (count >= 4 && static_cast<std::size_t>(end - stream.bytes()) > PortableGroups::kReads) {
    const std::uint32_t tag = stream.tag();
    PortableGroups::decode(tag, stream.bytes(), out);
    stream.bytes() += kGroupBytes[tag];
    out += 4;
    count -= 4;
  }
  decode_rest(stream, count, out);
}

#if defined(__x86_64__)
/// The same loop, compiled for SSSE3 as a whole, so that decoding a group is part of it.
template <class Stream>
GANNET_SSSE3 void decode_shuffled(Stream stream, const unsigned char* end, std::uint32_t count,
                                  std::uint32_t* out) {
  while (count >= 4 && static_cast<std::size_t>(end - stream.bytes()) > ShuffledGroups::kReads) {
    const std::uint32_t tag = stream.tag();
    ShuffledGroups::decode(tag, stream.bytes(), out);
    stream.bytes() += kGroupBytes[tag];
    out += 4;
    count -= 4;
  }
  decode_rest(stream, count, out);
}
#endif

template <class Stream>
void decode_by(BytePath path, Stream stream, const unsigned char* end, std::uint32_t count,
               std::uint32_t* out) {
#if defined(__x86_64__)
  if (path == BytePath::kShuffle) {
    decode_shuffled(stream, end, count, out);
    return;
  }
#endif
  static_cast<void>(path);
  decode_portable(stream, end, count, out);
}

}  // namespace

void unpack_vertical128(const std::uint32_t* rows, std::uint32_t width, std::uint32_t* out) {
  kUnpackers[width](rows, out);
}

BytePath fastest_byte_path() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("ssse3")) return BytePath::kShuffle;
#endif
  return BytePath::kPortable;
}

std::uint32_t group_bytes(std::uint32_t tag, std::uint32_t values) {
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < values; ++i) bytes += length_of(tag, i);
  return bytes;
}

void decode_tagged_groups(const unsigned char* bytes, std::size_t size, std::uint32_t count,
                          std::uint32_t* out, BytePath path) {
  decode_by(path, TagsBetween{bytes}, bytes + size, count, out);
}

void decode_groups(const unsigned char* tags, const unsigned char* bytes, std::size_t size,
                   std::uint32_t count, std::uint32_t* out, BytePath path) {
  decode_by(path, TagsApart{tags, bytes}, bytes + size, count, out);
}

}  // namespace gannet::codecs::papers
