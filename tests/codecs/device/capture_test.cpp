// What is promised to be capturable in a graph: every asynchronous function over columns and lists,
// for every codec, gives the same launched plainly and from a graph. (Encoders: encode_test.cpp.)
#include "tests/support/device/capture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/pick.hpp"
#include "codecs/device/scan.hpp"
#include "tests/support/codecs/uneven_values.hpp"

namespace gannet::codecs {
namespace {

using test::expect_launches_give;
using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kCount = 50'001;

class CudaCapture : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  /// Calls f(codec, words) for every codec that decodes 32-bit values on the device.
  template <class F>
  void for_every_codec(F f) const {
    for (const Codec& codec : all_codecs()) {
      if (!codec.takes(ValueType::kU32) || !cuda::decodes_on_device(codec.id, ValueType::kU32)) {
        continue;
      }
      Values words;
      codec.encode(ValueType::kU32, std::as_bytes(std::span(values_)), Parameters{}, words);
      f(codec, cuda::DeviceColumn(codec.id, ValueType::kU32, words, kCount));
    }
  }

  const Values values_ = test::uneven_values<std::uint32_t>(kCount);
};

TEST_F(CudaCapture, Decoding) {
  for_every_codec([&](const Codec& codec, const cuda::DeviceColumn& column) {
    cuda::DeviceArray<std::uint32_t> out(kCount);
    const std::string name(codec.name);
    expect_launches_give(out, values_, name,
                         [&](cudaStream_t stream) { column.decode_async(out.data(), stream); });
    expect_launches_give(out, values_, name, [&](cudaStream_t stream) {
      cuda::decode_column_async(column.plan(), column.words(), out.data(), stream);
    });
  });
}

TEST_F(CudaCapture, Picking) {
  Values positions;
  Values expected;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    positions.push_back(i * 7919 % kCount);
    expected.push_back(values_[positions.back()]);
  }
  const auto there = cuda::upload(std::span<const std::uint32_t>(positions));
  for_every_codec([&](const Codec& codec, const cuda::DeviceColumn& column) {
    if (!cuda::picks(column.plan())) return;
    cuda::DeviceArray<std::uint32_t> out(positions.size());
    expect_launches_give(out, expected, std::string(codec.name), [&](cudaStream_t stream) {
      cuda::pick_async(column.plan(), column.words(), there.data(),
                       static_cast<std::uint32_t>(positions.size()), out.data(), stream);
    });
  });
}

TEST_F(CudaCapture, DecodingAndSummingWhatBitsSelect) {
  constexpr std::uint32_t kFilling = 0xa5a5a5a5u;
  Values bits((kCount + 31) / 32, 0);
  Values selected(kCount, kFilling);
  cuda::ScanResult sum;
  for (std::uint32_t i = 0; i < kCount; i += i % 5 == 0 ? 1 : 300) {
    bits[i / 32] |= 1u << i % 32;
    selected[i] = values_[i];
    ++sum.count;
    sum.sum += values_[i];
  }
  const auto there = cuda::upload(std::span<const std::uint32_t>(bits));
  for_every_codec([&](const Codec& codec, const cuda::DeviceColumn& column) {
    if (!codec.tiles) return;
    cuda::DeviceArray<std::uint32_t> out(kCount);
    const std::string name(codec.name);
    expect_launches_give(out, selected, name, [&](cudaStream_t stream) {
      cuda::decode_selected_async(column.plan(), column.words(), there.data(), out.data(), stream);
    });
    // It adds to what is there.
    cuda::DeviceArray<cuda::ScanResult> result(1);
    expect_launches_give(
        result, std::vector<cuda::ScanResult>{sum}, name,
        [&](cudaStream_t stream) {
          cuda::sum_selected_async(column.plan(), column.words(), there.data(), result.data(),
                                   stream);
        },
        0);
  });
}

TEST_F(CudaCapture, Scanning) {
  constexpr std::uint32_t kLow = 2, kHigh = 1u << 20;
  cuda::ScanResult all{kCount, 0};
  cuda::ScanResult range;
  for (const std::uint32_t value : values_) {
    all.sum += value;
    if (value < kLow || value > kHigh) continue;
    ++range.count;
    range.sum += value;
  }
  for_every_codec([&](const Codec& codec, const cuda::DeviceColumn& column) {
    if (!cuda::scans_inline(column.plan())) return;
    const cuda::ColumnScanner scanner;
    cuda::DeviceArray<cuda::ScanResult> result(1);
    const std::string name(codec.name);
    expect_launches_give(result, std::vector<cuda::ScanResult>{all}, name,
                         [&](cudaStream_t stream) {
                           scanner.sum_async(column.plan(), column.words(), result.data(), stream);
                         });
    expect_launches_give(
        result, std::vector<cuda::ScanResult>{range}, name, [&](cudaStream_t stream) {
          scanner.range_async(column.plan(), column.words(), cuda::ScanRange::of(kLow, kHigh),
                              result.data(), stream);
        });
  });
}

TEST_F(CudaCapture, EncodingCascaded) {
  const CascadedPlan plan{};
  const auto bytes = std::as_bytes(std::span(values_));
  const Values expected = cuda::cascaded_encode(ValueType::kU32, bytes, plan);
  const auto values = cuda::upload(std::span<const std::uint32_t>(values_));
  const std::uint64_t room = cuda::cascaded_workspace_bytes(ValueType::kU32, kCount, plan);
  cuda::DeviceArray<unsigned char> workspace(room);
  cuda::DeviceArray<std::uint32_t> words(cuda::cascaded_max_words(ValueType::kU32, kCount, plan));
  expect_launches_give(words, expected, "cascaded", [&](cudaStream_t stream) {
    cuda::cascaded_encode_async(ValueType::kU32, values.data(), kCount, plan, workspace.data(),
                                room, words.data(), stream);
  });
}

}  // namespace
}  // namespace gannet::codecs
