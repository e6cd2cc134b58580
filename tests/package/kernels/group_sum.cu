// A kernel of a user with GroupLoader over two columns in step.
#include <gannet/codecs/device/group_loader.cuh>

namespace codecs = gannet::codecs;
namespace device = gannet::codecs::cuda;

using A = codecs::GpuFor;
using B = codecs::RawTiles;

/// A warp a group.
__global__ void group_sum(device::LoadColumn a, device::LoadColumn b, unsigned long long* sum) {
  extern __shared__ uint4 memory[];
  const device::TileRange range = device::load_range(a.list, blockIdx.x);
  const device::GroupLocation<A> at_a(a.list, blockIdx.x);
  const device::GroupLocation<B> at_b(b.list, blockIdx.x);
  const device::GroupLoader<A, true> group_a(a, range, at_a, memory);
  const device::GroupLoader<B, true> group_b(b, range, at_b,
                                             memory + device::load_units<A>(a.layout));
  device::await_copies();
  unsigned long long total = 0;
  const auto add = [&](std::uint32_t, const codecs::Quad& quad) {
    for (std::uint32_t i = 0; i < 4; ++i) total += quad.value[i];
  };
  group_a.decode(add);
  group_b.decode(add);
  atomicAdd(sum, total);
}

device::LoadColumn column(codecs::ListView on_device, codecs::ListView on_host) {
  return {on_device, device::load_layout<A>(on_host)};
}
