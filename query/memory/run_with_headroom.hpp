// Work that fails because the device's driver has no memory left for itself.
#pragma once

#include "codecs/base/error.hpp"
#include "query/memory/memory_budget.hpp"

namespace gannet::query {

/// Calls run(false). A DeviceMemoryError of it may be of memory that is not taken from the budget:
/// a kernel that the driver loads at its first launch, page-locked memory. Then owners have not
/// been asked: if they give something back for the headroom, failed() is called and run(true),
/// once. Other errors, and the second one, are the caller's.
template <class Run, class Failed>
void run_with_headroom(MemoryBudget& budget, const Run& run, const Failed& failed) {
  try {
    return run(false);
  } catch (const DeviceMemoryError&) {
    if (!budget.make_headroom()) throw;
  }
  failed();
  run(true);
}

}  // namespace gannet::query
