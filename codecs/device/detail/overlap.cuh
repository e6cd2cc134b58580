// Kernels that follow one another on a stream and start early: while the one before them ends
// (launch_early(), early_launch.hpp).
#pragma once

#include <cuda_runtime.h>

#include <nv/target>

namespace gannet::codecs::cuda {

/// The first statement of each of such kernels, for all threads: lets the next one start, and waits
/// until all before it have written what they write. Nothing where the hardware cannot (before
/// sm_90): kernels then start one after the other.
__device__ inline void follow_previous_kernel() {
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (cudaTriggerProgrammaticLaunchCompletion(); cudaGridDependencySynchronize();))
}

}  // namespace gannet::codecs::cuda
