// The error of an output that is there already.
#pragma once

#include "codecs/base/error.hpp"

namespace gannet {

/// A file or an index has the name of an output, and nobody said that it may be replaced.
struct ExistsError : UsageError {
  using UsageError::UsageError;
};

}  // namespace gannet
