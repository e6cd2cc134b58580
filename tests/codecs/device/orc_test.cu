// rle-v1 and rle-v2 on the device: every way to decode them gives back what was encoded.
#include <gtest/gtest.h>

#include "bench/papers/codag/codag_kernels.cuh"
#include "codecs/device/device.hpp"
#include "codecs/device/memory.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/orc_values.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using bench::Buffer;
using codecs::DecodeBy;

template <class Codec, class T>
struct Way {
  const char* name;
  bench::Launch<T> launch;
};

template <class Codec, class T>
std::vector<Way<Codec, T>> ways() {
  using bench::launch_serial;
  return {
      {"a strip a lane", bench::launch_ours<Codec, T>},
      {"a strip a lane, staged", bench::launch_staged<Codec, T>},
      {"shared memory", launch_serial<Codec, T, Buffer::kShared, DecodeBy::kAllLanes>},
      {"shared memory, lane 0", launch_serial<Codec, T, Buffer::kShared, DecodeBy::kLane0>},
      {"registers", launch_serial<Codec, T, Buffer::kRegisters, DecodeBy::kAllLanes>},
      {"memory", launch_serial<Codec, T, Buffer::kMemory, DecodeBy::kAllLanes>},
      {"memory, lane 0", launch_serial<Codec, T, Buffer::kMemory, DecodeBy::kLane0>},
  };
}

/// Those with two warps a chunk. They meet by flags in shared memory, of which racecheck does not
/// know: it reports hazards here.
template <class Codec, class T>
std::vector<Way<Codec, T>> prefetching_ways() {
  return {
      {"prefetching warp", bench::launch_prefetch<Codec, T, DecodeBy::kAllLanes>},
      {"prefetching warp, lane 0", bench::launch_prefetch<Codec, T, DecodeBy::kLane0>},
  };
}

template <class T>
std::vector<T> download(const codecs::cuda::DeviceArray<T>& array) {
  std::vector<T> values(array.size());
  codecs::cuda::check(
      cudaMemcpy(values.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return values;
}

constexpr std::size_t kGuard = 64;

/// Decodes a column in all these ways; the output is followed by values that must stay.
template <class Codec, class T>
void check_ways(const std::vector<Way<Codec, std::make_unsigned_t<T>>>& all,
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

template <class Codec, class T>
void check_type() {
  using U = std::make_unsigned_t<T>;
  const auto all = ways<Codec, U>();
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

template <class Codec>
void check_types() {
  check_type<Codec, std::int8_t>();
  check_type<Codec, std::uint8_t>();
  check_type<Codec, std::int16_t>();
  check_type<Codec, std::uint16_t>();
  check_type<Codec, std::int32_t>();
  check_type<Codec, std::uint32_t>();
  check_type<Codec, std::int64_t>();
  check_type<Codec, std::uint64_t>();
}

/// More than a few chunks, some of them too large to be staged.
template <class Codec>
void check_many_chunks() {
  auto numbers = numbers_in("short runs", 2000000);
  const auto wide = numbers_in("literals", 1000000);
  numbers.insert(numbers.end(), wide.begin(), wide.end());
  check_ways<Codec>({{"a strip a lane", bench::launch_ours<Codec, std::uint32_t>}},
                    values_of<std::uint32_t>(numbers), "", "many chunks");
}

template <class Codec, class T>
void check_prefetching() {
  const auto all = prefetching_ways<Codec, T>();
  for (const std::string& structure : kRunStructures) {
    for (const std::uint32_t count : {1u, 127u, 2049u, 9001u}) {
      check_ways<Codec>(all, values_of<T>(numbers_in(structure, count)), "", structure);
    }
  }
  check_ways<Codec>(all, values_of<T>(numbers_in("mixed", 70000)), "chunk=32768", "mixed");
}

class CudaOrc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!codecs::cuda::available()) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(CudaOrc, RleV1ComesBackInEveryWay) { check_types<codecs::RleV1>(); }
TEST_F(CudaOrc, RleV2ComesBackInEveryWay) { check_types<codecs::RleV2>(); }

TEST_F(CudaOrc, ManyChunksOfAllSizesComeBack) {
  check_many_chunks<codecs::RleV1>();
  check_many_chunks<codecs::RleV2>();
}

TEST_F(CudaOrc, PrefetchingWarpsGiveTheSame) {
  check_prefetching<codecs::RleV1, std::uint32_t>();
  check_prefetching<codecs::RleV1, std::uint64_t>();
  check_prefetching<codecs::RleV2, std::uint8_t>();
  check_prefetching<codecs::RleV2, std::uint32_t>();
}

/// Columns that validate() accepts, although no encoder wrote them, decode without leaving their
/// memory (to be run under compute-sanitizer), and every way gives the same.
template <class Codec>
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
    for (const auto& way : ways<Codec, std::uint32_t>()) {
      codecs::cuda::DeviceArray<std::uint32_t> out(5000);
      way.launch(column, damaged[0], out.data(), nullptr);
      codecs::cuda::check(cudaDeviceSynchronize(), way.name);
      if (first.empty()) first = download(out);
      ASSERT_EQ(download(out), first) << way.name << ", round " << round;
    }
  }
  EXPECT_EQ(accepted, 40);
}

TEST_F(CudaOrc, DamagedRleV1StaysInside) { check_damaged<codecs::RleV1>(); }
TEST_F(CudaOrc, DamagedRleV2StaysInside) { check_damaged<codecs::RleV2>(); }

}  // namespace
}  // namespace gannet::test
