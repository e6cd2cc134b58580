// A few objects that many threads use in turn.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "codecs/error.hpp"

namespace gannet::query::cuda {

/// Makes at most `limit` objects, when they are first needed, and lends each to one thread at a
/// time. Thread-safe. Must outlive its leases.
template <class T>
class BoundedPool {
 public:
  using Make = std::function<std::unique_ptr<T>()>;

  BoundedPool(std::size_t limit, Make make) : free_(limit), make_(std::move(make)) {}

  /// An object on loan; goes back at the end of its life.
  class Lease {
   public:
    Lease(BoundedPool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    ~Lease() { pool_.give_back(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    BoundedPool& pool_;
    std::unique_ptr<T> object_;
  };

  /// Waits until one of the objects is free. Throws what making one throws, CancelledError as soon
  /// as a stop is requested; the pool then is as it was before.
  Lease acquire(const std::stop_token& stop = {}) {
    std::unique_ptr<T> object = reserve(stop);
    if (object) return Lease(*this, std::move(object));
    try {
      return Lease(*this, make_());
    } catch (...) {
      give_back(nullptr);
      throw;
    }
  }

 private:
  /// An idle object, or null for the right to make one.
  std::unique_ptr<T> reserve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!freed_.wait(lock, stop, [this] { return free_ > 0; })) throw CancelledError("cancelled");
    --free_;
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }

  void give_back(std::unique_ptr<T> object) {
    {
      const std::lock_guard lock(mutex_);
      ++free_;
      if (object) idle_.push_back(std::move(object));
    }
    freed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable_any freed_;
  std::size_t free_;  ///< objects that may be lent, made or not
  std::vector<std::unique_ptr<T>> idle_;
  Make make_;
};

}  // namespace gannet::query::cuda
