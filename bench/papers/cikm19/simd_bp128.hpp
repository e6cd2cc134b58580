// simd-bp128: binary packing in the vertical layout of SIMD registers, for the CPU.
// Source: Lemire and Boytsov, "Decoding billions of integers per second through vectorization",
// Software: Practice and Experience 45, 2015; Mallia, Siedlaczek, Suel, Zahran, CIKM 2019, section
// 2
// ("SIMD-BP"). Order of the fields as in the FastPFor library, which the paper measures, without
// its word for the length and its padding to 16 bytes. What the library leaves to another codec, an
// incomplete last group, is coded alike.
//
// Format: groups of 16 blocks of 128 values. A group is
//   selectors   four words: the widths of the blocks, the first one's in the highest byte of the
//               first word. The last group has only as many words as it has blocks to tell of
//   payload     a block's values have `width` bits each. Value i is number i / 4 of lane i % 4; a
//               lane's values are packed low bits first into `width` words, and the block holds the
//               first words of the four lanes, then the second ones, and so on
// An incomplete last block holds its values one behind the other, low bits first, up to a whole
// word.
#pragma once

#include <algorithm>

#include "bench/papers/cikm19/host_simd.hpp"
#include "codecs/core/codec.hpp"

namespace gannet::codecs::papers {

struct SimdBp128 {
  static constexpr std::string_view name = "simd-bp128";
  static constexpr std::uint32_t kBlock = 128;
  static constexpr std::uint32_t kBlocksPerGroup = 16;
  static constexpr std::uint32_t kLanesOfRow = 4;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t blocks = ceil_div(count, kBlock);
    std::size_t selectors = 0;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      if (j % kBlocksPerGroup == 0) {
        selectors = words.size();
        words.resize(selectors + selector_words(blocks - j));
      }
      const auto part = values.subspan(std::size_t{j} * kBlock, block_size(count, j));
      const std::uint32_t width = max_width(part);
      words[selectors + j % kBlocksPerGroup / 4] |= width << shift_of(j);
      if (part.size() == kBlock) {
        pack_vertical(part, width, words);
      } else {
        pack(part, width, words);
      }
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    const std::uint32_t blocks = ceil_div(count, kBlock);
    std::uint64_t expected = 0;
    std::uint64_t selectors = 0;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      if (j % kBlocksPerGroup == 0) {
        selectors = expected;
        expected += selector_words(blocks - j);
        if (expected > words.size()) fail_block(name, j, "its selector is cut off");
      }
      const std::uint32_t width = width_of(words.data() + selectors, j);
      if (width > 32) fail_block(name, j, "its values have more than 32 bits");
      expected += ceil_div(block_size(count, j) * width, 32);
    }
    if (words.size() != expected) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its blocks take " +
                          std::to_string(expected));
    }
  }

  static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
                     std::uint32_t* out) {
    const std::uint32_t blocks = ceil_div(count, kBlock);
    const std::uint32_t* at = words.data();
    const std::uint32_t* selectors = nullptr;
    for (std::uint32_t j = 0; j < blocks; ++j, out += kBlock) {
      if (j % kBlocksPerGroup == 0) {
        selectors = at;
        at += selector_words(blocks - j);
      }
      const std::uint32_t size = block_size(count, j);
      const std::uint32_t width = width_of(selectors, j);
      if (size == kBlock) {
        unpack_vertical128(at, width, out);
      } else {
        for (std::uint32_t i = 0; i < size; ++i) out[i] = extract(at, i * width, width);
      }
      at += ceil_div(size * width, 32);
    }
  }

 private:
  static std::uint32_t selector_words(std::uint32_t blocks) {
    return ceil_div(std::min(blocks, kBlocksPerGroup), 4);
  }

  static std::uint32_t shift_of(std::uint32_t j) { return 24 - j % 4 * 8; }

  static std::uint32_t width_of(const std::uint32_t* selectors, std::uint32_t j) {
    return selectors[j % kBlocksPerGroup / 4] >> shift_of(j) & 0xff;
  }

  static std::uint32_t block_size(std::uint32_t count, std::uint32_t j) {
    return std::min(kBlock, count - j * kBlock);
  }

  static void pack_vertical(std::span<const std::uint32_t> values, std::uint32_t width,
                            std::vector<std::uint32_t>& words) {
    const std::size_t start = words.size();
    words.resize(start + kLanesOfRow * width);
    for (std::uint32_t i = 0; i < kBlock && width > 0; ++i) {
      const std::uint32_t bit = i / kLanesOfRow * width;
      const std::size_t word = start + bit / 32 * kLanesOfRow + i % kLanesOfRow;
      const std::uint64_t bits = std::uint64_t{values[i]} << (bit % 32);
      words[word] |= static_cast<std::uint32_t>(bits);
      if (bit % 32 + width > 32) {
        words[word + kLanesOfRow] = static_cast<std::uint32_t>(bits >> 32);
      }
    }
  }
};

}  // namespace gannet::codecs::papers
