#pragma once

#include <stdexcept>

namespace gannet::simt {

/// A kernel did what no order of its threads makes right: launch() throws it. The message names
/// kernel, block, warp, lanes and the places in the source.
class KernelFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gannet::simt
