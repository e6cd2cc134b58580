// Inline decompression: kernels that load tiles, whichever the codec, and scans of columns, give
// what the values give.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/scan.hpp"
#include "codecs/device/tile_loader.cuh"
#include "codecs/tile_codecs.hpp"
#include "tests/support/codecs/uneven_values.hpp"

namespace gannet::codecs::cuda {
namespace {

using Values = std::vector<std::uint32_t>;
constexpr std::uint32_t kWarps = 2;

/// Sums a[i] * b[i] over two columns; `Loader` is the only thing that knows how they are coded.
template <class LoaderA, class LoaderB>
__device__ std::uint64_t dot(LoaderA& a, LoaderB& b, std::uint32_t count, std::uint32_t first,
                             std::uint32_t stride) {
  std::uint64_t sum = 0;
  for (std::uint32_t group = first; group * kGroupTiles < tile_count(count); group += stride) {
    for (std::uint32_t t = 0; t < kGroupTiles; ++t) {
      const std::uint32_t tile = group * kGroupTiles + t;
      if (tile >= tile_count(count)) break;
      Quad x;
      Quad y;
      a.load(tile, x);
      b.load(tile, y);
      for (std::uint32_t i = 0; i < 4; ++i) sum += std::uint64_t{x.value[i]} * y.value[i];
    }
  }
  return sum;
}

/// Two columns' loaders side by side, in dynamic shared memory.
template <class Codec>
__global__ void dot_kernel(ListView a, TileLoaderPlan plan_a, ListView b, TileLoaderPlan plan_b,
                           unsigned long long* result) {
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t stride = gridDim.x * kWarps;
  uint4* const shared_a = memory + warp * TileLoader<Codec>::shared_units(plan_a);
  uint4* const shared_b = memory + kWarps * TileLoader<Codec>::shared_units(plan_a) +
                          warp * TileLoader<RawTiles>::shared_units(plan_b);
  TileLoader<Codec> column(a, plan_a, shared_a, stride);
  TileLoader<RawTiles> plain(b, plan_b, shared_b, stride);
  const std::uint64_t sum = dot(column, plain, a.count, blockIdx.x * kWarps + warp, stride);
  atomicAdd(result, static_cast<unsigned long long>(sum));
}

__global__ void any_dot_kernel(ListView a, AnyTileLoaderPlan plan_a, ListView b,
                               TileLoaderPlan plan_b, unsigned long long* result) {
  extern __shared__ uint4 memory[];
  AnyTileLoader column(a, plan_a, memory);
  TileLoader<RawTiles> plain(b, plan_b, memory + plan_a.units, gridDim.x);
  const std::uint64_t sum = dot(column, plain, a.count, blockIdx.x, gridDim.x);
  atomicAdd(result, static_cast<unsigned long long>(sum));
}

/// Every way of loading, in every order: writes what it loads.
template <class Codec>
__global__ void load_kernel(ListView column, TileLoaderPlan plan, int way, std::uint32_t* out) {
  extern __shared__ uint4 memory[];
  TileLoader<Codec> loader(column, plan, memory, way == 0 ? 1 : way == 1 ? 3 : 0);
  const std::uint32_t tiles = tile_count(column.count);
  const auto put = [&](std::uint32_t tile, const Quad& quad) {
    for (std::uint32_t i = 0; i < 4; ++i)
      out[tile * kTile + 4 * WarpLanes::id() + i] = quad.value[i];
  };
  if (way < 2) {
    for (std::uint32_t t = 0; t < tiles; t += kWideTiles) {
      WideQuads quads;
      loader.load(t, quads);
      for (std::uint32_t i = 0; i < kWideTiles && t + i < tiles; ++i) put(t + i, quads.tile[i]);
    }
  } else {
    for (std::uint32_t t = tiles; t-- > 0;) {
      Quad quad;
      loader.load(t, quad);
      put(t, quad);
    }
  }
}

/// Loaders that follow one another in the same shared memory, each with a group on its way when it
/// ends.
template <class Codec>
__global__ void again_kernel(ListView column, TileLoaderPlan plan, std::uint32_t* out) {
  extern __shared__ uint4 memory[];
  for (std::uint32_t t = 0; t < tile_count(column.count); ++t) {
    TileLoader<Codec> loader(column, plan, memory, 1);
    Quad quad;
    loader.load(t, quad);
    for (std::uint32_t i = 0; i < 4; ++i) out[t * kTile + 4 * WarpLanes::id() + i] = quad.value[i];
  }
}

template <class Codec>
__global__ void add_kernel(ListView column, TileLoaderPlan plan, bool is_signed,
                           unsigned long long* result) {
  extern __shared__ uint4 memory[];
  TileLoader<Codec> loader(column, plan, memory, 1);
  std::uint64_t sum = 0;
  for (std::uint32_t t = 0; t < tile_count(column.count); t += kGroupTiles) {
    loader.add(t, is_signed, sum);
  }
  atomicAdd(result, static_cast<unsigned long long>(sum));
}

Values random_values(std::uint32_t count, std::uint32_t bits, std::uint32_t seed) {
  std::mt19937 random(seed);
  Values values(count);
  for (auto& value : values) value = static_cast<std::uint32_t>(random()) & low_mask(bits);
  return values;
}

Values mixed_values(std::uint32_t count) {
  std::mt19937 random(count);
  Values values(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::uint32_t>(random()) & low_mask(1 + i / 97 % 32);
  }
  return values;
}

/// A column in device memory.
template <class Codec>
struct Uploaded {
  DeviceArray<std::uint32_t> words;
  ListView view;
  std::uint32_t tile_words;
  explicit Uploaded(const Values& values) {
    Values encoded;
    Codec::encode(values, encoded);
    words = upload(std::span<const std::uint32_t>(encoded), 4);
    view = {words.data(), static_cast<std::uint32_t>(values.size())};
    const std::uint32_t tiles = std::max(tile_count(view.count), 1u);
    tile_words = ceil_div(static_cast<std::uint32_t>(encoded.size()), tiles);
  }

