// Running a build with a given number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

namespace gannet::index {

/// `threads`, or the number of cores if it is 0; at least 1.
inline unsigned thread_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

/// Calls `f` where parallel algorithms use `threads` (>= 1) threads, this one among them.
template <class F>
void with_threads(unsigned threads, F&& f) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(f);
}

}  // namespace gannet::index
