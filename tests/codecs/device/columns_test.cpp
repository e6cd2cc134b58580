// Columns of every type, decoded on the device, are what was encoded: for every codec of the lists,
// and nothing behind the last value is touched.
#include "codecs/device/columns.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/tile_codecs.hpp"
#include "tests/support/codecs/uneven_values.hpp"

namespace gannet::codecs {
namespace {

constexpr unsigned char kPoisonByte = 0xa5;
constexpr std::size_t kBehind = 256;  // poisoned bytes behind the output

/// Encodes with a chunk codec as T, with a tile codec as 32-bit values, widened with their sign.
template <class C, class T>
std::vector<std::uint32_t> encode(const std::vector<T>& values) {
  std::vector<std::uint32_t> words;
  if constexpr (requires { C::block; }) {
    std::vector<std::uint32_t> wide(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) wide[i] = static_cast<std::uint32_t>(values[i]);
    C::encode(wide, words);
    C::validate(words, static_cast<std::uint32_t>(values.size()));
  } else {
    C::template encode<T>(values, Parameters{}, words);
    C::template validate<T>(words, static_cast<std::uint32_t>(values.size()));
  }
  return words;
}

template <class C, class T>
constexpr bool takes() {
  if constexpr (requires { C::block; }) {
    return sizeof(T) <= 4;
  } else {
    return C::template takes<T>;
  }
}

template <class C, class T>
void expect_decodes(const std::vector<T>& values, const char* what) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const cuda::DeviceColumn column(C::id, value_type_of<T>(), encode<C>(values), count);
  const std::size_t bytes = count * sizeof(T);
  cuda::DeviceArray<unsigned char> out(bytes + kBehind);
  cuda::check(cudaMemset(out.data(), kPoisonByte, out.bytes()), "cudaMemset");
  column.decode_async(out.data(), nullptr);
  std::vector<unsigned char> got(out.size());
  cuda::check(cudaMemcpy(got.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
  std::vector<unsigned char> expected(bytes + kBehind, kPoisonByte);
  if (bytes > 0) std::memcpy(expected.data(), values.data(), bytes);
  const auto differ = std::mismatch(expected.begin(), expected.end(), got.begin());
  EXPECT_EQ(differ.first, expected.end())
      << C::name << " as " << name_of(value_type_of<T>()) << ", " << count << " values, " << what
      << ": value " << static_cast<std::size_t>(differ.first - expected.begin()) / sizeof(T);
}

template <class T>
std::vector<T> random_values(std::uint32_t count, std::uint32_t bits) {
  std::mt19937_64 random(count * 131u + bits);
  std::vector<T> values(count);
  for (auto& value : values) {
    const auto drawn = bits == 0 ? 0 : random() >> (64 - bits);
    // Around zero for signed types.
    value =
        static_cast<T>(std::is_signed_v<T> ? drawn - (bits == 0 ? 0 : 1ull << (bits - 1)) : drawn);
  }
  return values;
}

template <class T>
std::vector<T> runs(std::uint32_t count, std::uint32_t longest) {
  std::mt19937_64 random(count + longest);
  std::vector<T> values(count);
  for (std::uint32_t i = 0; i < count;) {
    const auto value = static_cast<T>(random());
    for (auto left = 1 + random() % longest; left > 0 && i < count; --left) values[i++] = value;
  }
  return values;
}

template <class T>
std::vector<T> ascending(std::uint32_t count) {
  std::vector<T> values(count);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<T>(i * 3u + i / 7u);
  return values;
}

template <class C, class T>
void expect_type_decodes() {
  if constexpr (takes<C, T>()) {
    for (const std::uint32_t count : {0u, 1u, 2u, 3u, 5u, 127u, 128u, 129u, 511u, 512u, 513u, 1023u,
                                      1024u, 1025u, 4095u, 4096u, 4097u, 9000u}) {
      expect_decodes<C>(random_values<T>(count, 8 * sizeof(T)), "any values");
      expect_decodes<C>(ascending<T>(count), "ascending");
    }
    for (std::uint32_t bits = 0; bits <= 8 * sizeof(T); bits += 1 + bits / 12) {
      expect_decodes<C>(random_values<T>(3000, bits), "bits");
    }
    for (const std::uint32_t longest : {2u, 40u, 3000u}) {
      expect_decodes<C>(runs<T>(20000, longest), "runs");
    }
    expect_decodes<C>(random_values<T>(300000, 7), "long");
    expect_decodes<C>(test::uneven_values<T>(300000), "uneven");
  }
}

template <class C>
class CudaColumns : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

template <class>
struct TypesOf;
template <class... C>
struct TypesOf<std::tuple<C...>> {
  using type = testing::Types<C...>;
};
using DeviceCodecs =
    decltype(std::tuple_cat(std::declval<TileCodecs>(), std::declval<ChunkCodecs>()));

struct Names {
  template <class C>
  static std::string GetName(int number) {
    std::string name(C::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name + "_" + std::to_string(number);
  }
};
TYPED_TEST_SUITE(CudaColumns, TypesOf<DeviceCodecs>::type, Names);

TYPED_TEST(CudaColumns, Narrow) {
  expect_type_decodes<TypeParam, std::int8_t>();
  expect_type_decodes<TypeParam, std::uint8_t>();
  expect_type_decodes<TypeParam, std::int16_t>();
  expect_type_decodes<TypeParam, std::uint16_t>();
}

TYPED_TEST(CudaColumns, Words) {
  expect_type_decodes<TypeParam, std::int32_t>();
  expect_type_decodes<TypeParam, std::uint32_t>();
}

TYPED_TEST(CudaColumns, DoubleWords) {
  expect_type_decodes<TypeParam, std::int64_t>();
  expect_type_decodes<TypeParam, std::uint64_t>();
}

TYPED_TEST(CudaColumns, SaysWhatItDecodes) {
  const auto expect = [](ValueType type, bool taken) {
    EXPECT_EQ(cuda::decodes_on_device(TypeParam::id, type), taken) << name_of(type);
    if (!taken) {
      const std::vector<std::uint32_t> words(64);
      EXPECT_THROW(cuda::plan_of(TypeParam::id, type, words, 1), UsageError);
    }
  };
  expect(ValueType::kI8, takes<TypeParam, std::int8_t>());
  expect(ValueType::kU16, takes<TypeParam, std::uint16_t>());
  expect(ValueType::kI32, takes<TypeParam, std::int32_t>());
  expect(ValueType::kU64, takes<TypeParam, std::uint64_t>());
}

}  // namespace
}  // namespace gannet::codecs
