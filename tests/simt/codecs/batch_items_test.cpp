// A batch's items arrive in its arrays, each at its place, and nothing else is written.
#include "codecs/device/decode/batch_items.cuh"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/simt/launch.hpp"

namespace gannet::test {
namespace {

namespace cuda = codecs::cuda;

TEST(BatchItemsKernel, PutsItemsAtTheirPlaces) {
  constexpr std::uint32_t kSize = cuda::kItemsPerLaunch + 5;
  std::vector<const void*> columns(kSize);
  std::vector<std::uint64_t> column_bytes(kSize, 7);
  std::vector<void*> outputs(kSize);
  std::vector<std::uint64_t> output_bytes(kSize, 7);
  std::vector<cuda::ValueRange> ranges(kSize, {7, 7});
  std::vector<std::uint32_t> memory(kSize);
  cuda::BatchItems some{};
  some.first = 3;
  some.size = cuda::kItemsPerLaunch - 1;
  for (std::uint32_t i = 0; i < some.size; ++i) {
    some.items[i] = {&memory[i], 100 + i, &memory[i + 1], 200 + i, {i, 2 * i}};
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    simt::launch({.grid = 1, .block = cuda::kItemsPerLaunch, .shared_bytes = 0, .seed = seed},
                 cuda::put_items_kernel, some,
                 cuda::BatchArrays{columns.data(), column_bytes.data(), outputs.data(),
                                   output_bytes.data(), ranges.data()});
    for (std::uint32_t i = 0; i < kSize; ++i) {
      const bool written = i >= some.first && i < some.first + some.size;
      const auto item = static_cast<std::uint32_t>(i - some.first);
      EXPECT_EQ(columns[i], written ? &memory[item] : nullptr) << i;
      EXPECT_EQ(column_bytes[i], written ? 100 + item : 7u) << i;
      EXPECT_EQ(outputs[i], written ? &memory[item + 1] : nullptr) << i;
      EXPECT_EQ(output_bytes[i], written ? 200 + item : 7u) << i;
      EXPECT_EQ(ranges[i].first, written ? item : 7u) << i;
      EXPECT_EQ(ranges[i].count, written ? 2 * item : 7u) << i;
    }
  }
}

}  // namespace
}  // namespace gannet::test
