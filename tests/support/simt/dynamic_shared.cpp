// The dynamic shared memory of the library's kernels, by namespace and name.
#include "tests/support/simt/shared_memory.hpp"

namespace gannet::query::cuda {
GANNET_SIMT_DYNAMIC_SHARED(unsigned char, shared)
}  // namespace gannet::query::cuda

namespace gannet::codecs::cuda {
GANNET_SIMT_DYNAMIC_SHARED(uint4, list_memory)
}  // namespace gannet::codecs::cuda
