// The positions of one posting: f ascending numbers below the span n of the document's text, coded
// in a number of bits that follows from f and n alone.
//
//   f = 1   the position, in bit_width(n - 1) bits.
//   f = 2   p2 (p2 - 1) / 2 + p1 for p1 < p2, the pair's rank among all pairs (combinatorial number
//           system), in bit_width(n (n - 1) / 2 - 1) bits.
//   f >= 3  the positions less their ranks, q_i = p_i - i for i = 0 .. f - 1, which do not descend
//           and are below U = n - f + 1. Quasi-succinct (Elias-Fano): with l = floor(log2(U / f)),
//           0 if U < f, first the f low parts of l bits, then f + h bits, h = (U - 1) >> l, in
//           which bit (q_i >> l) + i is set for each i. If f * w bits, w = bit_width(U - 1) but at
//           least 1, are not more than these f (l + 1) + h, the f numbers q_i themselves, of w bits
//           each.
//
// So a code has a bit a position at least, unless it has one or two: nobody makes room for more
// positions than bytes of a file can hold.
//
// Bit i of an array of bytes is bit i % 8 of byte i / 8, bit 0 the lowest. A position may begin at
// any bit. What is decoded is read by whole words of 32 bits, so the bytes must be aligned to 4,
// and kPositionPadding bytes behind the last must be readable.
//
// Source of the code: S. Vigna, Quasi-Succinct Indices, WSDM 2013, section 4 (bits per element at
// most 2 + log2(U / f)). The functions are thread-safe.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "codecs/core/bits.hpp"

namespace gannet::codecs {

/// The largest span of a text: its number of places.
inline constexpr std::uint32_t kMaxSpan = std::uint32_t{1} << 31;

/// Bytes behind the coded ones that must be readable, whatever they hold.
inline constexpr std::uint32_t kPositionPadding = 8;

namespace position_code {

#if defined(__CUDACC__)  // for the device, which does not know the functions of <bit>

/// The smallest number of bits that holds `value`.
GANNET_HD std::uint32_t width_of(std::uint64_t value) {
  for (std::uint32_t shift = 1; shift < 64; shift *= 2) value |= value >> shift;
  return popcount(static_cast<std::uint32_t>(value)) +
         popcount(static_cast<std::uint32_t>(value >> 32));
}

/// The number of the lowest bit that is set; `word` must not be 0.
GANNET_HD std::uint32_t lowest_bit(std::uint32_t word) {
  return popcount((word & (0u - word)) - 1);
}

#else

inline std::uint32_t width_of(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::bit_width(value));
}

inline std::uint32_t lowest_bit(std::uint32_t word) {
  return static_cast<std::uint32_t>(std::countr_zero(word));
}

#endif

/// The value of `width` (0 .. 32) bits that starts at bit `bit`. Reads within kPositionPadding of
/// the byte that has the first bit.
GANNET_HD std::uint32_t read(const std::uint8_t* bytes, std::uint64_t bit, std::uint32_t width) {
  if (width == 0) return 0;
  const void* const at = __builtin_assume_aligned(bytes + bit / 32 * 4, 4);
  std::uint32_t words[2];
  std::memcpy(words, at, sizeof words);
  return funnel(words[0], words[1], static_cast<std::uint32_t>(bit)) & low_mask(width);
}

/// The same for a width of 0 .. 64.
GANNET_HD std::uint64_t read_wide(const std::uint8_t* bytes, std::uint64_t bit,
                                  std::uint32_t width) {
  if (width <= 32) return read(bytes, bit, width);
  const std::uint64_t low = read(bytes, bit, 32);
  return static_cast<std::uint64_t>(read(bytes, bit + 32, width - 32)) << 32 | low;
}

/// Sets the bits from bit `bit` on, which are 0, to those of `value`, below 2^57. Reads and writes
/// 8 bytes, of which those behind the value stay as they are.
inline void write(std::uint8_t* bytes, std::uint64_t bit, std::uint64_t value) {
  std::uint64_t word;
  std::memcpy(&word, bytes + bit / 8, sizeof word);
  word |= value << bit % 8;
  std::memcpy(bytes + bit / 8, &word, sizeof word);
}

/// The number of pairs of different numbers below `n`.
GANNET_HD std::uint64_t pairs(std::uint64_t n) { return n == 0 ? 0 : n * (n - 1) / 2; }

/// Of the pair with this rank, the greater number: the largest p with p (p - 1) / 2 <= rank.
/// `rank` must be below 2^61.
GANNET_HD std::uint64_t greater_of_pair(std::uint64_t rank) {
  using std::sqrt;
  // The root is right to about one: what rounding did is put right in integers.
  const double root = sqrt(static_cast<double>(8 * rank + 1));
  auto p = static_cast<std::uint64_t>((1.0 + root) / 2.0);
  while (pairs(p) > rank) --p;
  while (pairs(p + 1) <= rank) ++p;
  return p;
}

}  // namespace position_code

