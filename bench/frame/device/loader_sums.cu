#include <cuda_runtime.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bench/frame/loader_sums.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/codec_set.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/tile_loader.cuh"

namespace gannet::bench {
namespace {

namespace cuda = codecs::cuda;
using codecs::kGroupTiles;
using codecs::kLanes;
using codecs::kWideTiles;
using codecs::ListView;
using codecs::WideQuads;

using Codecs =
    std::tuple<codecs::RawTiles, codecs::Nsf, codecs::Nsv, codecs::GpuFor, codecs::GpuRfor>;

constexpr std::uint32_t kWarps = 4;

template <std::size_t n>
struct Columns {
  ListView list[n];
  cuda::TileLoaderPlan plan;
};

/// A warp's share: groups `first`, first + stride, ...
template <class Codec, std::size_t... i>
__device__ unsigned long long sum_groups(const Columns<sizeof...(i)>& columns, uint4* memory,
                                         std::uint32_t first, std::uint32_t stride,
                                         std::index_sequence<i...>) {
  using Loader = cuda::TileLoader<Codec>;
  const std::uint32_t units = Loader::shared_units(columns.plan);
  Loader loader[] = {{columns.list[i], columns.plan, memory + i * units, stride}...};
  const std::uint32_t groups =
      codecs::ceil_div(codecs::tile_count(columns.list[0].count), kGroupTiles);
  unsigned long long total = 0;
  for (std::uint32_t group = first; group < groups; group += stride) {
    for (std::uint32_t tile = group * kGroupTiles; tile < (group + 1) * kGroupTiles;
         tile += kWideTiles) {
      WideQuads quads[sizeof...(i)];
      (loader[i].load(tile, quads[i]), ...);
#pragma unroll
      for (std::uint32_t t = 0; t < kWideTiles; ++t) {
#pragma unroll
        for (std::uint32_t k = 0; k < 4; ++k) {
          total += (0ull + ... + quads[i].tile[t].value[k]);
        }
      }
    }
  }
  return total;
}

template <class Codec, std::size_t n>
__global__ void __launch_bounds__(kWarps* kLanes)
    loader_sum_kernel(const __grid_constant__ Columns<n> columns, unsigned long long* sum) {
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  uint4* const own = memory + warp * n * cuda::TileLoader<Codec>::shared_units(columns.plan);
  unsigned long long total = sum_groups<Codec>(columns, own, blockIdx.x * kWarps + warp,
                                               gridDim.x * kWarps, std::make_index_sequence<n>());
#pragma unroll
  for (unsigned step = kLanes / 2; step > 0; step /= 2) {
    total += __shfl_xor_sync(codecs::WarpLanes::kAll, total, step);
  }
  if (codecs::WarpLanes::id() == 0) atomicAdd(sum, total);
}

template <class Codec, std::size_t n>
void launch(std::span<const cuda::DeviceColumn> columns, unsigned long long* sum,
            cudaStream_t stream) {
  using Loader = cuda::TileLoader<Codec>;
  Columns<n> given{};
  std::uint32_t tile_words = 0;
  for (std::size_t i = 0; i < n; ++i) {
    given.list[i] = {columns[i].words(), columns[i].plan().count};
    tile_words = std::max(tile_words, columns[i].plan().tile_words);
  }
  given.plan = Loader::plan(tile_words, cuda::Stage::kAhead);
  const auto kernel = loader_sum_kernel<Codec, n>;
  const std::size_t shared = kWarps * n * Loader::shared_bytes(given.plan);
  const std::uint32_t groups =
      codecs::ceil_div(codecs::tile_count(given.list[0].count), kGroupTiles);
  const std::uint32_t blocks =
      cuda::persistent_blocks(kernel, kWarps * kLanes, shared, codecs::ceil_div(groups, kWarps));
  cuda::check(cudaMemsetAsync(sum, 0, sizeof *sum, stream), "cudaMemsetAsync");
  cuda::launch_kernel({"loader_sum_kernel", blocks, kWarps * kLanes, shared, stream}, kernel, given,
                      sum);
}

}  // namespace

bool sums_with_loader(codecs::CodecId codec) { return codecs::has_codec<Codecs>(codec); }

void sum_with_loader_async(std::span<const cuda::DeviceColumn> columns, unsigned long long* sum,
                           cuda::Stream stream) {
  const bool alike = std::all_of(columns.begin(), columns.end(), [&](const auto& column) {
    return column.plan().codec == columns[0].plan().codec &&
           column.plan().count == columns[0].plan().count &&
           codecs::size_of(column.plan().type) == 4;
  });
  if ((columns.size() != 1 && columns.size() != 4) || !alike ||
      !sums_with_loader(columns[0].plan().codec)) {
    throw UsageError("one or four columns of one codec and length are summed up together");
  }
  codecs::with_codec<Codecs>(columns[0].plan().codec, [&]<class Codec>() {
    columns.size() == 1 ? launch<Codec, 1>(columns, sum, stream)
                        : launch<Codec, 4>(columns, sum, stream);
  });
}

}  // namespace gannet::bench
