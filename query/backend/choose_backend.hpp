// Which back end BackendChoice::kAuto takes.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "query/backend/backend.hpp"

namespace gannet::query {

/// A back end and why it was taken.
struct Choice {
  std::unique_ptr<Backend> backend;
  std::string reason;
};

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

/// What `make_cuda` makes. Where that ends in a CudaError (no GPU, none that can be used, no room
/// on it), what `make_cpu` makes, with the error as the reason. Other errors are the caller's.
Choice choose_automatically(const MakeBackend& make_cuda, const MakeBackend& make_cpu);

}  // namespace gannet::query
