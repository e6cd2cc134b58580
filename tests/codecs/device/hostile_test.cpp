// Damaged columns on the GPU: whatever validate() accepts, the device decodes inside its bounds
// (which compute-sanitizer checks) and as the host does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/columns.hpp"

namespace gannet::test {
namespace {

using codecs::Codec;
using codecs::ValueType;
using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kCount = 3000;
constexpr int kDamages = 60;

/// Ascending values with runs: something for every codec to do.
Bytes some_values(ValueType type, std::mt19937& random) {
  return codecs::with_value_type(type, [&]<class T>() {
    Bytes bytes(kCount * sizeof(T));
    T value = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      if (random() % 3 == 0) value = static_cast<T>(value + random() % 7);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
  });
}

/// One to three words changed: a bit, a small number, anything.
Words damaged(Words words, std::mt19937& random) {
  for (auto left = 1 + random() % 3; left > 0; --left) {
    std::uint32_t& word = words[random() % words.size()];
    switch (random() % 3) {
      case 0:
        word ^= 1u << random() % 32;
        break;
      case 1:
        word = random() % 64;
        break;
      default:
        word = static_cast<std::uint32_t>(random());
    }
  }
  return words;
}

bool accepts(const Codec& codec, ValueType type, const Words& words) {
  try {
    codec.validate(type, words, kCount);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

Bytes decoded_on_device(const Codec& codec, ValueType type, const Words& words, std::size_t bytes) {
  const codecs::cuda::DeviceColumn column(codec.id, type, words, kCount);
  codecs::cuda::DeviceArray<std::byte> out(bytes);
  codecs::cuda::OwnedStream stream;
  column.decode_async(out.data(), stream);
  stream.wait();
  Bytes host(bytes);
  codecs::cuda::check(cudaMemcpy(host.data(), out.data(), bytes, cudaMemcpyDeviceToHost),
                      "cudaMemcpy");
  return host;
}

struct HostileCase {
  const Codec* codec;
  ValueType type;
};

std::vector<HostileCase> hostile_cases() {
  std::vector<HostileCase> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (codec.takes(type)) cases.push_back({&codec, type});
    }
  }
  return cases;
}

std::string name_of_hostile(const testing::TestParamInfo<HostileCase>& info) {
  std::string name(info.param.codec->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::string(codecs::name_of(info.param.type));
}

class CudaHostile : public testing::TestWithParam<HostileCase> {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

TEST_P(CudaHostile, WhatIsAcceptedIsDecodedAsOnTheHost) {
  const auto [codec, type] = GetParam();
  std::mt19937 random(7 + static_cast<std::uint32_t>(codec->id));
  const Bytes values = some_values(type, random);
  Words words;
  codec->encode(type, values, codecs::Parameters(), words);
  for (int i = 0; i <= kDamages; ++i) {
    const Words hostile = i == 0 ? words : damaged(words, random);
    if (!accepts(*codec, type, hostile)) continue;
    Bytes expected(values.size());
    codec->decode(type, hostile, kCount, 0, kCount, expected.data());
    ASSERT_EQ(decoded_on_device(*codec, type, hostile, values.size()), expected) << "damage " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, CudaHostile, testing::ValuesIn(hostile_cases()), name_of_hostile);

}  // namespace
}  // namespace gannet::test