/// How `count` positions below `span` are coded: 1 <= count <= span <= kMaxSpan.
struct PositionShape {
  std::uint32_t count;
  std::uint32_t span;
  std::uint32_t width = 0;  ///< bits of a number of its own; of a pair; of a low part
  std::uint32_t high = 0;   ///< zeros of the unary part, only if there is one
  bool is_split = false;    ///< into low parts and a unary part

  GANNET_HD PositionShape(std::uint32_t positions, std::uint32_t places)
      : count(positions), span(places) {
    using position_code::width_of;
    if (count == 1) {
      width = width_of(span - 1);
    } else if (count == 2) {
      width = width_of(position_code::pairs(span) - 1);
    } else {
      choose();
    }
  }

  /// Numbers that the positions less their ranks are below.
  GANNET_HD std::uint32_t limit() const { return span - count + 1; }

  /// Bits of the code.
  GANNET_HD std::uint64_t bits() const {
    if (count == 2) return width;
    const std::uint64_t numbers = static_cast<std::uint64_t>(count) * width;
    return is_split ? numbers + count + high : numbers;
  }

 private:
  GANNET_HD void choose() {
    using position_code::width_of;
    const std::uint32_t numbers = limit();
    // floor(log2(numbers / count)), or 0, without a division.
    std::uint32_t low = 0;
    if (numbers > count) {
      low = width_of(numbers) - width_of(count);
      if (static_cast<std::uint64_t>(count) << low > numbers) --low;
    }
    const std::uint32_t zeros = (numbers - 1) >> low;
    width = width_of((numbers - 1) | 1);  // a text of nothing else takes bits, too
    if (static_cast<std::uint64_t>(count) * width <=
        static_cast<std::uint64_t>(count) * (low + 1) + zeros) {
      return;
    }
    is_split = true;
    width = low;
    high = zeros;
  }
};

/// Bits that the code of `count` positions below `span` takes: at least `count`, unless that is 1
/// or 2. 1 <= count <= span <= kMaxSpan. PositionShape::bits() without branches: sizes of a tile
/// are added up one after the other, and which case comes next is anybody's guess.
GANNET_HD std::uint64_t position_bits(std::uint32_t count, std::uint32_t span) {
  using position_code::width_of;
  const std::uint32_t one = width_of(span - 1);
  const std::uint32_t two = width_of(position_code::pairs(span) - 1);
  const std::uint32_t numbers = span - count + 1;
  const std::uint32_t of_numbers = width_of(numbers);
  const std::uint32_t of_count = width_of(count);
  std::uint32_t low = of_numbers > of_count ? of_numbers - of_count : 0;
  low -= low > 0 && (static_cast<std::uint64_t>(count) << low) > numbers ? 1 : 0;
  const std::uint64_t zeros = (numbers - 1) >> low;
  const std::uint64_t split = static_cast<std::uint64_t>(count) * (low + 1) + zeros;
  const std::uint64_t plain = static_cast<std::uint64_t>(count) * width_of((numbers - 1) | 1);
  const std::uint64_t many = plain < split ? plain : split;
  const std::uint64_t few = count == 1 ? one : two;
  return count < 3 ? few : many;
}

/// Writes `count` strictly ascending positions below `span` at bit `bit` of `bytes`, where
/// everything is 0, and kPositionPadding bytes behind the last can be written; they stay 0.
inline void encode_positions(const std::uint32_t* positions, std::uint32_t count,
                             std::uint32_t span, std::uint8_t* bytes, std::uint64_t bit) {
  using position_code::write;
  const PositionShape shape(count, span);
  if (count == 1) return write(bytes, bit, positions[0]);
  if (count == 2) {
    const std::uint64_t rank = position_code::pairs(positions[1]) + positions[0];
    write(bytes, bit, rank & 0xffffffffu);
    if (rank >> 32 != 0) write(bytes, bit + 32, rank >> 32);
    return;
  }
  if (!shape.is_split) {
    for (std::uint32_t i = 0; i < count; ++i, bit += shape.width) {
      write(bytes, bit, positions[i] - i);
    }
    return;
  }
  const std::uint64_t mask = (std::uint64_t{1} << shape.width) - 1;
  const std::uint64_t unary = bit + static_cast<std::uint64_t>(count) * shape.width;
  for (std::uint32_t i = 0; i < count; ++i, bit += shape.width) {
    const std::uint32_t number = positions[i] - i;
    write(bytes, bit, number & mask);
    const std::uint64_t one = unary + (number >> shape.width) + i;
    bytes[one / 8] = static_cast<std::uint8_t>(bytes[one / 8] | 1u << one % 8);
  }
}

