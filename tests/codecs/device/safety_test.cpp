// What must not go wrong on the device: sizes beyond 32 bits, addresses that are not aligned,
// damaged bytes, several streams, threads and devices at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch_size.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/column_encoder.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/detail/scan_places.hpp"
#include "codecs/device/encode.hpp"
#include "codecs/device/pick.hpp"
#include "codecs/device/scan.hpp"
#include "codecs/device/stream_column.hpp"
#include "tests/support/device/capture.hpp"

namespace gannet::test {
namespace {

namespace cuda = codecs::cuda;
using codecs::Codec;
using codecs::ValueType;
using Words = std::vector<std::uint32_t>;

// Sizes: no GPU is needed.

TEST(CudaLaunchSizes, WarpsAreCountedIn64Bits) {
  // From 2^27 groups on, threads do not fit 32 bits.
  for (const std::uint64_t groups : {1ull << 27, (1ull << 27) + 1, (1ull << 31)}) {
    for (const std::uint32_t warps : {2u, 4u, 8u}) {
      const std::uint64_t blocks = cuda::blocks_for_warps(groups, warps);
      EXPECT_GE(blocks * warps, groups);
      EXPECT_LT((blocks - 1) * warps, groups);
      // The last warp's number, and those that the last block has to spare, fit 32 bits.
      EXPECT_LT(blocks * warps - 1, 1ull << 32);
    }
  }
  EXPECT_EQ(cuda::blocks_for_warps(0, 8), 0u);
  EXPECT_THROW(cuda::blocks_for_warps((1ull << 31) + 1, 8), UsageError);
  EXPECT_THROW(cuda::blocks_for_warps(1ull << 31, 1), UsageError);
}

TEST(CudaLaunchSizes, RawSegmentsHoldWhatTheySay) {
  EXPECT_EQ(cuda::raw_count(4096, ValueType::kU64), 512u);
  EXPECT_EQ(cuda::raw_count(std::uint64_t{codecs::kMaxListLength} * 8, ValueType::kI64),
            codecs::kMaxListLength);
  EXPECT_THROW(cuda::raw_count(5, ValueType::kU32), UsageError);
  // 2^32 + 1 values were taken for one.
  EXPECT_THROW(cuda::raw_count((1ull << 32) + 1, ValueType::kU8), UsageError);
  cuda::PinnedColumn column(ValueType::kU8);
  const std::byte* nothing = nullptr;
  EXPECT_THROW(column.add_raw({nothing, (1ull << 32) + 1}), UsageError);
}

// Which slots a scan has: no GPU is needed.

/// Scans of which the second launch, the one that empties the slots, may fail.
struct Slots {
  cuda::ScanPlaces<2> places;
  std::vector<int> slots = std::vector<int>(2);
  int clears = 0;

