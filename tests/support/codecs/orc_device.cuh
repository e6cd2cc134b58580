// What the tests of columns of strips (rle-v1, rle-v2) on the device share: they decode columns in
// several ways and compare.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/orc_values.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

/// A way to decode a column of strips of unsigned values, launched on a stream.
template <class T>
struct StripWay {
  const char* name;
  void (*launch)(codecs::ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream);
};

template <class T>
std::vector<T> download(const codecs::cuda::DeviceArray<T>& array) {
  std::vector<T> values(array.size());
  codecs::cuda::check(
      cudaMemcpy(values.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return values;
}

inline constexpr std::size_t kGuard = 64;

/// Decodes a column in all these ways; the output is followed by values that must stay.
template <class Codec, class T>
void check_ways(const std::vector<StripWay<std::make_unsigned_t<T>>>& all,
                const std::vector<T>& values, const std::string& parameters,
                const std::string& what) {
  using U = std::make_unsigned_t<T>;
  Words words;
  Codec::template encode<T>(values, codecs::Parameters(parameters), words);
  Codec::template validate<T>(words, static_cast<std::uint32_t>(values.size()));
  const auto device_words = codecs::cuda::upload(std::span<const std::uint32_t>(words), 4);
  const codecs::ListView column{device_words.data(), static_cast<std::uint32_t>(values.size())};
  std::vector<U> expected(values.begin(), values.end());
  expected.insert(expected.end(), kGuard, static_cast<U>(0x5a));
  for (const auto& way : all) {
    const std::vector<U> marked(expected.size(), static_cast<U>(0x5a));
    auto out = codecs::cuda::upload(std::span<const U>(marked));
    way.launch(column, words[0], out.data(), nullptr);
    codecs::cuda::check(cudaDeviceSynchronize(), way.name);
    ASSERT_EQ(download(out), expected) << what << ", " << way.name;
  }
}

/// Columns of every kind of runs; Ways<Codec>::of<U>() gives the ways for the unsigned type U.
template <class Codec, template <class> class Ways, class T>
void check_type() {
  const auto all = Ways<Codec>::template of<std::make_unsigned_t<T>>();
  for (const std::string& structure : kRunStructures) {
    for (const std::uint32_t count : {1u, 127u, 2049u, 9001u}) {
      const auto values = values_of<T>(numbers_in(structure, count));
      check_ways<Codec>(all, values, "", structure + ", " + std::to_string(count));
    }
  }
  for (const char* parameters : {"chunk=2048", "chunk=32768"}) {
    check_ways<Codec>(all, values_of<T>(numbers_in("mixed", 70000)), parameters, parameters);
  }
}

template <class Codec, template <class> class Ways>
void check_types() {
  check_type<Codec, Ways, std::int8_t>();
  check_type<Codec, Ways, std::uint8_t>();
  check_type<Codec, Ways, std::int16_t>();
  check_type<Codec, Ways, std::uint16_t>();
  check_type<Codec, Ways, std::int32_t>();
  check_type<Codec, Ways, std::uint32_t>();
  check_type<Codec, Ways, std::int64_t>();
  check_type<Codec, Ways, std::uint64_t>();
}

/// Columns that validate() accepts, although no encoder wrote them, decode without leaving their
/// memory (to be run under compute-sanitizer), and every way gives the same.
template <class Codec, template <class> class Ways>
void check_damaged() {
  const auto values = values_of<std::uint32_t>(numbers_in("mixed", 5000));
  Words words;
  Codec::template encode<std::uint32_t>(values, {}, words);
  Random random(3);
  int accepted = 0;
  for (int round = 0; round < 2000 && accepted < 40; ++round) {
    Words damaged = words;
    damaged[random() % words.size()] ^= 1u << random() % 32;
    try {
      Codec::template validate<std::uint32_t>(damaged, 5000);
    } catch (const FormatError&) {
      continue;
    }
    ++accepted;
    const auto device_words = codecs::cuda::upload(std::span<const std::uint32_t>(damaged), 4);
    const codecs::ListView column{device_words.data(), 5000};
    std::vector<std::uint32_t> first;
    for (const auto& way : Ways<Codec>::template of<std::uint32_t>()) {
      codecs::cuda::DeviceArray<std::uint32_t> out(5000);
      way.launch(column, damaged[0], out.data(), nullptr);
      codecs::cuda::check(cudaDeviceSynchronize(), way.name);
      if (first.empty()) first = download(out);
      ASSERT_EQ(download(out), first) << way.name << ", round " << round;
    }
  }
  EXPECT_EQ(accepted, 40);
}

/// Skips without a GPU.
class CudaStrips : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!codecs::cuda::available()) GTEST_SKIP() << "no GPU";
  }
};

}  // namespace gannet::test
