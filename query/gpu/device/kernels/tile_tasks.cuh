// Tiles of several lists, numbered as if they were one list's, so that the warps of a thread block
// share them out.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"

namespace gannet::query::cuda {

/// Tiles from `first` on that end before `docid`. Called by a converged warp.
__device__ inline std::uint32_t tiles_before(const std::uint32_t* skips, std::uint32_t first,
                                             std::uint32_t tiles, std::uint32_t docid) {
  using codecs::WarpLanes;
  for (std::uint32_t at = first;; at += codecs::kLanes) {
    const std::uint32_t mine = at + WarpLanes::id();
    const bool before = mine < tiles && __ldg(skips + mine) < docid;
    const std::uint32_t all = __ballot_sync(WarpLanes::kAll, before);
    if (all != WarpLanes::kAll) return at - first + codecs::popcount(all);
  }
}

/// Turns the number of tasks of each of `lists` lists into the number of its first task; behind
/// them comes the number of all tasks. Called by a converged warp.
__device__ inline void number_tasks(std::uint32_t* first_tasks, std::uint32_t lists) {
  using codecs::WarpLanes;
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < lists; first += codecs::kLanes) {
    const std::uint32_t l = first + WarpLanes::id();
    WarpLanes::Var<std::uint32_t> before{l < lists ? first_tasks[l] : 0};
    const std::uint32_t more = WarpLanes{}.exclusive_scan(before);
    if (l < lists) first_tasks[l] = sum + before.value;
    sum += more;
  }
  if (WarpLanes::id() == 0) first_tasks[lists] = sum;
}

/// The last list whose first task is not behind `task`: lists without a task begin where the next
/// one does.
__device__ inline std::uint32_t list_of_task(const std::uint32_t* first_tasks, std::uint32_t lists,
                                             std::uint32_t task) {
  std::uint32_t low = 0;
  std::uint32_t high = lists;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (first_tasks[middle] <= task ? low : high) = middle;
  }
  return low;
}

}  // namespace gannet::query::cuda
