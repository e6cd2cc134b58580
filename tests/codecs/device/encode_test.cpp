// The device's encoders write what the host's write, word by word, for every codec that has one.
#include "codecs/device/encode.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns.hpp"
#include "codecs/docids.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Content;
using codecs::ValueType;
namespace cuda = codecs::cuda;

class CudaEncode : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
  static const codecs::Codec& codec() { return codecs::codec_named(GetParam(), ValueType::kU32); }

  static Words on_host(Content content, const Words& values) {
    const Words coded =
        content == Content::kDocids && codec().gaps ? codecs::gaps_of(values) : values;
    Words words;
    codec().encode(ValueType::kU32, std::as_bytes(std::span(coded)), {}, words);
    return words;
  }

  static void expect_equal(Content content, const Words& values) {
    const Words expected = on_host(content, values);
    ASSERT_LE(expected.size(), cuda::max_encoded_words(codec().id, values.size()));
    const Words words = cuda::encode(codec().id, content, values);
    ASSERT_EQ(words.size(), expected.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(words[i], expected[i]) << "word " << i << " of " << words.size();
    }
  }
};

std::vector<std::uint32_t> lengths() {
  std::vector<std::uint32_t> all = boundary_lengths();
  all.insert(all.end(), {5119, 5120, 5121, 8191, 8192, 8193, 20000});
  return all;
}

