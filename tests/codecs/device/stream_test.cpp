// Streams of segments give the device the column's values: every codec, every consumer, from
// page-locked memory and from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "codecs/base/cuda/device.hpp"
#include "codecs/columns.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/stream_column.hpp"
#include "index/columns/column_file.hpp"
#include "index/columns/column_source.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using codecs::Codec;
using codecs::ValueType;
using codecs::cuda::PinnedColumn;
using codecs::cuda::SegmentSource;
using codecs::cuda::StreamedValues;
using Bytes = std::vector<std::byte>;

struct StreamCase {
  const Codec* codec;
  ValueType type;
};

std::vector<StreamCase> device_cases() {
  std::vector<StreamCase> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (codec.takes(type) && codecs::cuda::decodes_on_device(codec.id, type)) {
        cases.push_back({&codec, type});
      }
    }
  }
  return cases;
}

/// Values with runs, steps and both signs.
Bytes column(ValueType type, std::size_t count, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  const std::size_t size = codecs::size_of(type);
  Bytes bytes(count * size);
  std::uint64_t level = std::uint64_t{0} - 20;
  for (std::size_t i = 0; i < count; ++i) {
    if (random() % 3 == 0) level += random() % 5;
    if (random() % 1000 == 0) level = random();
    std::memcpy(bytes.data() + i * size, &level, size);
  }
  return bytes;
}

/// The sum modulo 2^64 and the number of values in [low, high], on the host.
struct Answers {
  std::uint64_t sum = 0;
  std::uint64_t within = 0;
};

Answers answers_of(ValueType type, std::span<const std::byte> bytes, std::uint64_t low,
                   std::uint64_t high) {
  return codecs::with_value_type(type, [&]<class T>() {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    Answers answers;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      const auto wide = static_cast<Wide>(value);
      answers.sum += static_cast<std::uint64_t>(wide);
      answers.within += static_cast<Wide>(low) <= wide && wide <= static_cast<Wide>(high) ? 1 : 0;
    }
    return answers;
  });
}

class CudaStream : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

/// Streams with all three consumers at once and compares with the host.
void expect_streams(const SegmentSource& source, const Bytes& expected, std::size_t slots) {
  const std::uint64_t low = std::uint64_t{0} - 10, high = 100;
  codecs::cuda::StreamSum sum;
  codecs::cuda::StreamCount within(low, high);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    longest = std::max<std::size_t>(longest, source.segment(i).count);
  }
  codecs::cuda::StreamCopy copy(slots, longest * codecs::size_of(source.type()));
  Bytes out;
  std::uint64_t next = 0;
  codecs::cuda::StreamOptions options;
  options.slots = slots;
  options.finished = [&](const StreamedValues& values) {
    EXPECT_EQ(values.first, next);
    next += values.count;
    const auto bytes = copy.values(values);
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const auto consume = [&](const StreamedValues& values) {
    sum(values);
    within(values);
    copy(values);
  };
  const auto report = codecs::cuda::stream_column(source, consume, options);
  EXPECT_EQ(report.values, expected.size() / codecs::size_of(source.type()));
  EXPECT_EQ(out, expected);
  const bool is_signed = static_cast<std::uint32_t>(source.type()) % 2 == 1;
  const Answers answers = answers_of(source.type(), expected, low, high);
  EXPECT_EQ(sum.result(), answers.sum);
  EXPECT_EQ(within.result(), answers.within);
  if (!is_signed) {
    EXPECT_EQ(answers.within, 0u) << "low is above high for the unsigned";
  }
}

