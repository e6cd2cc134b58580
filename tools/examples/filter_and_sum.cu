// A kernel of one's own over two compressed columns: sum(price) where quantity < 25. Values are
// decoded in registers, where they are used; nothing is written but the sum. Without a GPU it says
// so.
#include <cuda_runtime.h>
#include <gannet/codecs/base/cuda/device.hpp>
#include <gannet/codecs/base/cuda/launch.hpp>
#include <gannet/codecs/base/cuda/memory.hpp>
#include <gannet/codecs/device/columns.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <gannet/codecs/device/tile_loader.cuh>
#include <vector>

namespace codecs = gannet::codecs;
namespace device = gannet::codecs::cuda;

namespace {

// All that the kernel knows of compression: the columns' codecs.
using QuantityCodec = codecs::GpuBp<128>;
using PriceCodec = codecs::GpuFor;
using Quantity = device::TileLoader<QuantityCodec>;
using Price = device::TileLoader<PriceCodec>;

constexpr std::uint32_t kWarps = 4;
constexpr std::uint32_t kFewer = 25;

/// A column as the kernel is given it.
struct Input {
  codecs::ListView list;
  device::TileLoaderPlan plan;
};

/// One warp per group of 1,024 rows, and every `stride`-th one behind it. Quads beyond the end of a
/// column are 0: they add nothing.
__global__ void __launch_bounds__(kWarps* codecs::kLanes)
    filter_and_sum(Input quantities, Input prices, unsigned long long* sum) {
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / codecs::kLanes;
  const std::uint32_t stride = gridDim.x * kWarps;
  const std::uint32_t mine =
      Quantity::shared_units(quantities.plan) + Price::shared_units(prices.plan);
  uint4* const own = memory + warp * mine;
  Quantity quantity(quantities.list, quantities.plan, own, stride);
  Price price(prices.list, prices.plan, own + Quantity::shared_units(quantities.plan), stride);

  const std::uint32_t groups =
      codecs::ceil_div(codecs::tile_count(quantities.list.count), codecs::kGroupTiles);
  unsigned long long total = 0;
  for (std::uint32_t group = blockIdx.x * kWarps + warp; group < groups; group += stride) {
    const std::uint32_t first = group * codecs::kGroupTiles;
    for (std::uint32_t tile = first; tile < first + codecs::kGroupTiles;
         tile += codecs::kWideTiles) {
      codecs::WideQuads q, p;
      quantity.load(tile, q);
      price.load(tile, p);
      for (std::uint32_t t = 0; t < codecs::kWideTiles; ++t) {
        for (std::uint32_t i = 0; i < 4; ++i) {
          if (q.tile[t].value[i] < kFewer) total += p.tile[t].value[i];
        }
      }
    }
  }
  atomicAdd(sum, total);
}

template <class Codec>
device::DeviceColumn upload(const std::vector<std::uint32_t>& values) {
  std::vector<std::uint32_t> words;
  Codec::encode(values, words);
  return {Codec::id, codecs::ValueType::kU32, words, static_cast<std::uint32_t>(values.size())};
}

template <class Loader>
Input input_of(const device::DeviceColumn& column) {
  return {{column.words(), column.plan().count},
          Loader::plan(column.plan().tile_words, device::Stage::kAhead)};
}

void run() {
  std::vector<std::uint32_t> quantities(5'000'000);
  std::vector<std::uint32_t> prices(quantities.size());
  unsigned long long expected = 0;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    quantities[i] = static_cast<std::uint32_t>(1 + i * 7919 % 50);
    prices[i] = static_cast<std::uint32_t>(90'000 + i * 104'729 % 100'000);
    if (quantities[i] < kFewer) expected += prices[i];
  }
  const device::DeviceColumn quantity = upload<QuantityCodec>(quantities);
  const device::DeviceColumn price = upload<PriceCodec>(prices);
  const Input q = input_of<Quantity>(quantity);
  const Input p = input_of<Price>(price);
  const std::size_t shared =
      kWarps * (Quantity::shared_bytes(q.plan) + Price::shared_bytes(p.plan));

  const device::OwnedStream stream;
  device::PinnedArray<unsigned long long> sum(1);
  sum[0] = 0;
  device::launch_kernel({"filter_and_sum", 1024, kWarps * codecs::kLanes, shared, stream},
                        filter_and_sum, q, p, sum.data());
  stream.wait();
  if (sum[0] != expected) throw gannet::FormatError("the sum is not that of the values");
  std::printf("sum %llu of %zu rows, from %zu + %zu compressed bytes\n", sum[0], prices.size(),
              static_cast<std::size_t>(quantity.bytes()), static_cast<std::size_t>(price.bytes()));
}

}  // namespace

int main() try {
  std::string why;
  if (!device::available(&why)) return std::printf("no GPU: %s\n", why.c_str()) > 0 ? 0 : 1;
  run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "filter_and_sum: %s\n", error.what());
  return 1;
}
