// The star schema's columns on the device: uploaded, decoded, compared, timed.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "bench/ssb/ssb_data.hpp"
#include "codecs/device/columns.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {

namespace cuda = codecs::cuda;

/// *different += number of places where the arrays differ.
static __global__ void compare_kernel(const std::uint32_t* a, const std::uint32_t* b,
                                      std::uint32_t count, std::uint32_t* different) {
  std::uint32_t mine = 0;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    mine += a[i] != b[i] ? 1 : 0;
  }
  if (mine > 0) atomicAdd(different, mine);
}

/// Throws if the first `count` words of the arrays (device memory) differ.
inline void expect_equal(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t count,
                         const std::string& what, cudaStream_t stream) {
  cuda::PinnedArray<std::uint32_t> different(1);
  different[0] = 0;
  compare_kernel<<<1024, 256, 0, stream>>>(a, b, count, different.data());
  cuda::check_launch("compare_kernel");
  cuda::check(cudaStreamSynchronize(stream), "compare_kernel");
  if (different[0] > 0) throw std::runtime_error(what + " gave wrong values");
}

/// Median seconds of decoding a column to `out`, whose values are checked against `expected` (both
/// in device memory).
inline double time_column(const cuda::DeviceColumn& column, const std::uint32_t* expected,
                          std::uint32_t* out, int repeats, const std::string& what,
                          cudaStream_t stream) {
  const std::uint32_t count = column.plan().count;
  cuda::check(cudaMemsetAsync(out, 0xab, std::size_t{count} * 4, stream), "cudaMemsetAsync");
  const double seconds =
      measure::time_each(stream, repeats, [&](int) { column.decode_async(out, stream); });
  expect_equal(out, expected, count, what, stream);
  return seconds;
}

}  // namespace gannet::bench
