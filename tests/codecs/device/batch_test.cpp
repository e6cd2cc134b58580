// Batches of columns in device memory: every codec and type, ranges, parts, statuses; what is
// damaged gets a status that the host agrees with, and nothing outside of the outputs is touched.
#include "codecs/device/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/device/column_encoder.hpp"
#include "codecs/device/detail/part_share.hpp"

namespace gannet::test {
namespace {

namespace cuda = codecs::cuda;
using codecs::Codec;
using codecs::ColumnStatus;
using codecs::ValueType;
using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

constexpr std::byte kPoisonOfBatches{0xa5};
constexpr std::size_t kBehind = 256;  // poisoned bytes around the output

/// Ascending values with runs.
Bytes some_values(ValueType type, std::uint32_t count, std::uint32_t seed) {
  return codecs::with_value_type(type, [&]<class T>() {
    std::mt19937 random(seed);
    Bytes bytes(count * sizeof(T));
    T value = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 3 == 0) value = static_cast<T>(value + random() % 7);
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
  });
}

/// One column of a batch on its way: what it is, what is wanted, what came of it.
struct Item {
  Words column;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t room = 0;  ///< bytes of the output
  Bytes output;            ///< with kBehind bytes before and behind
  ColumnStatus status{};
};

/// Decodes the items as one batch.
void decode(const cuda::BatchPlan& plan, std::vector<Item>& items) {
  const cuda::OwnedStream stream;
  std::vector<cuda::DeviceArray<std::uint32_t>> columns;
  std::vector<cuda::DeviceArray<std::byte>> outputs;
  std::vector<cuda::BatchItem> batch;
  for (Item& item : items) {
    // Without padding: compute-sanitizer sees what is read behind the column.
    columns.push_back(cuda::upload(std::span<const std::uint32_t>(item.column)));
    const std::size_t bytes = (item.room + 15) / 16 * 16 + 2 * kBehind;
    outputs.emplace_back(bytes);
    cuda::check(cudaMemset(outputs.back().data(), static_cast<int>(kPoisonOfBatches), bytes),
                "cudaMemset");
    batch.push_back({columns.back().data(),
                     columns.back().bytes(),
                     outputs.back().data() + kBehind,
                     item.room,
                     {item.first, item.count}});
  }
  cuda::finish_copies();
  const cuda::DeviceBatch device(batch, stream);
  device.decode_async(plan);
  const std::vector<ColumnStatus> statuses = device.wait();
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].status = statuses[i];
    items[i].output.resize(outputs[i].size());
    cuda::check(cudaMemcpy(items[i].output.data(), outputs[i].data(), outputs[i].bytes(),
                           cudaMemcpyDeviceToHost),
                "cudaMemcpy");
  }
}

/// The output as it must be: `values` between poison.
Bytes fenced(const Bytes& values, std::size_t size) {
  Bytes all(size, kPoisonOfBatches);
  std::copy(values.begin(), values.end(), all.begin() + kBehind);
  return all;
}

struct Case {
  const Codec* codec;
  ValueType type;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (cuda::decodes_batches(codec.id, type)) cases.push_back({&codec, type});
    }
  }
  return cases;
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  std::string name(info.param.codec->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::string(codecs::name_of(info.param.type));
}

class CudaBatch : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

