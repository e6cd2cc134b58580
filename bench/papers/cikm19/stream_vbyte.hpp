// stream-vbyte: group varint with the lengths in a stream of their own, for the CPU.
// Source: Lemire, Kurz, Rupp, "Stream VByte: Faster byte-oriented integer compression", Information
// Processing Letters 130, 2018; Mallia, Siedlaczek, Suel, Zahran, CIKM 2019, section 2.
//
// Format: bytes, up to a whole word. First the tags, one for four values each: four 2-bit lengths
// (0 = one byte .. 3 = four bytes, the first value's in the lowest bits; 0 for values that do not
// exist). Then the values in so many bytes, low byte first.
#pragma once

#include <algorithm>

#include "bench/papers/cikm19/host_simd.hpp"
#include "codecs/core/codec.hpp"

namespace gannet::codecs::papers {

struct StreamVbyte {
  static constexpr std::string_view name = "stream-vbyte";
  static constexpr std::uint32_t kGroup = 4;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    BitWriter writer(words);
    for (std::size_t i = 0; i < values.size(); ++i) writer.put(selector_of(values[i]), 2);
    for (std::size_t i = values.size(); i % kGroup != 0; ++i) writer.put(0, 2);
    for (const std::uint32_t value : values) writer.put(value, 8 * (1 + selector_of(value)));
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    const unsigned char* bytes = bytes_of(words);
    std::uint64_t size = ceil_div(count, kGroup);
    if (size > words.size() * std::uint64_t{4}) fail_list(name, "the tags are cut off");
    for (std::uint32_t i = 0; i < count; i += kGroup) {
      size += group_bytes(bytes[i / kGroup], std::min(kGroup, count - i));
    }
    if (words.size() != (size + 3) / 4) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its values take " +
                          std::to_string((size + 3) / 4));
    }
  }

  static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
                     std::uint32_t* out) {
    const std::uint32_t tags = ceil_div(count, kGroup);
    decode_groups(bytes_of(words), bytes_of(words) + tags, words.size_bytes() - tags, count, out,
                  fastest_byte_path());
  }

 private:
  static const unsigned char* bytes_of(std::span<const std::uint32_t> words) {
    return reinterpret_cast<const unsigned char*>(words.data());
  }

  static std::uint32_t selector_of(std::uint32_t value) {
    return (std::max(bit_width(value), 1u) - 1) / 8;
  }
};

}  // namespace gannet::codecs::papers
