// When the CUDA driver loads kernels.
#pragma once

#include <cstdlib>

namespace gannet::tools {

/// Has the driver load all kernels when the first GPU is used, not each at its first launch: where
/// other processes have taken all memory of the device meanwhile, a kernel cannot be loaded, then
/// or later in the life of the process. Leaves CUDA_MODULE_LOADING as it is if it is set. To be
/// called before CUDA is used and before there are threads.
inline void load_kernels_early() { setenv("CUDA_MODULE_LOADING", "EAGER", 0); }

}  // namespace gannet::tools
