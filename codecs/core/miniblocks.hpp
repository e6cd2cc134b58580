// The format that gpu-for and gpu-dfor share: blocks of 128 values in four miniblocks of 32, after
// a reference and four 8-bit widths. gpu_for.hpp and gpu_dfor.hpp name the source. The functions
// are thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

/// Values of a miniblock.
inline constexpr std::uint32_t kMiniSize32 = 32;

/// Words of the payload before miniblock `mini` (0..3) of a block with these widths, each at most
/// 32. One multiplication adds up to three bytes: a miniblock takes as many words as its width.
GANNET_HD std::uint32_t mini_start(std::uint32_t widths, std::uint32_t mini) {
  return widths * 0x01010100u >> 8 * mini & 0xff;
}

/// The list format, in 32-bit words:
///   header   four words: values per block, miniblocks per block, number of values, first value
///   starts   for each block, the word at which it starts, counted from the header; then the end of
///            the last block, which is the length of the list
///   blocks   each a reference, a word of four widths (lowest byte first), four miniblocks
struct MiniblockFormat {
  static constexpr std::uint32_t kHeaderWords = 4;
  static constexpr std::uint32_t kMinis = 4;
  static constexpr std::uint32_t kMiniSize = kMiniSize32;
  /// Words of a block before its miniblocks: reference and widths.
  static constexpr std::uint32_t kBlockHeader = 2;

  /// The width of miniblock `mini` (0..3).
  GANNET_HD static std::uint32_t width_of(std::uint32_t widths, std::uint32_t mini) {
    return widths >> (8 * mini) & 0xff;
  }

  /// Words of the four miniblocks of a block: the sum of its widths, if each is at most 32.
  GANNET_HD static std::uint32_t payload_words(std::uint32_t widths) {
    return widths * 0x01010101u >> 24;
  }

 protected:
  /// What is wrong with the header and the length of a list. `other_header` is the fault to return
  /// if the header has other block or miniblock sizes.
  GANNET_HD static Fault list_fault(WordView words, std::uint32_t count, Fault other_header) {
    const std::uint32_t blocks = ceil_div(count, kTile);
    if (!words.has(0, std::uint64_t{kHeaderWords} + blocks + 1)) return kCutOff;
    if (words[0] != kTile || words[1] != kMinis) return other_header;
    if (words[2] != count) return "the header says another number of values";
    if (words[kHeaderWords + blocks] != words.size ||
        (blocks == 0 && words.size != kHeaderWords + 1)) {
      return "it has not as many words as its blocks take";
    }
    return nullptr;
  }

  /// What is wrong with block `j` of a list without a list_fault(). `lead` is the number of words
  /// between the previous block (or the starts) and block `j`.
  GANNET_HD static Fault miniblock_fault(WordView words, std::uint32_t count, std::uint32_t j,
                                         std::uint32_t lead) {
    const std::uint32_t blocks = ceil_div(count, kTile);
    const std::uint64_t before = j == 0 ? std::uint64_t{kHeaderWords} + blocks + 1
                                        : end_of_block(words, words[kHeaderWords + j - 1]);
    const std::uint32_t start = words[kHeaderWords + j];
    if (start != before + lead) return kWrongStart;
    if (!words.has(start, kBlockHeader)) return kCutOff;
    for (std::uint32_t m = 0; m < kMinis; ++m) {
      if (width_of(words[start + 1], m) > 32) return kTooWide;
    }
    const std::uint64_t end = end_of_block(words, start);
    if (end > words.size || (j + 1 == blocks && end != words.size)) return kCutOff;
    return nullptr;
  }

  /// Appends a block of 1 to 128 values. The reference is the smallest of them as a signed number.
  /// Missing values are coded as the reference.
  static void encode_block(std::span<const std::uint32_t> values,
                           std::vector<std::uint32_t>& words) {
    auto reference = static_cast<std::int32_t>(values[0]);
    for (const std::uint32_t value : values) {
      reference = std::min(reference, static_cast<std::int32_t>(value));
    }
    std::array<std::uint32_t, kTile> offsets{};
    std::transform(values.begin(), values.end(), offsets.begin(), [&](std::uint32_t value) {
      return value - static_cast<std::uint32_t>(reference);
    });
    std::uint32_t widths = 0;
    for (std::uint32_t m = 0; m < kMinis; ++m) {
      widths |= max_width(std::span(offsets).subspan(m * kMiniSize, kMiniSize)) << (8 * m);
    }
    words.insert(words.end(), {static_cast<std::uint32_t>(reference), widths});
    for (std::uint32_t m = 0; m < kMinis; ++m) {
      pack(std::span(offsets).subspan(m * kMiniSize, kMiniSize), width_of(widths, m), words);
    }
  }

 private:
  /// The end of the block that starts at word `start`; 0 if its header is cut off.
  GANNET_HD static std::uint64_t end_of_block(WordView words, std::uint32_t start) {
    if (!words.has(start, kBlockHeader)) return 0;
    return std::uint64_t{start} + kBlockHeader + payload_words(words[start + 1]);
  }
};

/// The class of the largest miniblock width (at most 32) in the width words of kWideTiles blocks.
GANNET_HD WidthClass width_class_of(const std::uint32_t (&widths)[kWideTiles]) {
  std::uint32_t above8 = 0;
  std::uint32_t above16 = 0;
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
    above8 |= widths[t] + 0x77777777u;  // 9 + 0x77 is the first sum with a byte's highest bit
    above16 |= widths[t] + 0x6f6f6f6fu;
  }
  if ((above8 & 0x80808080u) == 0) return WidthClass::kUpTo8;
  return (above16 & 0x80808080u) == 0 ? WidthClass::kUpTo16 : WidthClass::kUpTo32;
}

/// Unpacks values 4 * `lane` .. 4 * `lane` + 3 of a block, without its reference. The four
/// miniblocks start at `payload`, and no width is above the class. May read kOverread words behind
/// a miniblock.
template <WidthClass kClass>
GANNET_HD Quad unpack_mini_quad(const std::uint32_t* payload, std::uint32_t widths,
                                std::uint32_t lane) {
  const std::uint32_t mini = lane / (kMiniSize32 / 4);
  return unpack_quad<kClass>(payload + mini_start(widths, mini), lane % (kMiniSize32 / 4),
                             widths >> 8 * mini & 0xff);
}

}  // namespace gannet::codecs
