// Doing something once, by whichever thread comes first.
#pragma once

#include <atomic>
#include <mutex>

namespace gannet {

/// Others wait for the first thread. If it throws, its exception is its own, and the next thread
/// tries again: std::call_once promises that too, but hangs then with some C libraries (GCC's bug
/// 66146) and under the thread sanitizer. Any number of threads may use it.
class Once {
 public:
  template <class F>
  void operator()(const F& f) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    f();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_ = false;
};

}  // namespace gannet
