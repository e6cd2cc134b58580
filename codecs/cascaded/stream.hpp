// Bit-packed streams of values of up to 64 bits, the storage of codec `cascaded`: frame of
// reference, one width for all values, lowest bit first, without gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/columns/rle_four.hpp"
#include "codecs/core/bits.hpp"

namespace gannet::codecs {

/// Words that `count` (< 2^16) values of `width` (0..64) bits take.
GANNET_HD std::uint32_t stream_words(std::uint32_t count, std::uint32_t width) {
  return (count * width + 31) / 32;
}

/// Two words as one number.
GANNET_HD std::uint64_t joined_words(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// The low `width` (0..64) bits set.
GANNET_HD std::uint64_t low_mask64(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// extract() for widths of up to 64 bits: reads the words that hold the value and no other.
GANNET_HD std::uint64_t extract64(const std::uint32_t* words, std::uint32_t bit,
                                  std::uint32_t width) {
  if (width <= 32) return extract(words, bit, width);
  const std::uint32_t index = bit / 32;
  const std::uint32_t shift = bit % 32;
  const std::uint64_t low = joined_words(words[index], words[index + 1]) >> shift;
  const std::uint64_t high = shift + width > 64 ? words[index + 2] : 0;
  // Two shifts: one by 64 is none at all.
  return (low | (high << 1) << (63 - shift)) & low_mask64(width);
}

/// How many bits the values of a stream have at most: decides how they are read.
enum class StreamClass { kUpTo8, kUpTo16, kUpTo32, kAny };

/// Words behind a stream that PackedStream::four_wide() may read.
inline constexpr std::uint32_t kStreamOverread = 4;

/// A stream of `count` values of `width` bits, each value's offset from `reference`.
template <class V>
struct PackedStream {
  const std::uint32_t* words;
  std::uint32_t count;
  std::uint32_t width;
  V reference;

  /// Value i < count.
  GANNET_HD V at(std::uint32_t i) const {
    if constexpr (sizeof(V) == 8) return reference + extract64(words, i * width, width);
    return reference + static_cast<V>(extract(words, i * width, width));
  }

  /// Values first .. first + 3; those that do not exist (first may be "negative", modulo 2^32) are
  /// 0. Reads no word that holds none of them.
  GANNET_HD Four<V> four(std::uint32_t first) const {
    Four<V> values;
    // first + 4 <= count, also for a "negative" first.
    if (first < count && count - first >= 4) {
      if (width <= 8) {
        narrow(first, values);
      } else if (width <= 16) {
        medium(first, values);
      } else {
        for (std::uint32_t i = 0; i < 4; ++i) values.value[i] = at(first + i);
      }
      return values;
    }
    for (std::uint32_t i = 0; i < 4; ++i) values.value[i] = first + i < count ? at(first + i) : 0;
    return values;
  }

  /// four() for values of class kClass, without a branch. first may be "negative", down to a place
  /// where there still are words; values that do not exist are anything. Reads up to
  /// kStreamOverread words behind the stream if first < count.
  template <StreamClass kClass>
  GANNET_HD Four<V> four_wide(std::uint32_t first) const {
    if constexpr (kClass == StreamClass::kAny) {
      return four(first);
    } else {
      const auto bit = static_cast<std::int32_t>(first * width);
      const std::uint32_t* at = words + (bit >> 5);
      const std::uint32_t shift = static_cast<std::uint32_t>(bit) % 32;
      const std::uint32_t mask = low_mask(width);
      Four<V> values;
      if constexpr (kClass == StreamClass::kUpTo8) {
        const auto bits = static_cast<std::uint32_t>(joined_words(at[0], at[1]) >> shift);
        for (std::uint32_t i = 0; i < 4; ++i) {
          values.value[i] = reference + (bits >> i * width & mask);
        }
      } else if constexpr (kClass == StreamClass::kUpTo16) {
        const auto low = static_cast<std::uint32_t>(joined_words(at[0], at[1]) >> shift);
        const auto high = static_cast<std::uint32_t>(joined_words(at[1], at[2]) >> shift);
        const std::uint64_t bits = joined_words(low, high);
        for (std::uint32_t i = 0; i < 4; ++i) {
          values.value[i] = reference + (static_cast<std::uint32_t>(bits >> i * width) & mask);
        }
      } else {
        for (std::uint32_t i = 0; i < 4; ++i) {
          const std::uint32_t from = shift + i * width;
          const std::uint32_t* pair = at + from / 32;
          values.value[i] =
              reference +
              (static_cast<std::uint32_t>(joined_words(pair[0], pair[1]) >> from % 32) & mask);
        }
      }
      return values;
    }
  }

 private:
  /// Four values of at most 8 bits lie in two words.
  GANNET_HD void narrow(std::uint32_t first, Four<V>& values) const {
    const std::uint32_t bit = first * width;
    const std::uint32_t* at = words + bit / 32;
    const std::uint32_t shift = bit % 32;
    const std::uint32_t low = width > 0 ? at[0] : 0;
    const std::uint32_t high = shift + 4 * width > 32 ? at[1] : 0;
    const auto bits = static_cast<std::uint32_t>(joined_words(low, high) >> shift);
    const std::uint32_t mask = (1u << width) - 1;
    for (std::uint32_t i = 0; i < 4; ++i) {
      values.value[i] = reference + (bits >> i * width & mask);
    }
  }

  /// Four values of 9 to 16 bits lie in two or three words.
  GANNET_HD void medium(std::uint32_t first, Four<V>& values) const {
    const std::uint32_t bit = first * width;
    const std::uint32_t* at = words + bit / 32;
    const std::uint32_t shift = bit % 32;
    const std::uint32_t middle = at[1];
    const std::uint32_t high = shift + 4 * width > 64 ? at[2] : 0;
    const auto low = static_cast<std::uint32_t>(joined_words(at[0], middle) >> shift);
    const auto top = static_cast<std::uint32_t>(joined_words(middle, high) >> shift);
    const std::uint64_t bits = joined_words(low, top);
    const std::uint32_t mask = (1u << width) - 1;
    for (std::uint32_t i = 0; i < 4; ++i) {
      values.value[i] = reference + (static_cast<std::uint32_t>(bits >> i * width) & mask);
    }
  }
};

/// Appends values - reference, `width` bits each, then fills up the last word.
template <class V>
void pack_stream(std::span<const V> values, V reference, std::uint32_t width,
                 std::vector<std::uint32_t>& words) {
  BitWriter writer(words);
  for (const V value : values) {
    const std::uint64_t offset = static_cast<V>(value - reference);
    writer.put(static_cast<std::uint32_t>(offset), width < 32 ? width : 32);
    if (width > 32) writer.put(static_cast<std::uint32_t>(offset >> 32), width - 32);
  }
}

}  // namespace gannet::codecs
