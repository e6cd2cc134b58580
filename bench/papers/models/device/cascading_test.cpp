// Decoding layer by layer gives what was encoded.
#include "bench/papers/models/cascading.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/registry.hpp"

namespace gannet::codecs {
namespace {

using Values = std::vector<std::uint32_t>;

class CudaLayersDecode : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  void expect_decodes(const Values& values, const std::string& what) {
    const ListCodec& codec = list_codec_named(GetParam());
    const auto count = static_cast<std::uint32_t>(values.size());
    Values words;
    codec.encode(values, words);
    const auto device = cuda::upload(std::span<const std::uint32_t>(words), 4);
    const papers::CascadingDecoder decoder(codec.id, device.data(), count);
    cuda::DeviceArray<std::uint32_t> out(count);
    decoder.decode_async(out.data(), nullptr);
    decoder.decode_async(out.data(), nullptr);  // the work space may be used again
    Values got(count);
    cuda::check(cudaMemcpy(got.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    EXPECT_EQ(got, values) << GetParam() << ", " << count << " values, " << what;
  }
};

TEST_P(CudaLayersDecode, GivesTheValues) {
  std::mt19937 random(7);
  for (const std::uint32_t count : {1u, 127u, 128u, 511u, 512u, 513u, 4096u, 100'003u}) {
    Values any(count);
    Values sorted(count);
    Values runs(count);
    std::uint32_t last = 5;
    for (std::uint32_t i = 0; i < count; ++i) {
      any[i] = static_cast<std::uint32_t>(random()) >> i % 32;
      sorted[i] = last += static_cast<std::uint32_t>(random() % 9);
      runs[i] = i > 0 && random() % 20 != 0 ? runs[i - 1] : static_cast<std::uint32_t>(random());
    }
    expect_decodes(any, "any");
    expect_decodes(sorted, "sorted");
    expect_decodes(runs, "runs");
    expect_decodes(Values(count, 0xffffffffu), "all alike");
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, CudaLayersDecode,
                         testing::Values("gpu-for", "gpu-dfor", "gpu-rfor"), [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(CudaLayersDecodeErrors, OtherCodecs) {
  std::string why;
  if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  EXPECT_THROW(papers::CascadingDecoder(list_codec_named("none").id, nullptr, 1), UsageError);
}

}  // namespace
}  // namespace gannet::codecs
