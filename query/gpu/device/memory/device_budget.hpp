// The budgets of the devices of this process.
#pragma once

#include "query/memory/memory_budget.hpp"

namespace gannet::query::cuda {

/// The budget of a device, which all back ends of the process share. It lives until the end of the
/// program, and allocates by cudaMalloc(). Thread-safe.
MemoryBudget& device_budget(int device);

/// The budget of the calling thread's current device. Thread-safe.
MemoryBudget& current_budget();

}  // namespace gannet::query::cuda
