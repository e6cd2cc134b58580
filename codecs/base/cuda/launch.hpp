// Launches of kernels on an explicit stream. Errors name the kernel and the source line of the
// launch. For .cu files.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch_size.hpp"

namespace gannet::codecs::cuda {

/// The configuration of a launch.
struct Launch {
  const char* kernel;     ///< name of the kernel, for messages
  dim3 blocks;            ///< thread blocks
  std::uint32_t threads;  ///< threads of a block, in one dimension
  std::size_t shared;     ///< bytes of dynamic shared memory of a block
  cudaStream_t stream;
  std::source_location place;
  /// The kernel may start while the kernel before it on the stream ends (programmatic dependent
  /// launch). Needs compute capability 9.0, and a kernel that waits for its input.
  bool early = false;

  Launch(const char* name, dim3 block_count, std::uint32_t block_threads, std::size_t shared_bytes,
         cudaStream_t on, std::source_location where = std::source_location::current())
      : kernel(name),
        blocks(block_count),
        threads(block_threads),
        shared(shared_bytes),
        stream(on),
        place(where) {}
};

/// Launches `kernel` on how.stream, which belongs to the current device, and returns without
/// waiting for the kernel. Does nothing if a dimension of how.blocks is 0. Throws CudaError (or a
/// type derived from it, see check()) if the launch fails; does not report the last error that an
/// earlier call left behind. Errors of the kernel's execution show only at later CUDA calls.
/// Thread-safe.
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
