// What the target `roundtrip` tries: every encoder gives words that validate() accepts and decoding
// turns back, whatever the values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/fuzz/parts/codec_byte.hpp"
#include "codecs/columns.hpp"

namespace gannet::fuzz {

/// Input: a byte with the codec's id, one for the type, one that says how often the values are
/// repeated, each and all, then the values.
inline void try_roundtrip(std::span<const std::uint8_t> input) {
  if (input.size() < 3) return;
  const codecs::Codec* const named = codec_with_id(input[0]);
  const codecs::ValueType type = codecs::kValueTypes[input[1] % codecs::kValueTypes.size()].first;
  if (named == nullptr || !named->takes(type)) return;
  const codecs::Codec& codec = *named;
  const std::size_t size = codecs::size_of(type);
  const std::size_t each = input[2] % 16 + 1;
  const std::size_t times = input[2] / 16 + 1;
  const auto given = std::as_bytes(input.subspan(3, (input.size() - 3) / size * size));
  std::vector<std::byte> values;
  for (std::size_t time = 0; time < times; ++time) {
    for (std::size_t at = 0; at < given.size(); at += size) {
      for (std::size_t i = 0; i < each; ++i) {
        values.insert(values.end(), given.begin() + static_cast<std::ptrdiff_t>(at),
                      given.begin() + static_cast<std::ptrdiff_t>(at + size));
      }
    }
  }
  const auto count = static_cast<std::uint32_t>(values.size() / size);
  std::vector<std::uint32_t> words;
  codec.encode(type, values, codecs::Parameters(), words);
  codec.validate(type, words, count);
  const std::unique_ptr<std::byte[]> out(new std::byte[values.size()]);
  codec.decode(type, words, count, 0, count, out.get());
  if (!std::equal(values.begin(), values.end(), out.get())) {
    throw std::logic_error(std::string(codec.name) + ": decoding gave other values");
  }
}

}  // namespace gannet::fuzz