class CudaStreamOf : public ::testing::TestWithParam<StreamCase> {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

TEST_P(CudaStreamOf, SegmentsOfDifferentLengths) {
  const auto [codec, type] = GetParam();
  PinnedColumn pinned(type);
  Bytes all;
  std::uint64_t seed = 0;
  for (const std::size_t count : {5000u, 1u, 128u, 4097u, 20000u, 3u, 1000u}) {
    const Bytes values = column(type, count, ++seed);
    std::vector<std::uint32_t> words;
    codec->encode(type, values, codecs::Parameters(), words);
    codec->validate(type, words, static_cast<std::uint32_t>(count));
    pinned.add(codec->id, words, static_cast<std::uint32_t>(count));
    all.insert(all.end(), values.begin(), values.end());
  }
  for (const std::size_t slots : {1u, 2u, 3u, 20u}) expect_streams(pinned, all, slots);
}

INSTANTIATE_TEST_SUITE_P(All, CudaStreamOf, ::testing::ValuesIn(device_cases()),
                         [](const auto& each) {
                           std::string name = std::string(each.param.codec->name) + "_" +
                                              std::string(codecs::name_of(each.param.type));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CudaStreamOf);

TEST_F(CudaStream, RawValuesOfEveryType) {
  for (const auto& [type, name] : codecs::kValueTypes) {
    SCOPED_TRACE(name);
    PinnedColumn pinned(type);
    Bytes all;
    for (const std::size_t count : {7u, 10000u, 1u, 333u}) {
      const Bytes values = column(type, count, count);
      pinned.add_raw(values);
      all.insert(all.end(), values.begin(), values.end());
    }
    expect_streams(pinned, all, 2);
  }
}

TEST_F(CudaStream, NothingToStream) {
  const PinnedColumn none(ValueType::kU32);
  expect_streams(none, {}, 2);
}

TEST_F(CudaStream, SegmentsManyTimesOver) {
  PinnedColumn pinned(ValueType::kU16);
  const Bytes values = column(ValueType::kU16, 3000);
  pinned.add_raw(values);
  pinned.add_raw(values);
  pinned.repeat(50);
  Bytes all;
  for (int i = 0; i < 100; ++i) all.insert(all.end(), values.begin(), values.end());
  expect_streams(pinned, all, 3);
}

index::ColumnSummary write_column(const std::string& path, ValueType type, const Bytes& values) {
  index::ColumnOptions options;
  options.segment_values = 10000;
  index::ColumnWriter writer(path, type, options);
  writer.append(values);
  const auto summary = writer.finish();
  writer.publish();
  return summary;
}

TEST_F(CudaStream, AColumnFile) {
  const test::TemporaryDirectory folder;
  const std::string path = folder / "column";
  for (const auto& [type, name] : codecs::kValueTypes) {
    if (codecs::auto_candidates(type).empty()) continue;
    SCOPED_TRACE(name);
    const Bytes values = column(type, 123456);
    EXPECT_EQ(write_column(path, type, values).segments, 13u);
    const index::ColumnFile file{std::filesystem::path(path)};
    const index::ColumnFileSource source(file);
    for (const std::size_t slots : {1u, 2u, 5u}) expect_streams(source, values, slots);
  }
}

TEST_F(CudaStream, ADamagedSegmentEndsTheStream) {
  const test::TemporaryDirectory folder;
  const std::string path = folder / "column";
  write_column(path, ValueType::kI32, column(ValueType::kI32, 100000));
  std::string bytes = test::read_file(path);
  const index::ColumnFile good{std::filesystem::path(path)};
  bytes[good.segments()[6].offset + 100] ^= 4;
  test::write_file(path, bytes);
  const index::ColumnFile file{std::filesystem::path(path)};
  const index::ColumnFileSource source(file);
  codecs::cuda::StreamSum sum;
  const auto consume = [&](const StreamedValues& values) { sum(values); };
  EXPECT_THAT([&] { codecs::cuda::stream_column(source, consume); },
              ::testing::ThrowsMessage<FormatError>(::testing::HasSubstr("segment 6")));
}

TEST_F(CudaStream, AConsumersErrorEndsTheStream) {
  PinnedColumn pinned(ValueType::kU32);
  for (int i = 0; i < 9; ++i) pinned.add_raw(column(ValueType::kU32, 1000));
  const auto consume = [](const StreamedValues& values) {
    if (values.segment == 5) throw UsageError("enough");
  };
  EXPECT_THROW(codecs::cuda::stream_column(pinned, consume), UsageError);
}

}  // namespace
}  // namespace gannet::test
