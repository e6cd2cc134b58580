// --backend of the commands that decode columns.
#pragma once

#include <fmt/format.h>

#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"

namespace gannet::tools {

/// Whether "auto", "cpu" or "cuda" means the GPU here. Throws UsageError for another name,
/// NoDeviceError for "cuda" where there is none.
inline bool use_gpu(const std::string& backend) {
  if (backend != "auto" && backend != "cpu" && backend != "cuda") {
    throw UsageError(fmt::format("--backend: '{}' is none of auto, cpu, cuda", backend));
  }
  std::string why;
  const bool available = backend != "cpu" && codecs::cuda::available(&why);
  if (backend == "cuda" && !available) throw NoDeviceError(fmt::format("--backend cuda: {}", why));
  return available;
}

}  // namespace gannet::tools