  int scan(cuda::ScanKey key, bool fails = false) {
    int result = -1;
    places.run(
        key,
        [&](std::size_t place) {
          ++clears;
          slots[place] = 0;
        },
        [&](std::size_t place) {
          slots[place] += 5;
          if (fails) throw CudaError("a launch failed");
          result = std::exchange(slots[place], 0);
        });
    return result;
  }
};

TEST(CudaScanPlaces, AScanWhoseSecondLaunchFailedLeavesNothingToTheNext) {
  Slots scans;
  EXPECT_EQ(scans.scan({7}), 5);
  EXPECT_THROW(scans.scan({7}, true), CudaError);
  EXPECT_EQ(scans.scan({8}), 5) << "another stream's";
  EXPECT_EQ(scans.clears, 0);
  EXPECT_EQ(scans.scan({7}), 5);
  EXPECT_EQ(scans.scan({7}), 5);
  EXPECT_EQ(scans.clears, 1);
}

TEST(CudaScanPlaces, GraphsThatAreCapturedAfterAFailureAllClear) {
  Slots scans;
  EXPECT_THROW(scans.scan({7, true}, true), CudaError);
  EXPECT_EQ(scans.scan({7, true}), 5);
  EXPECT_EQ(scans.scan({7, true}), 5);
  EXPECT_EQ(scans.clears, 2);
}

TEST(CudaScanPlaces, CapturedScansHaveAPlaceOfTheirOwnAndThereAreNoMore) {
  Slots scans;
  std::vector<std::size_t> places;
  const auto note = [&](std::size_t place) { places.push_back(place); };
  scans.places.run({7}, note, note);
  scans.places.run({7, true}, note, note);
  scans.places.run({7}, note, note);
  EXPECT_EQ(places, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_THROW(scans.places.run({8}, note, note), UsageError);
}

class CudaSafety : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
    values_.resize(100'000);
    for (std::uint32_t i = 0; i < values_.size(); ++i) values_[i] = i / 7 + i % 5;
  }

  Words encoded(const char* name) const {
    const Codec& codec = codecs::codec_named(name, ValueType::kU32);
    Words words;
    codec.encode(ValueType::kU32, std::as_bytes(std::span(values_)), {}, words);
    return words;
  }
  cuda::DeviceColumn column(const char* name) const {
    return {codecs::codec_named(name, ValueType::kU32).id, ValueType::kU32, encoded(name),
            static_cast<std::uint32_t>(values_.size())};
  }
  std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const std::uint32_t value : values_) total += value;
    return total;
  }
  Words decoded(const cuda::DeviceColumn& from) const {
    cuda::DeviceArray<std::uint32_t> out(values_.size());
    const cuda::OwnedStream stream;
    from.decode_async(out.data(), stream);
    stream.wait();
    Words got(values_.size());
    cuda::check(cudaMemcpy(got.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    return got;
  }

  Words values_;
};

TEST_F(CudaSafety, MisalignedAddressesAreRefusedAndTheContextLives) {
  const cuda::DeviceColumn from = column("gpu-for");
  cuda::DeviceArray<std::uint32_t> out(values_.size() + 4);
  const cuda::OwnedStream stream;
  EXPECT_THROW(from.decode_async(out.data() + 1, stream), UsageError);
  EXPECT_THROW(cuda::decode_column_async(from.plan(), from.words() + 1, out.data(), stream),
               UsageError);
  const cuda::ColumnScanner scanner;
  cuda::DeviceArray<cuda::ScanResult> result(2);
  auto* off = reinterpret_cast<cuda::ScanResult*>(reinterpret_cast<std::byte*>(result.data()) + 4);
  EXPECT_THROW(scanner.sum_async(from.plan(), from.words(), off, stream), UsageError);
  EXPECT_THROW(scanner.sum_async(from.plan(), from.words() + 1, result.data(), stream), UsageError);
  EXPECT_THROW(cuda::pick_async(from.plan(), from.words() + 2, out.data(), 1, out.data(), stream),
               UsageError);
  EXPECT_EQ(decoded(from), values_);
}

TEST_F(CudaSafety, DamageThatDecodingFindsReachesTheCaller) {
  Words words = encoded("deflate");
  const Codec& codec = codecs::codec_named("deflate", ValueType::kU32);
  const auto count = static_cast<std::uint32_t>(values_.size());
  const cuda::OwnedStream stream;
  cuda::DeviceArray<std::uint32_t> out(count);
  cuda::PinnedArray<std::uint32_t> damaged(1);
  for (const bool is_damaged : {false, true}) {
    if (is_damaged) words[words[1]] = 0xffffffff;  // the first chunk: a block of no type
    const cuda::DeviceColumn from(codec.id, ValueType::kU32, words, count);
    damaged[0] = 0;
    from.decode_async(out.data(), stream, damaged.data());
    stream.wait();
    EXPECT_EQ(damaged[0], is_damaged ? 1u : 0u);
  }
}

TEST_F(CudaSafety, ScansOnSeveralStreamsAtATimeAreRight) {
  const cuda::DeviceColumn a = column("gpu-for");
  const cuda::DeviceColumn b = column("gpu-dfor");
  const cuda::ColumnScanner scanner;
  std::vector<std::unique_ptr<cuda::OwnedStream>> streams;
  for (std::size_t i = 0; i < cuda::ColumnScanner::kStreams; ++i) {
    streams.push_back(std::make_unique<cuda::OwnedStream>());
  }
  cuda::PinnedArray<cuda::ScanResult> results(streams.size() * 20);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const cuda::DeviceColumn& from = i % 2 == 0 ? a : b;
    scanner.sum_async(from.plan(), from.words(), results.data() + i, *streams[i % streams.size()]);
  }
  for (const auto& stream : streams) stream->wait();
  const cuda::ScanResult expected{values_.size(), sum()};
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i], expected) << i;
  const cuda::OwnedStream another;
  EXPECT_THROW(scanner.sum_async(a.plan(), a.words(), results.data(), another), UsageError);
}

