// A kernel of a user with TileLoader, whose codec is known, and AnyTileLoader, whose is not.
#include <gannet/codecs/device/tile_loader.cuh>

namespace codecs = gannet::codecs;
namespace device = gannet::codecs::cuda;

using Loader = device::TileLoader<codecs::GpuFor>;

__global__ void tile_sum(codecs::ListView a, device::TileLoaderPlan plan_a, codecs::ListView b,
                         device::AnyTileLoaderPlan plan_b, unsigned long long* sum) {
  extern __shared__ uint4 memory[];
  Loader known(a, plan_a, memory, 0);
  device::AnyTileLoader any(b, plan_b, memory + Loader::shared_units(plan_a));
  unsigned long long total = 0;
  for (std::uint32_t tile = 0; tile < codecs::tile_count(a.count); ++tile) {
    codecs::Quad x, y;
    known.load(tile, x);
    any.load(tile, y);
    for (std::uint32_t i = 0; i < 4; ++i) total += x.value[i] + y.value[i];
  }
  atomicAdd(sum, total);
}

std::size_t shared_bytes(std::uint32_t words_a, codecs::CodecId codec, std::uint32_t words_b) {
  return Loader::shared_bytes(Loader::plan(words_a, device::Stage::kOne)) +
         device::AnyTileLoader::plan(codec, words_b).shared_bytes();
}
