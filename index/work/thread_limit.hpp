// Running a build with a given number of threads.
#pragma once

#include <functional>

namespace gannet::index {

/// `threads`, or the number of cores if it is 0; at least 1.
unsigned thread_count(unsigned threads);

/// Calls `f` where parallel algorithms use `threads` (>= 1) threads, the calling one among them,
/// but not more than there are cores. The rest of the program keeps its threads. Throws what `f`
/// throws.
void with_threads(unsigned threads, const std::function<void()>& f);

}  // namespace gannet::index