/// A launch that CUDA refuses: the stream's capture was spoilt.
TEST_F(CudaSafety, ScansFollowOneThatCouldNotBeLaunched) {
  const cuda::DeviceColumn from = column("gpu-for");
  const cuda::ColumnScanner scanner;
  const cuda::OwnedStream stream;
  cuda::PinnedArray<cuda::ScanResult> result(1);
  const auto scan = [&] { scanner.sum_async(from.plan(), from.words(), result.data(), stream); };
  cudaGraph_t graph = nullptr;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin capture");
  EXPECT_NE(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THROW(scan(), CudaError);
  EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGetLastError();

  const cuda::ScanResult expected{values_.size(), sum()};
  scan();
  stream.wait();
  EXPECT_EQ(result[0], expected);
  const CapturedGraph captured(stream, scan);
  for (int i = 0; i < 2; ++i) {
    result[0] = {};
    captured.launch(stream);
    stream.wait();
    EXPECT_EQ(result[0], expected);
  }
}

/// cudaStreamPerThread is one handle for many streams.
TEST_F(CudaSafety, ScansOnTheStreamsOfThreadsAreRight) {
  const cuda::DeviceColumn from = column("gpu-for");
  const cuda::ColumnScanner scanner;
  const cuda::ScanResult expected{values_.size(), sum()};
  constexpr std::size_t kScans = 100;
  std::vector<cuda::PinnedArray<cuda::ScanResult>> results;
  for (int i = 0; i < 2; ++i) results.emplace_back(kScans);
  std::vector<std::thread> threads;
  for (auto& own : results) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < kScans; ++i) {
        scanner.sum_async(from.plan(), from.words(), &own[i], cudaStreamPerThread);
      }
      cuda::check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& own : results) {
    for (std::size_t i = 0; i < kScans; ++i) ASSERT_EQ(own[i], expected) << i;
  }
}

/// A graph captured on one stream is launched on another, beside scans on the first.
TEST_F(CudaSafety, ScansBesideThoseOfAGraphAreRight) {
  const cuda::DeviceColumn from = column("gpu-for");
  const cuda::ColumnScanner scanner;
  const cuda::OwnedStream stream;
  const cuda::OwnedStream other;
  constexpr std::size_t kScans = 100;
  cuda::PinnedArray<cuda::ScanResult> direct(kScans);
  cuda::PinnedArray<cuda::ScanResult> captured(kScans);
  cuda::DeviceArray<cuda::ScanResult> result(1);
  const CapturedGraph graph(
      stream, [&] { scanner.sum_async(from.plan(), from.words(), result.data(), stream); });
  for (std::size_t i = 0; i < kScans; ++i) {
    graph.launch(other);
    cuda::check(cudaMemcpyAsync(&captured[i], result.data(), sizeof(cuda::ScanResult),
                                cudaMemcpyDeviceToHost, other),
                "cudaMemcpyAsync");
    scanner.sum_async(from.plan(), from.words(), &direct[i], stream);
  }
  stream.wait();
  other.wait();
  const cuda::ScanResult expected{values_.size(), sum()};
  for (std::size_t i = 0; i < kScans; ++i) {
    ASSERT_EQ(direct[i], expected) << i;
    ASSERT_EQ(captured[i], expected) << i;
  }
}

/// An error that the caller has had and handled is not ours.
TEST_F(CudaSafety, OldErrorsOfTheCallerAreNotThrown) {
  cuda::DeviceArray<std::uint32_t> out(values_.size());
  const cuda::OwnedStream stream;
  for (const char* const name : {"rle-v1", "cascaded", "deflate", "gpu-for"}) {
    const cuda::DeviceColumn from = column(name);
    void* memory = nullptr;
    ASSERT_NE(cudaMalloc(&memory, std::size_t{1} << 50), cudaSuccess);
    EXPECT_NO_THROW(from.decode_async(out.data(), stream)) << name;
    stream.wait();
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation) << "the caller's, still there";
  }
}

TEST_F(CudaSafety, ObjectsWorkFromOtherThreads) {
  const cuda::DeviceColumn from = column("gpu-rfor");
  const cuda::ColumnScanner scanner;
  std::vector<std::thread> threads;
  std::vector<cuda::ScanResult> results(8);
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] { results[i] = scanner.sum(from); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const cuda::ScanResult& result : results) EXPECT_EQ(result.sum, sum());
}