  /// Every plan that a loader can have, one too small for most groups among them.
  std::vector<TileLoaderPlan> plans() const {
    using Loader = TileLoader<Codec>;
    return {Loader::plan(tile_words, Stage::kAhead), Loader::plan(tile_words, Stage::kOne),
            Loader::largest_plan(Stage::kAhead), Loader::plan(1, Stage::kAhead)};
  }
};

/// Launches `kernel` with so many bytes of dynamic shared memory, and waits for it.
template <class... Parameter, class... Argument>
void run(void (*kernel)(Parameter...), std::uint32_t blocks, std::uint32_t threads,
         std::size_t shared, Argument... arguments) {
  const OwnedStream stream;
  allow_shared(kernel, shared);
  launch_kernel({"a test's kernel", blocks, threads, shared, stream}, kernel, arguments...);
  stream.wait();
}

/// Device memory that was written before: what a kernel leaves out is seen.
DeviceArray<std::uint32_t> poisoned(std::size_t size) {
  DeviceArray<std::uint32_t> array(size);
  check(cudaMemset(array.data(), 0xa5, array.bytes()), "cudaMemset");
  finish_copies();
  return array;
}

DeviceArray<unsigned long long> zero() {
  DeviceArray<unsigned long long> number(1);
  check(cudaMemset(number.data(), 0, number.bytes()), "cudaMemset");
  finish_copies();
  return number;
}

Values fetch_all(const DeviceArray<std::uint32_t>& array) {
  Values values(array.size());
  check(cudaMemcpy(values.data(), array.data(), array.bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  return values;
}

template <class T>
T fetch(const DeviceArray<T>& array) {
  T value;
  check(cudaMemcpy(&value, array.data(), sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return value;
}

std::uint64_t sum_of(const Values& values, bool is_signed) {
  std::uint64_t sum = 0;
  for (const std::uint32_t value : values) {
    sum += is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(value)) : value;
  }
  return sum;
}

template <class Codec>
class CudaInline : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

template <class>
struct TypesOf;
template <class... C>
struct TypesOf<std::tuple<C...>> {
  using type = testing::Types<C...>;
};
struct Names {
  template <class C>
  static std::string GetName(int) {
    std::string name(C::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};
TYPED_TEST_SUITE(CudaInline, TypesOf<TileCodecs>::type, Names);

TYPED_TEST(CudaInline, TwoColumnsOneLineApart) {
  for (const std::uint32_t count : {1u, 127u, 1024u, 1025u, 50'000u}) {
    const Values a = random_values(count, 13, count);
    const Values b = random_values(count, 20, count + 1);
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < count; ++i) expected += std::uint64_t{a[i]} * b[i];
    const Uploaded<TypeParam> column(a);
    const Uploaded<RawTiles> plain(b);
    const TileLoaderPlan plan_b = TileLoader<RawTiles>::plan(plain.tile_words, Stage::kAhead);
    const std::size_t shared_b = TileLoader<RawTiles>::shared_bytes(plan_b);
    for (const TileLoaderPlan& plan : column.plans()) {
      auto result = zero();
      run(dot_kernel<TypeParam>, 3, kWarps * kLanes,
          kWarps * (TileLoader<TypeParam>::shared_bytes(plan) + shared_b), column.view, plan,
          plain.view, plan_b, result.data());
      EXPECT_EQ(fetch(result), expected) << count;
    }
    const std::uint32_t averages[] = {column.tile_words, 1};
    for (const std::uint32_t words : averages) {
      auto result = zero();
      const AnyTileLoaderPlan plan = AnyTileLoader::plan(TypeParam::id, words);
      run(any_dot_kernel, 3, kLanes, plan.shared_bytes() + shared_b, column.view, plan, plain.view,
          plan_b, result.data());
      EXPECT_EQ(fetch(result), expected) << count << ", codec at run time";
    }
  }
}

TYPED_TEST(CudaInline, LoadsInAnyOrder) {
  for (const std::uint32_t count : {1u, 129u, 640u, 1024u, 5000u, 20'480u}) {
    const Values values = mixed_values(count);
    const Uploaded<TypeParam> column(values);
    for (int way = 0; way < 3; ++way) {
      for (const TileLoaderPlan& plan : column.plans()) {
        auto out = poisoned(tile_count(count) * kTile);
        run(load_kernel<TypeParam>, 1, kLanes, TileLoader<TypeParam>::shared_bytes(plan),
            column.view, plan, way, out.data());
        Values expected = values;
        expected.resize(out.size());  // zeros beyond the end
        EXPECT_EQ(fetch_all(out), expected) << count << " values, way " << way;
      }
    }
  }
}

TYPED_TEST(CudaInline, LoadersFollowOneAnotherInTheSameMemory) {
  const Values values = mixed_values(5000);
  const Uploaded<TypeParam> column(values);
  for (const TileLoaderPlan& plan : column.plans()) {
    auto out = poisoned(tile_count(5000) * kTile);
    run(again_kernel<TypeParam>, 1, kLanes, TileLoader<TypeParam>::shared_bytes(plan), column.view,
        plan, out.data());
    Values expected = values;
    expected.resize(out.size());
    EXPECT_EQ(fetch_all(out), expected);
  }
}

TYPED_TEST(CudaInline, AddsInAnyOrder) {
  for (const std::uint32_t bits : {0u, 1u, 2u, 3u, 5u, 8u, 13u, 16u, 27u, 32u}) {
    const Values values = random_values(9'000, bits, bits);
    const Uploaded<TypeParam> column(values);
    for (const bool is_signed : {false, true}) {
      for (const TileLoaderPlan& plan : column.plans()) {
        auto result = zero();
        run(add_kernel<TypeParam>, 1, kLanes, TileLoader<TypeParam>::shared_bytes(plan),
            column.view, plan, is_signed, result.data());
        EXPECT_EQ(fetch(result), sum_of(values, is_signed)) << bits;
      }
    }
  }
}

// Rooms follow the column: four 8-bit columns of a warp take a few kilobytes.
TYPED_TEST(CudaInline, RoomsAreAsLargeAsTheColumn) {
  const auto narrow = TileLoader<TypeParam>::plan(34, Stage::kOne);
  const auto largest = TileLoader<TypeParam>::largest_plan(Stage::kOne);
  EXPECT_LE(TileLoader<TypeParam>::shared_bytes(narrow), 6u << 10);
  EXPECT_LE(TileLoader<TypeParam>::shared_bytes(narrow),
            TileLoader<TypeParam>::shared_bytes(largest));
}

/// The host's answer to a scan of values of type T.
template <class T>
ScanResult scanned(const std::vector<T>& values, T low, T high) {
  ScanResult result;
  for (const T value : values) {
    if (value < low || value > high) continue;
    ++result.count;
    result.sum += static_cast<std::uint64_t>(value);
  }
  return result;
}

template <class C, class T>
std::vector<std::uint32_t> encode(const std::vector<T>& values) {
  std::vector<std::uint32_t> words;
  if constexpr (requires { C::block; }) {
    Values wide(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) wide[i] = static_cast<std::uint32_t>(values[i]);
    C::encode(wide, words);
  } else {
    C::template encode<T>(values, Parameters{}, words);
  }
  return words;
}

/// Values of so many bits, around zero for signed types.
template <class T>
std::vector<T> values_of_bits(std::uint32_t count, std::uint32_t bits) {
  std::mt19937_64 random(count + bits);
  std::vector<T> values(count);
  for (auto& value : values) {
    const std::uint64_t drawn = random() >> (64 - bits);
    value = static_cast<T>(std::is_signed_v<T> ? drawn - (1ull << (bits - 1)) : drawn);
  }
  return values;
}

template <class C, class T>
void expect_scans(const ColumnScanner& scanner, const std::vector<T>& values,
                  const std::string& what) {
  const auto count = static_cast<std::uint32_t>(values.size());
  const DeviceColumn column(C::id, value_type_of<T>(), encode<C>(values), count);
  if (!scans_inline(column.plan())) {
    EXPECT_THROW(scanner.sum(column), UsageError);
    return;
  }
  using Limits = std::numeric_limits<T>;
  EXPECT_EQ(scanner.sum(column), scanned(values, Limits::min(), Limits::max()))
      << C::name << " " << name_of(value_type_of<T>()) << " " << count << " " << what;
  const T middle = values.empty() ? T{0} : values[count / 2];
  for (const auto& [low, high] : {std::pair<T, T>{Limits::min(), middle},
                                  {middle, Limits::max()},
                                  {middle, middle},
                                  {Limits::max(), Limits::min()},
                                  {static_cast<T>(middle / 2), middle}}) {
    EXPECT_EQ(scanner.range(column, ScanRange::of(low, high)), scanned(values, low, high))
        << C::name << " " << name_of(value_type_of<T>()) << " " << count << " [" << +low << ", "
        << +high << "]";
  }
}

template <class C, class T>
void expect_type_scans(const ColumnScanner& scanner) {
  if constexpr (requires { C::block; }) {
    if constexpr (sizeof(T) > 4) return;
  }
  if (!decodes_on_device(C::id, value_type_of<T>())) return;
  if constexpr (sizeof(T) <= 4 || !requires { C::block; }) {
    for (const std::uint32_t count : {0u, 1u, 127u, 1023u, 3072u, 3073u, 200'000u}) {
      for (const std::uint32_t bits : {1u, 4u, 7u, 8u, 17u, 31u, 32u, 64u}) {
        if (bits > 8 * sizeof(T)) continue;
        expect_scans<C>(scanner, values_of_bits<T>(count, bits), std::to_string(bits) + " bits");
      }
    }
    expect_scans<C>(scanner, test::uneven_values<T>(300'000), "uneven");
  }
}

template <class Codec>
class CudaScan : public CudaInline<Codec> {};
using DeviceCodecs =
    decltype(std::tuple_cat(std::declval<TileCodecs>(), std::declval<ChunkCodecs>()));
struct NumberedNames {
  template <class C>
  static std::string GetName(int number) {
    return Names::GetName<C>(number) + "_" + std::to_string(number);
  }
};
TYPED_TEST_SUITE(CudaScan, TypesOf<DeviceCodecs>::type, NumberedNames);

template <class C, class T>
constexpr bool takes() {
  if constexpr (requires { C::block; }) {
    return sizeof(T) <= 4;
  } else {
    return C::template takes<T>;
  }
}

TYPED_TEST(CudaScan, SumsAndRanges) {
  const ColumnScanner scanner;
  if constexpr (takes<TypeParam, std::uint32_t>()) {
    expect_type_scans<TypeParam, std::uint32_t>(scanner);
    expect_type_scans<TypeParam, std::int32_t>(scanner);
  }
  if constexpr (takes<TypeParam, std::int8_t>()) expect_type_scans<TypeParam, std::int8_t>(scanner);
  if constexpr (takes<TypeParam, std::uint16_t>()) {
    expect_type_scans<TypeParam, std::uint16_t>(scanner);
  }
  if constexpr (takes<TypeParam, std::int64_t>()) {
    expect_type_scans<TypeParam, std::int64_t>(scanner);
    expect_type_scans<TypeParam, std::uint64_t>(scanner);
  }
}

}  // namespace
}  // namespace gannet::codecs::cuda
