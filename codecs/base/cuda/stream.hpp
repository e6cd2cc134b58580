// The type of CUDA streams, without a CUDA header.
#pragma once

struct CUstream_st;

namespace gannet::codecs::cuda {

/// A cudaStream_t. Null is CUDA's default stream, whose work is serialised with that of all
/// blocking streams of the device: use a stream of your own for concurrency.
using Stream = CUstream_st*;

}  // namespace gannet::codecs::cuda