TEST_F(CudaSafety, ObjectsWorkWhateverTheCurrentDevice) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "there is one GPU";
  const cuda::DeviceGuard first(0);
  const cuda::DeviceColumn on_first = column("gpu-for");
  const cuda::ColumnScanner scanner;
  const codecs::CodecId codec = on_first.plan().codec;
  const cuda::OwnedStream stream;
  cuda::DeviceEncoder encoder(codec, codecs::Content::kValues, 128);
  cuda::DeviceColumnEncoder column_encoder(codec, ValueType::kU32, 128);
  cuda::DeviceArray<std::uint32_t> words(cuda::max_encoded_words(codec, 128));
  cuda::DeviceArray<std::byte> described(column_encoder.max_bytes(128));
  cuda::DeviceArray<std::uint64_t> bytes(1);
  {
    const cuda::DeviceGuard second(1);
    const cuda::DeviceColumn on_second = column("gpu-for");
    EXPECT_EQ(cuda::device_of(on_first.words()), 0);
    EXPECT_EQ(cuda::device_of(on_second.words()), 1);
    EXPECT_EQ(scanner.sum(on_first).sum, sum());
    EXPECT_EQ(cuda::current_device(), 1);
    EXPECT_EQ(decoded(on_second), values_);
    // Kernels of device 0 cannot read it: they would end the context.
    EXPECT_THROW(scanner.sum(on_second), UsageError);
    EXPECT_THROW(encoder.encode_async(on_second.words(), 100, words.data(), words.data(), stream),
                 UsageError);
    EXPECT_THROW(
        column_encoder.encode_async(on_second.words(), 100, described.data(), bytes.data(), stream),
        UsageError);
  }
  EXPECT_EQ(cuda::current_device(), 0);
  EXPECT_EQ(scanner.sum(on_first).sum, sum());
}

TEST_F(CudaSafety, DevicesThatAreNotThereAreRefused) {
  const int before = cuda::current_device();
  EXPECT_THROW(cuda::DeviceGuard{cuda::device_count()}, UsageError);
  EXPECT_THROW(cuda::DeviceGuard{-1}, UsageError);
  EXPECT_EQ(cuda::current_device(), before);
}

/// Counts what is in use.
struct Counting : cuda::MemoryResource {
  std::size_t in_use = 0;
  void* allocate_async(std::size_t bytes, std::size_t alignment, cuda::Stream stream) override {
    in_use += bytes;
    return cuda::default_resource().allocate_async(bytes, alignment, stream);
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment,
                        cuda::Stream stream) noexcept override {
    in_use -= bytes;
    cuda::default_resource().deallocate_async(memory, bytes, alignment, stream);
  }
};

TEST_F(CudaSafety, WhatObjectsHaveComesFromTheCallersResource) {
  Counting resource;
  const Words words = encoded("gpu-rfor");
  const auto count = static_cast<std::uint32_t>(values_.size());
  const codecs::CodecId codec = codecs::codec_named("gpu-rfor", ValueType::kU32).id;
  const codecs::CodecId cascaded = codecs::codec_named("cascaded", ValueType::kU32).id;
  {
    const cuda::DeviceColumn from(codec, ValueType::kU32, words, count, resource);
    EXPECT_GE(resource.in_use, words.size() * 4);
    std::size_t before = resource.in_use;
    const cuda::ColumnScanner scanner(resource);
    EXPECT_GT(resource.in_use, before);
    EXPECT_EQ(scanner.sum(from).sum, sum());
    EXPECT_EQ(decoded(from), values_);

    before = resource.in_use;
    cuda::DeviceEncoder encoder(codec, codecs::Content::kValues, count, resource);
    EXPECT_GT(resource.in_use, before);
    const auto values = cuda::upload(std::span<const std::uint32_t>(values_));
    cuda::DeviceArray<std::uint32_t> out(cuda::max_encoded_words(codec, count));
    cuda::PinnedArray<std::uint32_t> written(1);
    const cuda::OwnedStream stream;
    encoder.encode_async(values.data(), count, out.data(), written.data(), stream);
    stream.wait();
    EXPECT_EQ(written[0], words.size());

    for (const codecs::CodecId id : {codec, cascaded}) {
      before = resource.in_use;
      const cuda::DeviceColumnEncoder columns(id, ValueType::kU32, count, {}, resource);
      EXPECT_GT(resource.in_use, before);
    }
  }
  EXPECT_EQ(resource.in_use, 0u);
}

TEST_F(CudaSafety, BuffersComeFromTheirResourceAndGoBackThere) {
  Counting resource;
  const cuda::OwnedStream stream;
  {
    cuda::DeviceBuffer a(1000, stream, resource);
    EXPECT_EQ(resource.in_use, 1000u);
    cuda::DeviceBuffer b = std::move(a);
    cuda::DeviceBuffer c(24, stream, resource);
    c = std::move(b);
    EXPECT_NE(c.data(), nullptr);
    EXPECT_EQ(c.size(), 1000u);
    const cuda::DeviceBuffer empty(0, stream, resource);
    EXPECT_EQ(empty.data(), nullptr);
  }
  EXPECT_EQ(resource.in_use, 0u);
}

}  // namespace
}  // namespace gannet::test