TEST_P(CudaBatch, DecodesColumnsOfDifferentLengthsWholeAndInRanges) {
  const auto [codec, type] = GetParam();
  const std::uint32_t size = codecs::size_of(type);
  for (const std::uint32_t part_values : {codecs::kPartValues, codecs::kMinPartValues}) {
    std::vector<Item> items;
    std::vector<Bytes> expected;
    const auto add = [&](std::uint32_t count, std::uint32_t first, std::uint32_t some) {
      const Bytes values = some_values(type, count, count + 1);
      Item item;
      item.column = codecs::encode_column(*codec, type, values, {}, part_values);
      item.first = first;
      item.count = some;
      item.room = std::uint64_t{some} * size;
      items.push_back(std::move(item));
      expected.emplace_back(values.begin() + first * size, values.begin() + (first + some) * size);
    };
    for (const std::uint32_t count : {0u, 1u, 5u, 127u, 128u, 513u, 1024u, 5000u, 20'000u}) {
      add(count, 0, count);
    }
    for (const auto& [first, some] : {std::pair{0u, 1u},
                                      {1u, 1u},
                                      {4000u, 200u},
                                      {4095u, 4098u},
                                      {4096u, 904u},
                                      {8200u, 11u},
                                      {4u, 8996u},
                                      {3u, 8990u},
                                      {8999u, 1u},
                                      {9000u, 0u}}) {
      add(9000, first, some);
    }
    decode({codec->id, type, 20'000}, items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string what = std::string(codec->name) + " " + std::to_string(items[i].first) +
                               "+" + std::to_string(items[i].count);
      const bool whole =
          items[i].first == 0 && items[i].count == expected[i].size() / size && i < 9;
      // Only ranges of chunks that are too large for shared memory may be refused.
      if (!whole && !codec->tiles && items[i].status == ColumnStatus::kChunkTooLarge) continue;
      ASSERT_EQ(items[i].status, ColumnStatus::kOk) << what << ": " << text_of(items[i].status);
      EXPECT_EQ(items[i].output, fenced(expected[i], items[i].output.size())) << what;
    }
  }
}

TEST_P(CudaBatch, DamagedColumnsGetAStatusAndTouchNothing) {
  const auto [codec, type] = GetParam();
  constexpr std::uint32_t kCount = 9000;
  std::mt19937 random(7 + static_cast<std::uint32_t>(codec->id));
  const Words good =
      codecs::encode_column(*codec, type, some_values(type, kCount, 3), {}, codecs::kMinPartValues);
  std::vector<Item> items(200);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].column = good;
    items[i].count = kCount;
    items[i].room = std::uint64_t{kCount} * codecs::size_of(type);
    if (i == 0) continue;
    if (i % 8 == 0) {
      items[i].column.resize(random() % good.size());
      continue;
    }
    for (auto left = 1 + random() % 3; left > 0; --left) {
      std::uint32_t& word = items[i].column[random() % good.size()];
      const auto kind = random() % 3;
      word = kind == 0   ? word ^ 1u << random() % 32
             : kind == 1 ? static_cast<std::uint32_t>(random() % 64)
                         : static_cast<std::uint32_t>(random());
    }
  }
  decode({codec->id, type, kCount}, items);
  EXPECT_EQ(items[0].status, ColumnStatus::kOk);
  for (const Item& item : items) {
    std::string refused;
    try {
      codecs::validate_column(item.column);
    } catch (const Error& error) {
      refused = error.what();
    }
    // What the host refuses is refused here. (Deflate looks behind a stream's end on the host
    // alone.)
    if (!refused.empty() && codec->name != "deflate") {
      EXPECT_NE(item.status, ColumnStatus::kOk) << refused;
    }
    if (refused.empty() && item.status != ColumnStatus::kOk) {
      // Right by itself, but not the column that was asked for.
      EXPECT_TRUE(item.status == ColumnStatus::kOtherCodec || item.status == ColumnStatus::kRange)
          << text_of(item.status);
    }
    if (refused.empty() && item.status == ColumnStatus::kOk) {
      Bytes expected(item.room);
      codecs::decode_column(item.column, 0, kCount, expected.data());
      EXPECT_EQ(item.output, fenced(expected, item.output.size()));
    }
    const Bytes before(kBehind, kPoisonOfBatches);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), item.output.begin()));
    EXPECT_TRUE(std::equal(before.begin(), before.end(),
                           item.output.begin() + kBehind + static_cast<long>(item.room)));
    // What is found before anything is decoded.
    const bool early = item.status != ColumnStatus::kOk && item.status != ColumnStatus::kDamaged &&
                       item.status != ColumnStatus::kChunkTooLarge;
    if (early) {
      EXPECT_EQ(item.output, Bytes(item.output.size(), kPoisonOfBatches)) << text_of(item.status);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, CudaBatch, testing::ValuesIn(all_cases()), name_of_case);

// A thousand parts, each of them short: what checks and decodes them takes many at a time.
TEST(CudaBatchStatuses, ColumnsOfManyPartsAreCheckedAndDecodedWhole) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  constexpr std::uint32_t kCount = 1000 * codecs::kMinPartValues + 77;
  const auto type = ValueType::kU32;
  for (const char* const name : {"gpu-for", "rle-v1"}) {
    const Codec& codec = codecs::codec_named(name, type);
    const Bytes values = some_values(type, kCount, 5);
    const Words good = codecs::encode_column(codec, type, values, {}, codecs::kMinPartValues);
    std::vector<Item> items(3);
    for (Item& item : items) {
      item.column = good;
      item.count = kCount;
      item.room = std::uint64_t{kCount} * 4;
    }
    // The header of a part in the middle; a part that lies where the one before it does.
    const auto rows = [](Words& column) {
      return reinterpret_cast<codecs::ColumnPart*>(column.data() +
                                                   sizeof(codecs::ColumnHeader) / 4);
    };
    items[1].column[rows(items[1].column)[777].first_unit * 4] ^= 0x40000000u;
    rows(items[2].column)[901].first_unit = rows(items[2].column)[900].first_unit;
    decode({codec.id, type, kCount}, items);
    ASSERT_EQ(items[0].status, ColumnStatus::kOk) << name;
    EXPECT_EQ(items[0].output, fenced(values, items[0].output.size())) << name;
    EXPECT_EQ(items[1].status, ColumnStatus::kDamaged) << name;
    EXPECT_EQ(items[2].status, ColumnStatus::kDamaged) << name;
  }
}

