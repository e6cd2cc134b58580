// The error of who comes second.
#pragma once

#include "codecs/base/error.hpp"

namespace gannet::index {

/// Another process holds the lock of the index's directory. Nothing was changed: the same call may
/// succeed when that process is done.
struct BusyError : UsageError {
  using UsageError::UsageError;
};

}  // namespace gannet::index
