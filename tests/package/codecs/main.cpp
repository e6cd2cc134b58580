// Uses the codecs alone: a column to words and back; prints its bits a value.
#include <gannet/codecs/base/error.hpp>
#include <gannet/codecs/columns.hpp>
#include <gannet/version.hpp>

#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

int main() {
  using namespace gannet::codecs;
  static_assert(GANNET_VERSION_MAJOR == gannet::kVersionMajor);
  std::vector<std::int32_t> values(10'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(i % 100) - 50;

  const Codec& codec = codec_named("gpu-for", ValueType::kI32);
  std::vector<std::uint32_t> words;
  codec.encode(ValueType::kI32, std::as_bytes(std::span(values)), {}, words);
  const auto count = static_cast<std::uint32_t>(values.size());
  codec.validate(ValueType::kI32, words, count);
  std::vector<std::int32_t> decoded(count);
  codec.decode(ValueType::kI32, words, count, 0, count,
               std::as_writable_bytes(std::span(decoded)).data());
  try {
    codec_named("no such codec", ValueType::kI32);
    return 1;
  } catch (const gannet::UsageError&) {  // also across the boundary of a shared library
  }
  std::cout << gannet::kVersion << ' ' << 32.0 * static_cast<double>(words.size()) / count << '\n';
  return decoded == values ? 0 : 1;
}
