// Kernels that follow one another on a stream and start early: while the one before them ends.
#pragma once

#include <nv/target>
#include <utility>

#include "codecs/device/check.hpp"
#include "codecs/device/launch.hpp"

namespace gannet::codecs::cuda {

/// The first statement of each of such kernels, for all threads: lets the next one start, and waits
/// until all before it have written what they write. Nothing where the hardware cannot (before
/// sm_90): kernels then start one after the other.
__device__ inline void follow_previous_kernel() {
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (cudaTriggerProgrammaticLaunchCompletion(); cudaGridDependencySynchronize();))
}

/// Launches a kernel that begins with follow_previous_kernel(), early if the device can.
template <class... Parameter, class... Argument>
void launch_early(Launch how, void (*kernel)(Parameter...), Argument&&... arguments) {
  how.early = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  launch_kernel(how, kernel, std::forward<Argument>(arguments)...);
}

}  // namespace gannet::codecs::cuda
