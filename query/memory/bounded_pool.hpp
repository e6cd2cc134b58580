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

#include "codecs/base/error.hpp"

namespace gannet::query {

/// Makes at most `limit` objects, when they are first needed, and lends each to one thread at a
/// time. Idle ones can be thrown away; they are made anew when they are needed. Thread-safe. Must
/// outlive its leases.
template <class T>
class BoundedPool {
 public:
  using Make = std::function<std::unique_ptr<T>()>;

  BoundedPool(std::size_t limit, Make make) : free_(limit), make_(std::move(make)) {
    idle_.reserve(limit);  // objects come back without an allocation
  }

  /// An object on loan; goes back at the end of its life.
  class Lease {
   public:
    Lease(BoundedPool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    ~Lease() { pool_.give_back(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }
    /// Throws the object away: there is none from now on.
    void discard() { object_.reset(); }
    bool has_object() const { return object_ != nullptr; }

   private:
    BoundedPool& pool_;
    std::unique_ptr<T> object_;
  };

  /// Waits until one of the objects is free; an idle one is lent before another is made. Throws
  /// what making one throws, CancelledError as soon as a stop is requested; the pool then is as it
  /// was before.
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

  /// Throws an idle object away; false if there is none.
  bool reclaim() {
    std::unique_ptr<T> idle;  // thrown away without the lock
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return false;
    idle = std::move(idle_.back());
    idle_.pop_back();
    return true;
  }

 private:
  /// An idle object, or null for the right to make one.
  std::unique_ptr<T> reserve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (free_ == 0) wait(lock, stop);
    --free_;
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }

  /// Apart, because a wait that a stop request ends costs more than taking an object that is free.
  void wait(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    ++waiting_;
    const bool freed = freed_.wait(lock, stop, [this] { return free_ > 0; });
    --waiting_;
    if (!freed) throw CancelledError("cancelled");
  }

  void give_back(std::unique_ptr<T> object) {
    bool wanted = false;
    {
      const std::lock_guard lock(mutex_);
      ++free_;
      if (object) idle_.push_back(std::move(object));
      wanted = waiting_ > 0;
    }
    if (wanted) freed_.notify_one();
  }

  std::mutex mutex_;  ///< of what follows
  std::condition_variable_any freed_;
  std::size_t free_;  ///< objects that may be lent, made or not
  std::size_t waiting_ = 0;
  std::vector<std::unique_ptr<T>> idle_;
  const Make make_;
};

}  // namespace gannet::query
