#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>

#include "bench/frame/verify.hpp"
#include "codecs/base/cuda/memory.hpp"

namespace gannet::bench {
namespace {

using codecs::cuda::check;

__global__ void differ_kernel(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t bytes,
                              unsigned long long* different) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < bytes;
       i += stride) {
    found += a[i] != b[i] ? 1 : 0;
  }
  if (found > 0) atomicAdd(different, found);
}

}  // namespace

void poison(void* memory, std::size_t bytes) {
  check(cudaMemset(memory, 0xa5, bytes), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void expect_equal(const void* got, const void* expected, std::size_t bytes,
                  const std::string& what) {
  check(cudaDeviceSynchronize(), what.c_str());
  codecs::cuda::DeviceArray<unsigned long long> different(1);
  const codecs::cuda::OwnedStream stream;
  check(cudaMemsetAsync(different.data(), 0, different.bytes(), stream), "cudaMemsetAsync");
  differ_kernel<<<4096, 256, 0, stream>>>(static_cast<const std::uint8_t*>(got),
                                          static_cast<const std::uint8_t*>(expected), bytes,
                                          different.data());
  codecs::cuda::check_launch("differ_kernel");
  unsigned long long found = 0;
  check(cudaMemcpyAsync(&found, different.data(), sizeof found, cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync");
  stream.wait();
  if (found > 0) {
    throw std::runtime_error(what + ": " + std::to_string(found) + " bytes of " +
                             std::to_string(bytes) + " are wrong");
  }
}

}  // namespace gannet::bench