TEST(CudaPartShares, EveryUnitOfEveryPartHasOneWorker) {
  for (const std::uint32_t workers : {1u, 2u, 7u, 128u, 1000u}) {
    for (const std::uint32_t parts : {1u, 2u, 6u, 127u, 1000u, 1001u}) {
      constexpr std::uint32_t kUnits = 5;
      std::vector<int> seen(std::size_t{parts} * kUnits);
      for (std::uint32_t worker = 0; worker < workers; ++worker) {
        const cuda::PartShare share = cuda::share_of(worker, workers, parts);
        for (auto i = share.first_part; i < parts; i += share.part_step) {
          for (auto unit = share.first_unit; unit < kUnits; unit += share.unit_step) {
            ++seen[i * kUnits + unit];
          }
        }
      }
      EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << workers << " " << parts;
    }
  }
}

TEST(CudaBatchStatuses, SayWhatIsWrong) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const auto type = ValueType::kU32;
  const Codec& codec = codecs::codec_named("gpu-for", type);
  const Words column = codecs::encode_column(codec, type, some_values(type, 1000, 1));
  const auto item = [&](std::uint64_t first, std::uint64_t count, std::uint64_t room) {
    Item made;
    made.column = column;
    made.first = first;
    made.count = count;
    made.room = room;
    return made;
  };
  std::vector<Item> items{item(0, 1000, 4000), item(0, 1000, 3999),
                          item(1, 1000, 4000), item(0, 600, 4000),
                          item(0, 1000, 4000), item(0, 1000, 4000),
                          item(0, 1000, 4000), item(500, cuda::kAllValues, 2000)};
  items[4].column[0] ^= 1;
  items[5].column[1] = 2;
  items[6].column[2] = 5;
  decode({codec.id, type, 1000}, items);
  const ColumnStatus expected[] = {ColumnStatus::kOk,         ColumnStatus::kOutputTooSmall,
                                   ColumnStatus::kRange,      ColumnStatus::kOk,
                                   ColumnStatus::kNotAColumn, ColumnStatus::kVersion,
                                   ColumnStatus::kOtherCodec, ColumnStatus::kOk};
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].status, expected[i]) << i;
  decode({codec.id, type, 999}, items);
  EXPECT_EQ(items[0].status, ColumnStatus::kTooManyValues);
}

TEST(CudaBatchStatuses, MisalignedAddressesAreNotTouched) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const auto type = ValueType::kU32;
  const Codec& codec = codecs::codec_named("gpu-for", type);
  const Words column = codecs::encode_column(codec, type, some_values(type, 100, 1));
  Words shifted(1);
  shifted.insert(shifted.end(), column.begin(), column.end());
  const auto words = cuda::upload(std::span<const std::uint32_t>(column));
  const auto off = cuda::upload(std::span<const std::uint32_t>(shifted));
  cuda::DeviceArray<std::uint32_t> out(104);
  const cuda::OwnedStream stream;
  const std::vector<cuda::BatchItem> items{
      {words.data(), words.bytes(), out.data() + 1, 412, {0, 100}},
      {off.data() + 1, words.bytes(), out.data(), 416, {0, 100}}};
  const cuda::DeviceBatch batch(items, stream);
  batch.decode_async({codec.id, type, 100});
  for (const ColumnStatus status : batch.wait()) EXPECT_EQ(status, ColumnStatus::kMisaligned);
  EXPECT_THROW(batch.wait_and_check(), FormatError);
}

TEST(CudaBatchStatuses, SizesAreReadFromHeaders) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const auto type = ValueType::kI16;
  const Codec& codec = codecs::codec_named("cascaded", type);
  const auto words = cuda::upload(std::span<const std::uint32_t>(
      codecs::encode_column(codec, type, some_values(type, 777, 1))));
  const cuda::OwnedStream stream;
  const std::vector<cuda::BatchItem> items{{words.data(), words.bytes(), nullptr, 0},
                                           {words.data(), 63, nullptr, 0}};
  const cuda::DeviceBatch batch(items, stream);
  cuda::DeviceArray<std::uint64_t> counts(2);
  cuda::get_sizes_async(batch.view(), counts.data(), batch.statuses(), stream);
  EXPECT_EQ(batch.wait(), (std::vector{ColumnStatus::kOk, ColumnStatus::kTruncated}));
  std::uint64_t got[2];
  cuda::check(cudaMemcpy(got, counts.data(), sizeof got, cudaMemcpyDeviceToHost), "cudaMemcpy");
  EXPECT_EQ(got[0], 777u);
  EXPECT_EQ(got[1], 0u);
}