namespace position_code {

/// The numbers of a split code. take(i, number) for each; false if they are not `count`.
template <class Take>
GANNET_HD bool decode_split(const std::uint8_t* bytes, std::uint64_t bit,
                            const PositionShape& shape, Take&& take) {
  const std::uint64_t unary = bit + static_cast<std::uint64_t>(shape.count) * shape.width;
  const std::uint64_t end = bit + shape.bits();
  std::uint32_t found = 0;
  for (std::uint64_t at = unary; at < end; at += 32) {
    const std::uint32_t size = end - at < 32 ? static_cast<std::uint32_t>(end - at) : 32u;
    for (std::uint32_t word = read(bytes, at, size); word != 0; word &= word - 1) {
      if (found == shape.count) return false;
      const std::uint64_t high = at - unary + lowest_bit(word) - found;
      const std::uint32_t low =
          read(bytes, bit + static_cast<std::uint64_t>(found) * shape.width, shape.width);
      take(found, high << shape.width | low);
      ++found;
    }
  }
  return found == shape.count;
}

}  // namespace position_code

/// Decodes what encode_positions() wrote: calls take(i, position) for i = 0, 1, ... in order.
/// Returns whether there were `count` positions, strictly ascending and below `span`, and calls
/// take() for these only. Of any other bytes it takes fewer and returns false; it reads nothing
/// outside the position_bits(count, span) bits but for the padding. 1 <= count <= span <= kMaxSpan.
template <class Take>
GANNET_HD bool decode_positions(const std::uint8_t* bytes, std::uint64_t bit, std::uint32_t count,
                                std::uint32_t span, Take&& take) {
  using position_code::read;
  const PositionShape shape(count, span);
  if (count == 1) {
    const std::uint32_t position = read(bytes, bit, shape.width);
    if (position >= span) return false;
    take(0u, position);
    return true;
  }
  if (count == 2) {
    const std::uint64_t rank = position_code::read_wide(bytes, bit, shape.width);
    if (rank >= position_code::pairs(span)) return false;
    const std::uint64_t second = position_code::greater_of_pair(rank);
    take(0u, static_cast<std::uint32_t>(rank - position_code::pairs(second)));
    take(1u, static_cast<std::uint32_t>(second));
    return true;
  }
  std::uint64_t least = 0;  // that can follow
  bool sound = true;
  const auto take_number = [&](std::uint32_t i, std::uint64_t number) {
    sound = sound && number >= least && number < shape.limit();
    if (!sound) return;
    least = number;
    take(i, static_cast<std::uint32_t>(number) + i);
  };
  if (shape.is_split) {
    return position_code::decode_split(bytes, bit, shape, take_number) && sound;
  }
  for (std::uint32_t i = 0; i < count; ++i, bit += shape.width) {
    take_number(i, read(bytes, bit, shape.width));
  }
  return sound;
}

namespace position_code {

/// The numbers of a split code, gone through forwards.
class SplitNumbers {
 public:
  GANNET_HD SplitNumbers(const std::uint8_t* bytes, std::uint64_t bit, const PositionShape& shape)
      : bytes_(bytes),
        low_(bit),
        unary_(bit + static_cast<std::uint64_t>(shape.count) * shape.width),
        end_(bit + shape.bits()),
        shape_(shape),
        at_(unary_) {
    load();
  }

  /// Whether a position is `wanted`, which ascends from call to call. Whole words of the unary part
  /// are passed by the number of their bits.
  GANNET_HD bool has(std::uint32_t wanted) {
    while (true) {
      while (word_ != 0) {
        if (rank_ >= shape_.count) return false;
        // At most, whatever its low part is.
        if (least() + low_mask(shape_.width) < wanted) {
          pass();
          continue;
        }
        const std::uint64_t low = low_ + static_cast<std::uint64_t>(rank_) * shape_.width;
        const std::uint64_t position = least() + read(bytes_, low, shape_.width);
        if (position >= wanted) return position == wanted;
        pass();
      }
      if (!next_word(wanted)) return false;
    }
  }

