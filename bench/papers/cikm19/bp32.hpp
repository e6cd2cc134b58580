// bp32: binary packing in blocks of 32 values, for the CPU.
// Source: Mallia, Siedlaczek, Suel, Zahran, CIKM 2019, section 2 ("BP32"), after Anh and Moffat,
// "Index Compression Using 64-bit Words", 2010; order of the fields as in the FastPFor library,
// which the paper measures. Its word for the length is left out (lists know theirs), and an
// incomplete last group, which the library leaves to another codec, is coded alike.
//
// Format: groups of four blocks of 32 values. A group is
//   selectors   one word: the widths of the four blocks, the first one's in the highest byte
//   payload     each block's values in that many bits, low bits first: `width` words per block
// In the last group, blocks that do not exist have width 0, and an incomplete one ends with the
// word in which its last value ends.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/unpack.hpp"

namespace gannet::codecs::papers {

struct Bp32 {
  static constexpr std::string_view name = "bp32";
  static constexpr std::uint32_t kBlock = 32;
  static constexpr std::uint32_t kGroup = 4 * kBlock;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    for (; !values.empty(); values = values.subspan(std::min<std::size_t>(kGroup, values.size()))) {
      std::uint32_t selectors = 0;
      const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(kGroup, values.size()));
      for (std::uint32_t i = 0; i < size; i += kBlock) {
        selectors |= max_width(block_of(values, i)) << shift_of(i);
      }
      words.push_back(selectors);
      for (std::uint32_t i = 0; i < size; i += kBlock) {
        pack(block_of(values, i), width_of(selectors, i), words);
      }
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    std::uint64_t expected = 0;
    for (std::uint32_t first = 0; first < count; first += kGroup) {
      if (expected >= words.size()) fail_block(name, first / kBlock, "its selector is cut off");
      const std::uint32_t selectors = words[expected++];
      for (std::uint32_t i = 0; i < kGroup; i += kBlock) {
        const std::uint32_t width = width_of(selectors, i);
        if (width > 32) fail_block(name, (first + i) / kBlock, "its values have more than 32 bits");
        expected += ceil_div(block_size(count, first + i) * width, 32);
      }
    }
    if (words.size() != expected) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its blocks take " +
                          std::to_string(expected));
    }
  }

  static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
                     std::uint32_t* out) {
    const std::uint32_t* at = words.data();
    for (std::uint32_t first = 0; first < count; first += kGroup) {
      const std::uint32_t selectors = *at++;
      for (std::uint32_t i = 0; i < kGroup && first + i < count; i += kBlock) {
        const std::uint32_t size = block_size(count, first + i);
        decode_block(at, width_of(selectors, i), size, out + first + i);
        at += ceil_div(size * width_of(selectors, i), 32);
      }
    }
  }

 private:
  static std::uint32_t shift_of(std::uint32_t i) { return 24 - i / kBlock * 8; }

  static std::uint32_t width_of(std::uint32_t selectors, std::uint32_t i) {
    return selectors >> shift_of(i) & 0xff;
  }

  static std::uint32_t block_size(std::uint32_t count, std::uint32_t first) {
    return first < count ? std::min(kBlock, count - first) : 0;
  }

  static std::span<const std::uint32_t> block_of(std::span<const std::uint32_t> values,
                                                 std::uint32_t i) {
    return values.subspan(i, std::min<std::size_t>(kBlock, values.size() - i));
  }

  static void decode_block(const std::uint32_t* packed, std::uint32_t width, std::uint32_t size,
                           std::uint32_t* out) {
    if (size == kBlock) {
      unpack32(packed, width, out);
      return;
    }
    for (std::uint32_t i = 0; i < size; ++i) out[i] = extract(packed, i * width, width);
  }
};

}  // namespace gannet::codecs::papers
