// A suite of tests for forms of inflating on the device, against zlib, on good streams and on bytes
// that are none. INSTANTIATE_TYPED_TEST_SUITE_P(Any, CudaDeflate, Types<Form, ...>) runs it; a Form
// has a Space, the shared memory of a warp, and inflate(), as below.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "tests/support/codecs/byte_values.hpp"
#include "tests/support/codecs/deflate_streams.hpp"

namespace gannet::test {

using codecs::kLanes;
using codecs::WarpLanes;
using codecs::cuda::DeviceArray;

/// A stream and its output's place, in the arrays of a batch.
struct Place {
  std::uint64_t word;
  std::uint64_t byte;
  std::uint32_t words;
  std::uint32_t size;
};

inline constexpr std::uint32_t kInflateWarps = 4;

template <class Form>
__global__ void __launch_bounds__(kInflateWarps* kLanes)
    inflate_kernel(const std::uint32_t* words, const Place* places, std::uint32_t count,
                   std::uint8_t* out, std::uint32_t* good) {
  __shared__ uint4 space[kInflateWarps][(sizeof(typename Form::Space) + 15) / 16];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t i = blockIdx.x * kInflateWarps + warp;
  if (i >= count) return;
  const Place place = places[i];
  const bool is_good = Form::inflate(words + place.word, place.words, out + place.byte, place.size,
                                     *reinterpret_cast<typename Form::Space*>(space[warp]));
  if (WarpLanes::id() == 0) good[i] = is_good ? 1 : 0;
}

/// Streams that are inflated in one launch. Every stream's words and every output are followed by
/// four bytes that belong to no one and must stay.
class Batch {
 public:
  void add(const std::vector<std::uint32_t>& words, std::uint32_t size) {
    places_.push_back({words_.size(), bytes_, static_cast<std::uint32_t>(words.size()), size});
    words_.insert(words_.end(), words.begin(), words.end());
    words_.push_back(0xffffffffu);
    bytes_ += (size + 15) / 16 * 16 + 16;
  }

  std::size_t size() const { return places_.size(); }

  template <class Form>
  void inflate() {
    const auto words = codecs::cuda::upload(std::span<const std::uint32_t>(words_));
    const auto places = codecs::cuda::upload(std::span<const Place>(places_));
    DeviceArray<std::uint8_t> out(bytes_);
    DeviceArray<std::uint32_t> good(places_.size());
    codecs::cuda::check(cudaMemset(out.data(), kUntouched, bytes_), "cudaMemset");
    const auto count = static_cast<std::uint32_t>(places_.size());
    inflate_kernel<Form><<<codecs::ceil_div(count, kInflateWarps), kInflateWarps * kLanes>>>(
        words.data(), places.data(), count, out.data(), good.data());
    codecs::cuda::check_launch("inflate_kernel");
    out_.resize(bytes_);
    good_.resize(places_.size());
    codecs::cuda::check(cudaMemcpy(out_.data(), out.data(), bytes_, cudaMemcpyDeviceToHost), "out");
    codecs::cuda::check(
        cudaMemcpy(good_.data(), good.data(), good_.size() * 4, cudaMemcpyDeviceToHost), "good");
  }

  bool good(std::size_t i) const { return good_[i] != 0; }
  Bytes output(std::size_t i) const {
    return Bytes(out_.begin() + places_[i].byte, out_.begin() + places_[i].byte + places_[i].size);
  }
  /// Whether nothing was written behind output i.
  bool fenced(std::size_t i) const {
    const std::uint8_t* behind = out_.data() + places_[i].byte + places_[i].size;
    return std::all_of(behind, behind + 16, [](std::uint8_t byte) { return byte == kUntouched; });
  }

 private:
  static constexpr std::uint8_t kUntouched = 0xa5;
  std::vector<std::uint32_t> words_;
  std::vector<Place> places_;
  std::uint64_t bytes_ = 0;
  Bytes out_;
  std::vector<std::uint32_t> good_;
};

template <class Form>
class CudaDeflate : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << why;
  }
};

