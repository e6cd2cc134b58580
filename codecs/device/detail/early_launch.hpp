// Launching kernels while the one before them on the stream ends.
#pragma once

#include <utility>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"

namespace gannet::codecs::cuda {

/// Launches a kernel that begins with follow_previous_kernel() (overlap.cuh), early if the device
/// can.
template <class... Parameter, class... Argument>
void launch_early(Launch how, void (*kernel)(Parameter...), Argument&&... arguments) {
  how.early = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  launch_kernel(how, kernel, std::forward<Argument>(arguments)...);
}

}  // namespace gannet::codecs::cuda
