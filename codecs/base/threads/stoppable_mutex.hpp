// A lock for work that takes long: whoever waits for it can be told to stop.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "codecs/base/error.hpp"

namespace gannet {

/// As std::mutex, but that a stop request ends the waiting. What is done under it must not wait for
/// other threads' work: tasks of TBB that wait may take up others that want the lock.
class StoppableMutex {
 public:
  /// Throws CancelledError after a stop request, without the lock; not if the lock is free.
  void lock(const std::stop_token& stop) {
    std::unique_lock guard(mutex_);
    if (!freed_.wait(guard, stop, [this] { return !locked_; })) throw CancelledError("cancelled");
    locked_ = true;
  }
  void unlock() {
    {
      const std::lock_guard guard(mutex_);
      locked_ = false;
    }
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any freed_;
  bool locked_ = false;
};

/// Holds a StoppableMutex as long as it lives.
class StoppableLock {
 public:
  StoppableLock(StoppableMutex& mutex, const std::stop_token& stop) : mutex_(mutex) {
    mutex_.lock(stop);
  }
  ~StoppableLock() { mutex_.unlock(); }
  StoppableLock(const StoppableLock&) = delete;
  StoppableLock& operator=(const StoppableLock&) = delete;

 private:
  StoppableMutex& mutex_;
};

}  // namespace gannet
