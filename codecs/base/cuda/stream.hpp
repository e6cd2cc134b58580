// CUDA streams, named without a CUDA header.
#pragma once

struct CUstream_st;

namespace gannet::codecs::cuda {

/// A cudaStream_t. Null is CUDA's default stream, which orders itself with all other blocking
/// streams of the device: name a stream of your own.
using Stream = CUstream_st*;

}  // namespace gannet::codecs::cuda
