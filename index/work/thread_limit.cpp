#include "index/work/thread_limit.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

namespace gannet::index {

unsigned thread_count(unsigned threads) {
  return threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
}

void with_threads(unsigned threads, const std::function<void()>& f) {
  // TBB has no more threads than cores, and complains of larger arenas.
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  tbb::task_arena arena(static_cast<int>(std::min(threads, cores)));
  arena.execute(f);
}

}  // namespace gannet::index