// More columns than are handed over by one launch, each with a length of its own.
TEST(CudaBatch, TakesAnyNumberOfColumns) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const auto type = ValueType::kI32;
  const Codec& codec = codecs::codec_named("gpu-for", type);
  std::vector<Item> items;
  std::vector<Bytes> expected;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Bytes values = some_values(type, 100 + 3 * i, i);
    items.push_back(
        {codecs::encode_column(codec, type, values), 0, cuda::kAllValues, values.size(), {}, {}});
    expected.push_back(values);
  }
  decode({codec.id, type, 1000}, items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    ASSERT_EQ(items[i].status, ColumnStatus::kOk) << i;
    EXPECT_EQ(items[i].output, fenced(expected[i], items[i].output.size())) << i;
  }
}

// What the device encodes is what the host encodes, and goes straight to a batch.
TEST(CudaColumnEncoder, WritesWhatTheHostWrites) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  for (const Codec& codec : codecs::all_codecs()) {
    for (const auto& [type, name] : codecs::kValueTypes) {
      if (!codec.takes(type) || !cuda::encodes_columns_on_device(codec.id, type)) continue;
      const cuda::OwnedStream stream;
      const bool cascaded = codec.name == "cascaded";
      const codecs::CascadedPlan plan{1, 1, 1, 512};
      cuda::DeviceColumnEncoder encoder(codec.id, type, 5000, plan);
      for (const std::uint32_t count : {0u, 1u, 128u, 1000u, 5000u}) {
        const Bytes values = some_values(type, count, count);
        const auto source = cuda::upload(std::span<const std::byte>(values), 16);
        cuda::DeviceArray<std::byte> column(encoder.max_bytes(count));
        cuda::check(cudaMemsetAsync(column.data(), 0xa5, column.bytes(), stream), "memset");
        cuda::PinnedArray<std::uint64_t> bytes(1);
        encoder.encode_async(source.data(), count, column.data(), bytes.data(), stream);
        stream.wait();
        ASSERT_LE(bytes[0], column.bytes());
        Words got(bytes[0] / 4);
        cuda::check(cudaMemcpy(got.data(), column.data(), bytes[0], cudaMemcpyDeviceToHost),
                    "cudaMemcpy");
        const codecs::Parameters parameters =
            cascaded ? codecs::Parameters("rles=1,deltas=1,bitpack=1,chunk=512")
                     : codecs::Parameters();
        EXPECT_EQ(got, codecs::encode_column(codec, type, values, parameters))
            << codec.name << " " << name << " " << count;
      }
    }
  }
}

// An encoder in the order of a stream: its life ends while its work is under way, and the next
// encoder on the stream may get its memory.
TEST(CudaColumnEncoder, EndsBeforeItsWork) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const cuda::OwnedStream stream;
  for (const std::string_view name : {"cascaded", "gpu-for", "gpu-rfor"}) {
    const auto type = ValueType::kU32;
    const Codec& codec = codecs::codec_named(name, type);
    const codecs::CascadedPlan plan{1, 1, 1, 512};
    std::vector<cuda::DeviceArray<std::byte>> sources;
    std::vector<cuda::DeviceArray<std::byte>> columns;
    std::vector<Bytes> values;
    cuda::PinnedArray<std::uint64_t> bytes(8);
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t count = 100'000 + i;
      values.push_back(some_values(type, count, i));
      sources.push_back(cuda::upload(std::span<const std::byte>(values.back()), 16));
      columns.emplace_back(
          cuda::DeviceColumnEncoder(codec.id, type, count, plan, stream).max_bytes(count));
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t count = 100'000 + i;
      cuda::DeviceColumnEncoder encoder(codec.id, type, count, plan, stream);
      encoder.encode_async(sources[i].data(), count, columns[i].data(), bytes.data() + i, stream);
    }
    stream.wait();
    for (std::uint32_t i = 0; i < 8; ++i) {
      Words got(bytes[i] / 4);
      cuda::check(cudaMemcpy(got.data(), columns[i].data(), bytes[i], cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
      const codecs::Parameters parameters = name == "cascaded"
                                                ? codecs::Parameters("rles=1,deltas=1,chunk=512")
                                                : codecs::Parameters();
      EXPECT_EQ(got, codecs::encode_column(codec, type, values[i], parameters)) << name << i;
    }
  }
}

}  // namespace
}  // namespace gannet::test
