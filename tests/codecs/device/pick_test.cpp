// Random access on the device and on the host: single values, and the values that bits select.
#include "codecs/device/pick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns.hpp"
#include "codecs/pick.hpp"

namespace gannet::codecs {
namespace {

using Words = std::vector<std::uint32_t>;

template <class T>
std::vector<T> values_of(std::uint32_t count) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(random() >> (i / 300 % 5 == 0 ? 40 : 57));
  }
  return values;
}

/// Positions at random, in runs, and the last one.
Words positions_in(std::uint32_t count, std::uint32_t wanted) {
  std::mt19937 random(count + wanted);
  Words positions(wanted);
  for (std::uint32_t i = 0; i < wanted; ++i) {
    positions[i] =
        i % 3 == 2 ? (positions[i - 1] + 1) % count : static_cast<std::uint32_t>(random() % count);
  }
  positions.back() = count - 1;
  return positions;
}

template <class T>
struct Column {
  const Codec& codec;
  std::vector<T> values;
  Words words;
  cuda::DeviceColumn device;

  Column(const Codec& of, std::uint32_t count)
      : codec(of),
        values(values_of<T>(count)),
        words(encode()),
        device(of.id, value_type_of<T>(), words, count) {}
  Words encode() const {
    Words result;
    codec.encode(value_type_of<T>(), std::as_bytes(std::span(values)), Parameters{}, result);
    return result;
  }
  ColumnView view() const {
    return {&codec, value_type_of<T>(), words, static_cast<std::uint32_t>(values.size())};
  }
};

template <class T>
std::vector<T> fetch(const cuda::DeviceArray<T>& array) {
  std::vector<T> result(array.size());
  cuda::check(cudaMemcpy(result.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
  return result;
}

template <class T>
void expect_picks(const Column<T>& column, std::uint32_t wanted) {
  const Words positions = positions_in(static_cast<std::uint32_t>(column.values.size()), wanted);
  std::vector<T> expected(wanted);
  for (std::uint32_t i = 0; i < wanted; ++i) expected[i] = column.values[positions[i]];
  std::vector<T> host(wanted);
  pick(column.view(), positions, reinterpret_cast<std::byte*>(host.data()));
  EXPECT_EQ(host, expected) << column.codec.name << " on the host";
  if (!cuda::picks(column.device.plan())) return;
  const auto device_positions = cuda::upload(std::span<const std::uint32_t>(positions));
  cuda::DeviceArray<T> out(wanted);
  cuda::pick_async(column.device.plan(), column.device.words(), device_positions.data(), wanted,
                   out.data(), nullptr);
  EXPECT_EQ(fetch(out), expected) << column.codec.name << " on the device";
}

/// Bits that are set with probability 1 / one_in; 0: none, 1: all.
Words bits_for(std::uint32_t count, std::uint32_t one_in) {
  std::mt19937 random(count + one_in);
  Words bits(ceil_div(count, 32));
  for (std::uint32_t i = 0; one_in > 0 && i < count; ++i) {
    if (random() % one_in == 0) bits[i / 32] |= 1u << i % 32;
  }
  return bits;
}

template <class T>
void expect_selects(const Column<T>& column, std::uint32_t one_in) {
  const auto count = static_cast<std::uint32_t>(column.values.size());
  const Words bits = bits_for(count, one_in);
  constexpr T kPoison = static_cast<T>(0x5a5a5a5a);
  std::vector<T> expected(count, kPoison);
  cuda::ScanResult sum;
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((bits[i / 32] >> i % 32 & 1) == 0) continue;
    expected[i] = column.values[i];
    ++sum.count;
    sum.sum += static_cast<std::uint64_t>(column.values[i]);
  }
  const Selected host = sum_selected(column.view(), bits);
  EXPECT_EQ(host.count, sum.count) << column.codec.name;
  EXPECT_EQ(host.sum, sum.sum) << column.codec.name;
  if (!column.codec.tiles) return;
  const auto device_bits = cuda::upload(std::span<const std::uint32_t>(bits));
  auto out = cuda::upload(std::span<const T>(std::vector<T>(count, kPoison)));
  auto result = cuda::upload(std::span<const cuda::ScanResult>(std::vector<cuda::ScanResult>(1)));
  cuda::decode_selected_async(column.device.plan(), column.device.words(), device_bits.data(),
                              out.data(), nullptr);
  cuda::sum_selected_async(column.device.plan(), column.device.words(), device_bits.data(),
                           result.data(), nullptr);
  EXPECT_EQ(fetch(out), expected) << column.codec.name << ", one in " << one_in;
  EXPECT_EQ(fetch(result)[0], sum) << column.codec.name << ", one in " << one_in;
}

class CudaPick : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

template <class T>
void expect_type(const Codec& codec) {
  if (!codec.takes(value_type_of<T>()) || !cuda::decodes_on_device(codec.id, value_type_of<T>())) {
    return;
  }
  for (const std::uint32_t count : {1u, 130u, 1024u, 30'001u}) {
    const Column<T> column(codec, count);
    expect_picks(column, 1);
    expect_picks(column, 333);
    for (const std::uint32_t one_in : {0u, 1u, 2u, 100u, 1000u}) expect_selects(column, one_in);
  }
}

TEST_P(CudaPick, ValuesAndSelections) {
  const Codec& codec = all_codecs()[GetParam()];
  expect_type<std::uint32_t>(codec);
  expect_type<std::int8_t>(codec);
  expect_type<std::int16_t>(codec);
  expect_type<std::int64_t>(codec);
}

INSTANTIATE_TEST_SUITE_P(TileCodecs, CudaPick, testing::Range<std::size_t>(0, all_codecs().size()));

TEST(Pick, SaysWhatItCannot) {
  const Codec& codec = codec_named("gpu-for", ValueType::kU32);
  const Words values(200, 7);
  Words words;
  codec.encode(ValueType::kU32, std::as_bytes(std::span(values)), Parameters{}, words);
  const ColumnView view{&codec, ValueType::kU32, words, 200};
  std::uint32_t out = 0;
  EXPECT_THROW(pick(view, Words{200}, reinterpret_cast<std::byte*>(&out)), UsageError);
  EXPECT_THROW(sum_selected(view, Words(6)), UsageError);
}

}  // namespace
}  // namespace gannet::codecs
