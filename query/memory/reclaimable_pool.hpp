// Objects that many threads use in turn, and that may be thrown away while nobody does.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "query/device/bounded_pool.hpp"

namespace gannet::query {

/// A BoundedPool whose idle objects can be given up: they are made anew when they are needed.
/// Thread-safe. Must outlive its leases.
template <class T>
class ReclaimablePool {
  struct Slot {
    std::unique_ptr<T> object;
    bool lent = false;
  };
  using Slots = cuda::BoundedPool<Slot>;

 public:
  using Make = std::function<std::unique_ptr<T>()>;

  ReclaimablePool(std::size_t limit, Make make)
      : make_(std::move(make)), slots_(limit, [this] { return new_slot(); }) {}

  /// An object on loan; goes back at the end of its life.
  class Lease {
   public:
    /// Waits until one is free. Throws what making one throws, CancelledError after a stop request.
    explicit Lease(ReclaimablePool& pool, const std::stop_token& stop = {})
        : pool_(pool), slot_(pool.slots_.acquire(stop)) {
      pool_.lend(*slot_, true);
      if (slot_->object != nullptr) return;
      try {
        slot_->object = pool_.make_();
      } catch (...) {
        pool_.lend(*slot_, false);
        throw;
      }
    }
    ~Lease() { pool_.lend(*slot_, false); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *slot_->object; }
    T* operator->() const { return slot_->object.get(); }
    /// Throws the object away: there is none from now on.
    void discard() { slot_->object.reset(); }
    bool has_object() const { return slot_->object != nullptr; }

   private:
    ReclaimablePool& pool_;
    typename Slots::Lease slot_;
  };

  /// Throws an idle object away; false if there is none.
  bool reclaim() {
    std::unique_ptr<T> idle;
    {
      const std::lock_guard lock(mutex_);
      for (Slot* slot : known_) {
        if (slot->lent || slot->object == nullptr) continue;
        idle = std::move(slot->object);
        break;
      }
    }
    return idle != nullptr;
  }

 private:
  std::unique_ptr<Slot> new_slot() {
    auto slot = std::make_unique<Slot>();
    const std::lock_guard lock(mutex_);
    known_.push_back(slot.get());
    return slot;
  }

  void lend(Slot& slot, bool lent) {
    const std::lock_guard lock(mutex_);
    slot.lent = lent;
  }

  const Make make_;
  std::mutex mutex_;          ///< of known_ and what is in slots that are not lent
  std::vector<Slot*> known_;  ///< all, which live as long as the pool
  Slots slots_;
};

}  // namespace gannet::query
