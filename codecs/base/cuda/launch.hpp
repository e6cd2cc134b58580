// Launching kernels: on a stream that is named, with an error that names the kernel and the place.
// For .cu files.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch_size.hpp"

namespace gannet::codecs::cuda {

/// How a kernel is launched.
struct Launch {
  const char* kernel;  ///< its name, for messages
  dim3 blocks;
  std::uint32_t threads;
  std::size_t shared;  ///< bytes of dynamic shared memory
  cudaStream_t stream;
  std::source_location place;
  bool early = false;  ///< may start while the launch before it on the stream ends (sm_90)

  Launch(const char* name, dim3 block_count, std::uint32_t block_threads, std::size_t shared_bytes,
         cudaStream_t on, std::source_location where = std::source_location::current())
      : kernel(name),
        blocks(block_count),
        threads(block_threads),
        shared(shared_bytes),
        stream(on),
        place(where) {}
};

/// Launches `kernel`; nothing if there are no blocks. Throws CudaError if it cannot be launched.
template <class... Parameter, class... Argument>
void launch_kernel(const Launch& how, void (*kernel)(Parameter...), Argument&&... arguments) {
  if (how.blocks.x == 0 || how.blocks.y == 0 || how.blocks.z == 0) return;
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = how.blocks;
  config.blockDim = dim3(how.threads);
  config.dynamicSmemBytes = how.shared;
  config.stream = how.stream;
  config.attrs = &early;
  config.numAttrs = how.early ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameter>(arguments)...), how.kernel,
        how.place);
}

}  // namespace gannet::codecs::cuda
