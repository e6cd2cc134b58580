// The launch that marks documents of posting lists.
#include "codecs/base/cuda/launch.hpp"
#include "query/gpu/device/kernels/columns/mark_list.cuh"

namespace gannet::query::cuda {
namespace {

template <class Codecs>
void mark_list(const MarkedList& list, std::uint64_t* words, CUstream_st* stream) {
  const std::uint32_t blocks = codecs::ceil_div(codecs::tile_count(list.list.count), kColumnWarps);
  codecs::cuda::launch_kernel({"mark_list_kernel", blocks, kColumnThreads, 0, stream},
                              mark_list_kernel<Codecs>, list,
                              reinterpret_cast<unsigned long long*>(words));
}

}  // namespace

void launch_mark_list(const MarkedList& list, std::uint64_t* words, CUstream_st* stream) {
  if (codecs::has_codec<codecs::PostingCodecs>(list.codec)) {
    return mark_list<codecs::PostingCodecs>(list, words, stream);
  }
  mark_list<codecs::TileCodecs>(list, words, stream);
}

}  // namespace gannet::query::cuda
