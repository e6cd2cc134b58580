// Device-wide decoding gives what the host gives, for every codec, content, length and width.
#include "codecs/device/decode.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/registry.hpp"
#include "tools/measure/device/decode_timing.hpp"

namespace gannet::codecs {
namespace {

using Values = std::vector<std::uint32_t>;

class CudaDecode : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
  const ListCodec& codec() const { return list_codec_named(GetParam()); }
  std::mt19937 random_{20240607};

  Values values(std::uint32_t count, std::uint32_t width) {
    Values result(count);
    for (auto& value : result) value = static_cast<std::uint32_t>(random_()) & low_mask(width);
    return result;
  }

  Values docids(std::uint32_t count, std::uint32_t gap_width) {
    Values result(count);
    std::uint32_t next = static_cast<std::uint32_t>(random_()) & low_mask(gap_width);
    for (auto& value : result) {
      value = next;
      next += 1 + (static_cast<std::uint32_t>(random_()) & low_mask(gap_width));
    }
    return result;
  }

  /// Decodes on the device into poisoned memory and compares every word of the output.
  void expect_decodes(Content content, const std::vector<Values>& lists) {
    EncodedLists encoded(codec(), content);
    Values expected;
    for (const Values& list : lists) {
      encoded.add(list);
      expected.insert(expected.end(), list.begin(), list.end());
    }
    EXPECT_TRUE(measure::time_decode(encoded, expected.data(), 1).verified) << codec().name;
  }
};

TEST_P(CudaDecode, EveryWidthAndBoundaryLength) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    std::vector<Values> lists;
    for (const std::uint32_t count : {1u, 2u, 3u, 127u, 128u, 129u, 255u, 256u, 257u, 511u, 512u,
                                      513u, 1023u, 1024u, 1025u, 2047u, 4097u}) {
      lists.push_back(values(count, width));
    }
    expect_decodes(Content::kValues, lists);
  }
}

TEST_P(CudaDecode, Docids) {
  for (std::uint32_t width = 0; width <= 18; ++width) {
    std::vector<Values> lists;
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 1000u, 1024u, 1025u, 5000u}) {
      lists.push_back(docids(count, width));
    }
    expect_decodes(Content::kDocids, lists);
  }
  expect_decodes(Content::kDocids,
                 {{0}, {0xfffffffeu}, {0, 0xfffffffeu}, {7, 0x80000000u, 0xfffffffeu}});
}

TEST_P(CudaDecode, MixedWidthsInOneList) {
  Values list = values(100'000, 3);
  for (std::size_t i = 0; i < list.size(); i += 1 + random_() % 300) {
    list[i] = static_cast<std::uint32_t>(random_()) &
              low_mask(static_cast<std::uint32_t>(random_() % 33));
  }
  expect_decodes(Content::kValues, {list});
}

/// A list alone is decoded by other kernels than lists of a batch, by its length.
TEST_P(CudaDecode, SingleListsOfAllLengths) {
  const std::uint32_t longest_short = cuda::kShortPolicy.most_tiles * kTile;
  for (const std::uint32_t count :
       {1u, 127u, 128u, 129u, 511u, 513u, 1023u, 1025u, 5000u, longest_short - 1, longest_short,
        longest_short + 1, longest_short + 1025u}) {
    expect_decodes(Content::kDocids, {docids(count, 1 + count % 11)});
    expect_decodes(Content::kValues, {values(count, 1 + count % 31)});
  }
}

TEST_P(CudaDecode, BatchesOfManyDocidLists) {
  std::vector<Values> lists;
  for (int i = 0; i < 1000; ++i) {
    const auto width = static_cast<std::uint32_t>(random_() % 20);
    lists.push_back(docids(1 + static_cast<std::uint32_t>(random_() % 3000), width));
  }
  expect_decodes(Content::kDocids, lists);
}

TEST_P(CudaDecode, BatchesOfManyLists) {
  std::vector<Values> lists;
  for (int i = 0; i < 3000; ++i) {
    const auto width = static_cast<std::uint32_t>(1 + random_() % 20);
    lists.push_back(values(1 + static_cast<std::uint32_t>(random_() % 700), width));
  }
  expect_decodes(Content::kValues, lists);
}

TEST_P(CudaDecode, NothingToDecode) {
  const EncodedLists none(codec(), Content::kValues);
  const cuda::DeviceLists device(none);
  device.decode_async(nullptr, nullptr);
  EXPECT_EQ(device.values(), 0u);
  expect_decodes(Content::kValues, {{}, {1, 2, 3}, {}});
}

TEST_P(CudaDecode, CodecsOfProgramsAreRefused) {
  ListCodec own = codec();
  own.id = static_cast<CodecId>(kFirstPrivateId);
  EncodedLists lists(own, Content::kValues);
  lists.add(Values{1, 2, 3});
  EXPECT_THROW(cuda::DeviceLists{lists}, UsageError);
  lists.add(Values{4, 5});
  EXPECT_THROW(cuda::DeviceLists{lists}, UsageError);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ListCodec& codec : all_list_codecs()) result.emplace_back(codec.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(TileCodecs, CudaDecode, testing::ValuesIn(names()), [](const auto& each) {
  std::string name = each.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace gannet::codecs
