// --backend of the commands that decode columns.
#pragma once

#include <fmt/format.h>

#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Whether --backend means the GPU here. Throws NoDeviceError for "cuda" where there is none.
inline bool use_gpu(const OptionSet& options) {
  const auto backend = options.choice<query::BackendChoice>("backend");
  std::string why;
  const bool available = backend != query::BackendChoice::kCpu && codecs::cuda::available(&why);
  if (backend == query::BackendChoice::kCuda && !available) {
    throw NoDeviceError(fmt::format("--backend cuda: {}", why));
  }
  return available;
}

}  // namespace gannet::tools