TEST_P(CudaEncode, EveryLengthOfEveryDistribution) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : lengths()) {
      SCOPED_TRACE(distribution.name + ", length " + std::to_string(count));
      expect_equal(Content::kValues, distribution.make(count));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(CudaEncode, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 256u, 513u, 1025u, 2200u, 4100u}) {
      SCOPED_TRACE(std::to_string(bits) + " bits, length " + std::to_string(count));
      expect_equal(Content::kValues, uniform(count, bits, bits + 10));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(CudaEncode, RunsOfEveryLength) {
  Random random(6);
  for (const std::uint32_t mean : {1u, 2u, 5u, 40u, 300u, 2000u}) {
    Words values;
    while (values.size() < 30000) {
      values.insert(values.end(), 1 + random() % (2 * mean), random() % 1000);
    }
    SCOPED_TRACE("mean run " + std::to_string(mean));
    expect_equal(Content::kValues, values);
  }
}

TEST_P(CudaEncode, Docids) {
  for (const std::uint32_t gap : {1u, 3u, 90u, 5000u}) {
    for (const std::uint32_t count : {0u, 1u, 128u, 129u, 511u, 512u, 513u, 4096u, 100000u}) {
      SCOPED_TRACE("mean gap " + std::to_string(gap) + ", length " + std::to_string(count));
      expect_equal(Content::kDocids, ascending(count, gap, gap));
      if (HasFatalFailure()) return;
    }
  }
  expect_equal(Content::kDocids, {0});
  expect_equal(Content::kDocids, {0xfffffffeu});
  expect_equal(Content::kDocids, {7, 0x80000000u, 0xfffffffeu});
}

/// Thousands of thread blocks, each of which needs the sizes of all before it.
TEST_P(CudaEncode, LongListsWithChangingWidths) {
  Random random(4);
  for (const std::size_t count : {std::size_t{300'000}, std::size_t{20'000'000}}) {
    Words values;
    while (values.size() < count) {
      const Words part = uniform(random() % 7000, random() % 33, random());
      values.insert(values.end(), part.begin(), part.end());
    }
    expect_equal(Content::kValues, values);
  }
}

/// One encoder for lists of any length, one after the other; words behind a list stay as they are,
/// wherever it begins.
TEST_P(CudaEncode, OneEncoderForManyListsAtAnyAlignment) {
  constexpr std::uint32_t kCapacity = 9000;
  constexpr std::uint32_t kCanary = 0xdeadbeefu;
  const std::size_t room = cuda::max_encoded_words(codec().id, kCapacity);
  cuda::DeviceEncoder encoder(codec().id, Content::kValues, kCapacity);
  EXPECT_EQ(encoder.capacity(), kCapacity);
  cuda::DeviceArray<std::uint32_t> words(room + 8);
  cuda::PinnedArray<std::uint32_t> written(1);
  const cuda::OwnedStream stream;
  std::uint32_t shift = 0;
  for (const std::uint32_t count : {kCapacity, 0u, 1u, 700u, 513u, 4097u, 128u, 6000u}) {
    const Words values = uniform(count, 1 + count % 32, count);
    const cuda::DeviceArray<std::uint32_t> source = cuda::upload(std::span(values));
    const Words canaries(words.size(), kCanary);
    cuda::check(cudaMemcpy(words.data(), canaries.data(), words.bytes(), cudaMemcpyHostToDevice),
                "cudaMemcpy");
    shift = (shift + 1) % 4;
    encoder.encode_async(source.data(), count, words.data() + shift, written.data(), stream);
    stream.wait();
    const Words expected = on_host(Content::kValues, values);
    ASSERT_EQ(written[0], expected.size()) << count;
    Words result(words.size());
    cuda::check(cudaMemcpy(result.data(), words.data(), words.bytes(), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    Words whole(shift, kCanary);
    whole.insert(whole.end(), expected.begin(), expected.end());
    whole.resize(words.size(), kCanary);
    ASSERT_EQ(result, whole) << count;
  }
}

TEST_P(CudaEncode, MayBeCapturedInAGraph) {
  const Words values = zipf(50000);
  cuda::DeviceEncoder encoder(codec().id, Content::kValues, values.size());
  const cuda::DeviceArray<std::uint32_t> source = cuda::upload(std::span(values));
  cuda::DeviceArray<std::uint32_t> words(cuda::max_encoded_words(codec().id, values.size()));
  cuda::PinnedArray<std::uint32_t> written(1);
  const cuda::OwnedStream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  encoder.encode_async(source.data(), values.size(), words.data(), written.data(), stream);
  cuda::check(cudaStreamEndCapture(stream, &graph), "capture");
  cuda::check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
  const Words expected = on_host(Content::kValues, values);
  for (int i = 0; i < 3; ++i) {
    cuda::check(cudaMemset(words.data(), 0xab, words.bytes()), "cudaMemset");
    cuda::check(cudaDeviceSynchronize(), "synchronize");  // the stream does not wait for a memset
    cuda::check(cudaGraphLaunch(ready, stream), "launch");
    stream.wait();
    Words result(written[0]);
    cuda::check(cudaMemcpy(result.data(), words.data(), result.size() * 4, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    EXPECT_EQ(result, expected);
  }
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

TEST_P(CudaEncode, RefusesListsThatAreTooLong) {
  EXPECT_THROW(cuda::max_encoded_words(codec().id, codecs::kMaxListLength + 1ull), UsageError);
  EXPECT_THROW(cuda::DeviceEncoder(codec().id, Content::kValues, codecs::kMaxListLength + 1ull),
               UsageError);
  cuda::DeviceEncoder encoder(codec().id, Content::kValues, 100);
  EXPECT_THROW(encoder.encode_async(nullptr, 101, nullptr, nullptr, nullptr), UsageError);
}

TEST(CudaEncodeOthers, CodecsWithoutADeviceEncoderAreRefused) {
  EXPECT_FALSE(cuda::encodes_on_device(codecs::list_codec_named("none").id));
  EXPECT_THROW(cuda::max_encoded_words(codecs::list_codec_named("none").id, 1), UsageError);
  if (!cuda::available()) GTEST_SKIP() << "no GPU: an encoder is made for a device";
  EXPECT_THROW(cuda::DeviceEncoder(codecs::list_codec_named("none").id, Content::kValues, 1),
               UsageError);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (codec.takes(ValueType::kU32) && cuda::encodes_on_device(codec.id)) {
      result.emplace_back(codec.name);
    }
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Encoders, CudaEncode, testing::ValuesIn(names()), [](const auto& each) {
  std::string name = each.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace gannet::test