 private:
  /// The least position that the lowest bit of the word may stand for.
  GANNET_HD std::uint64_t least() const {
    return ((at_ - unary_ + lowest_bit(word_) - rank_) << shape_.width) + rank_;
  }
  GANNET_HD void pass() {
    word_ &= word_ - 1;
    ++rank_;
  }
  GANNET_HD void load() {
    const std::uint64_t left = at_ < end_ ? end_ - at_ : 0;
    word_ = read(bytes_, at_, left < 32 ? static_cast<std::uint32_t>(left) : 32u);
  }
  /// The next word whose last bit may stand for `wanted` or more; false if there is none.
  GANNET_HD bool next_word(std::uint32_t wanted) {
    while (at_ < end_) {
      at_ += 32;
      load();
      if (word_ == 0) continue;
      const std::uint32_t bits = popcount(word_);
      const std::uint64_t last = at_ - unary_ + width_of(word_) - 1;
      const std::uint64_t rank = rank_ + bits - 1;
      if (((last - rank + 1) << shape_.width) + rank > wanted) return true;
      rank_ += bits;
      word_ = 0;
    }
    return false;
  }

  const std::uint8_t* bytes_;
  std::uint64_t low_, unary_, end_;
  PositionShape shape_;
  std::uint64_t at_;        ///< of the word
  std::uint32_t word_ = 0;  ///< bits from at_ on that were not passed
  std::uint32_t rank_ = 0;  ///< of its lowest bit
};

/// The numbers of a code of numbers of their own, gone through forwards.
class PlainNumbers {
 public:
  GANNET_HD PlainNumbers(const std::uint8_t* bytes, std::uint64_t bit, const PositionShape& shape)
      : bytes_(bytes), bit_(bit), shape_(shape) {}

  /// As SplitNumbers::has(). Gallops.
  GANNET_HD bool has(std::uint32_t wanted) {
    std::uint32_t step = 1;
    std::uint32_t end = rank_;
    while (end < shape_.count && position(end) < wanted) {
      rank_ = end + 1;
      end = shape_.count - end > step ? end + step : shape_.count;
      step *= 2;
    }
    while (rank_ < end) {
      const std::uint32_t middle = rank_ + (end - rank_) / 2;
      if (position(middle) < wanted) {
        rank_ = middle + 1;
      } else {
        end = middle;
      }
    }
    return rank_ < shape_.count && position(rank_) == wanted;
  }

 private:
  GANNET_HD std::uint64_t position(std::uint32_t rank) const {
    const std::uint64_t bit = bit_ + static_cast<std::uint64_t>(rank) * shape_.width;
    return std::uint64_t{read(bytes_, bit, shape_.width)} + rank;
  }

  const std::uint8_t* bytes_;
  std::uint64_t bit_;
  PositionShape shape_;
  std::uint32_t rank_ = 0;
};

/// Keeps those of `begins` whose place `numbers` has.
template <class Numbers>
GANNET_HD std::uint32_t keep_by(Numbers&& numbers, std::uint32_t shift, std::uint32_t* begins,
                                std::uint32_t size) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t begin = begins[i];
    if (numbers.has(begin + shift)) begins[kept++] = begin;
  }
  return kept;
}

}  // namespace position_code

/// Of the `size` ascending numbers `begins` keeps, at their front, those b for which b + shift is
/// one of the coded positions; returns how many. b + shift < 2^32. Takes less than decoding all
/// positions where few are asked for: a few words of a code of many. Of bytes that
/// encode_positions() did not write it keeps some of them; it reads what decode_positions() reads.
GANNET_HD std::uint32_t keep_positions(const std::uint8_t* bytes, std::uint64_t bit,
                                       std::uint32_t count, std::uint32_t span, std::uint32_t shift,
                                       std::uint32_t* begins, std::uint32_t size) {
  using namespace position_code;
  const PositionShape shape(count, span);
  if (count > 2) {
    return shape.is_split ? keep_by(SplitNumbers(bytes, bit, shape), shift, begins, size)
                          : keep_by(PlainNumbers(bytes, bit, shape), shift, begins, size);
  }
  std::uint32_t places[2] = {};
  const bool sound =
      decode_positions(bytes, bit, count, span,
                       [&](std::uint32_t i, std::uint32_t position) { places[i] = position; });
  if (!sound) return 0;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t begin = begins[i];
    const std::uint32_t place = begin + shift;
    if (place == places[0] || place == places[count - 1]) begins[kept++] = begin;
  }
  return kept;
}

}  // namespace gannet::codecs