TYPED_TEST_SUITE_P(CudaDeflate);

TYPED_TEST_P(CudaDeflate, GivesBackWhatZlibEncoded) {
  const auto cases = stream_cases();
  Batch batch;
  for (const auto& one : cases) {
    batch.add(words_of(one.stream), static_cast<std::uint32_t>(one.bytes.size()));
  }
  batch.template inflate<TypeParam>();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_TRUE(batch.good(i)) << cases[i].name;
    EXPECT_TRUE(batch.fenced(i)) << cases[i].name;
    ASSERT_EQ(batch.output(i), cases[i].bytes) << cases[i].name;
  }
}

TYPED_TEST_P(CudaDeflate, AnotherSizeIsRefused) {
  Batch batch;
  for (const auto& one : stream_cases()) {
    const auto size = static_cast<std::uint32_t>(one.bytes.size());
    if (size > 1000 && size < 50000) {
      batch.add(words_of(one.stream), size - 1);
      batch.add(words_of(one.stream), size + 1);
      batch.add(words_of(one.stream), 0);
    }
  }
  batch.template inflate<TypeParam>();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    EXPECT_FALSE(batch.good(i));
    EXPECT_TRUE(batch.fenced(i));
  }
}

/// Streams with damage, and bytes at random.
inline std::vector<std::vector<std::uint32_t>> hostile_streams() {
  std::mt19937 random(5);
  std::vector<std::vector<std::uint32_t>> all;
  const Bytes data[] = {text_bytes(5000), random_bytes(3000, 5), run_bytes(9000, 300)};
  const ZlibWay ways[] = {{.level = 9}, {.level = 0}, {.strategy = Z_FIXED}, {.memory = 1}};
  for (const Bytes& bytes : data) {
    for (const ZlibWay& way : ways) {
      const Bytes good = zlib_deflate(bytes, way);
      for (int i = 0; i < 60; ++i) {
        Bytes bad = good;
        const std::size_t reach = i % 2 == 0 ? std::min<std::size_t>(100, bad.size()) : bad.size();
        for (int flips = 0; flips < 1 + i % 3; ++flips) {
          bad[random() % reach] ^= static_cast<std::uint8_t>(1u << random() % 8);
        }
        if (i % 5 == 0) bad.resize(random() % bad.size());
        all.push_back(words_of(bad));
      }
    }
  }
  for (std::uint32_t i = 0; i < 300; ++i) {
    Bytes bytes = random_bytes(random() % 600, i % 3 == 0 ? 256 : 1 + i % 40, i);
    if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>((bytes[0] & 0xf8) | (i % 8));
    all.push_back(words_of(bytes));
  }
  return all;
}

TYPED_TEST_P(CudaDeflate, HostileBytesAreTakenAsTheHostTakesThem) {
  const auto streams = hostile_streams();
  constexpr std::uint32_t kMax = 12000;
  std::vector<Bytes> expected;
  Batch batch;
  std::size_t refused = 0;
  for (const auto& words : streams) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
    const ZlibResult result = zlib_inflate({bytes, words.size() * 4}, kMax);
    refused += result.good ? 0 : 1;
    // A stream that is none is tried with room for more than it gives.
    batch.add(words, result.good ? static_cast<std::uint32_t>(result.bytes.size()) : kMax);
    expected.push_back(result.good ? result.bytes : Bytes());
  }
  ASSERT_GT(refused, 100u);
  batch.template inflate<TypeParam>();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    EXPECT_TRUE(batch.fenced(i)) << i;
    const bool zlib_good = !expected[i].empty() || batch.output(i).empty();
    ASSERT_EQ(batch.good(i), zlib_good) << i;
    if (zlib_good) ASSERT_EQ(batch.output(i), expected[i]) << i;
  }
}

REGISTER_TYPED_TEST_SUITE_P(CudaDeflate, GivesBackWhatZlibEncoded, AnotherSizeIsRefused,
                            HostileBytesAreTakenAsTheHostTakesThem);

}  // namespace gannet::test
