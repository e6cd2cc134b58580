#include "gannet/codecs/all.hpp"
#include "gannet/codecs/docids.hpp"
namespace gannet::codecs {
template <class C> __global__ void k(ListView v, uint32_t* out, uint32_t p){
  WarpLanes l; auto c = DocidTiles<C>::seek(l, v, blockIdx.x, p); WarpLanes::Var<Quad> q; DocidTiles<C>::next(l, v, blockIdx.x, c, q);
  reinterpret_cast<uint4*>(out)[blockIdx.x*32+threadIdx.x] = *reinterpret_cast<uint4*>(&q.value); }
template __global__ void k<GpuBp<128>>(ListView, uint32_t*, uint32_t);
template __global__ void k<GpuVbyte<1024>>(ListView, uint32_t*, uint32_t);
template __global__ void k<GpuDfor>(ListView, uint32_t*, uint32_t);
template __global__ void k<None>(ListView, uint32_t*, uint32_t);
}
