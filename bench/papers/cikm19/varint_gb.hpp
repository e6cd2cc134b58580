// varint-gb: group varint, for the CPU.
// Source: Dean, "Challenges in building large-scale information retrieval systems", WSDM 2009;
// Mallia, Siedlaczek, Suel, Zahran, CIKM 2019, section 2 ("VarintGB"). Order of the bits as in the
// FastPFor library, which the paper measures, without its word for the length.
//
// Format: bytes, up to a whole word. For four values each: a tag of four 2-bit lengths (0 = one
// byte
// .. 3 = four bytes, the first value's in the lowest bits), then the values in so many bytes, low
// byte first. The last group has the tag and the bytes of the values that are left.
#pragma once

#include <algorithm>

#include "bench/papers/cikm19/host_simd.hpp"
#include "codecs/core/codec.hpp"

namespace gannet::codecs::papers {

struct VarintGb {
  static constexpr std::string_view name = "varint-gb";
  static constexpr std::uint32_t kGroup = 4;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    BitWriter writer(words);
    for (std::size_t i = 0; i < values.size(); i += kGroup) {
      const auto group = values.subspan(i, std::min<std::size_t>(kGroup, values.size() - i));
      std::uint32_t tag = 0;
      for (std::uint32_t k = 0; k < group.size(); ++k) tag |= selector_of(group[k]) << (2 * k);
      writer.put(tag, 8);
      for (const std::uint32_t value : group) writer.put(value, 8 * (1 + selector_of(value)));
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    check_count(name, count);
    const unsigned char* bytes = bytes_of(words);
    const std::uint64_t size = words.size() * std::uint64_t{4};
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < count; i += kGroup) {
      if (at >= size) fail_block(name, i / kGroup, "it is cut off");
      const std::uint32_t tag = bytes[at];
      at += 1 + group_bytes(tag, std::min(kGroup, count - i));
    }
    if (words.size() != (at + 3) / 4) {
      fail_list(name, "it has " + std::to_string(words.size()) + " words, its values take " +
                          std::to_string((at + 3) / 4));
    }
  }

  static void decode(std::span<const std::uint32_t> words, std::uint32_t count,
                     std::uint32_t* out) {
    decode_tagged_groups(bytes_of(words), words.size_bytes(), count, out, fastest_byte_path());
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
