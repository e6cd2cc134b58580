// Who owns the memory of a device. Host code; needs no GPU.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "query/memory/memory_use.hpp"

namespace gannet::query {

class MemoryOwner;

/// What a budget did since it was made, and what is taken of it now. In bytes, but for `failures`.
struct MemoryState {
  std::array<std::uint64_t, kMemoryUses> used{};  ///< by MemoryUse
  std::uint64_t limit = 0;
  std::uint64_t given_back = 0;  ///< that owners gave back when others wanted memory
  std::uint64_t failures = 0;    ///< times that memory was refused, whatever was given back

  std::uint64_t used_by(MemoryUse use) const { return used[static_cast<std::size_t>(use)]; }
  std::uint64_t all_used() const;
};

/// All memory of a device that Gannet takes in a process comes from the device's budget. If there
/// is none, owners are asked to give some back, the cheapest first (cost_of()); what is refused
/// after that is a DeviceMemoryError, which is no error of a search: who gets one takes less, or
/// lets the host do it.
///
/// Any number of threads may use it. None of its locks is held while memory is allocated or freed,
/// or while an owner is asked.
class MemoryBudget {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  /// What the device has free just now, whoever has taken the rest, in bytes.
  using FreeBytes = std::function<std::uint64_t()>;
  /// Frees some memory that nobody uses, if it can `bytes` of it; false: there is nothing to free.
  /// Called from any thread that wants memory, which may hold locks and use what is the owner's.
  /// It waits for nobody's work, and takes no memory. What it throws is thrown to who wants memory.
  using GiveBack = std::function<bool(std::uint64_t bytes)>;

  /// `resource` must outlive what is taken. `headroom`: what columns, bounds and filters leave free
  /// on the device, in bytes, since the driver takes memory for itself, for kernels that it loads
  /// for instance, and fails without.
  MemoryBudget(codecs::cuda::MemoryResource& resource, FreeBytes free_bytes,
               std::uint64_t headroom = 0);
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Memory that was taken; goes back at the end of its life. The budget must outlive it.
  class Block {
   public:
    Block() = default;
    ~Block();
    Block(Block&& other) noexcept { swap(other); }
    Block& operator=(Block&& other) noexcept {
      Block(std::move(other)).swap(*this);
      return *this;
    }
    /// Null if there are no bytes.
    void* data() const { return data_; }
    std::uint64_t bytes() const { return bytes_; }

   private:
    friend class MemoryBudget;
    void swap(Block& other) noexcept;

    MemoryBudget* budget_ = nullptr;
    codecs::cuda::MemoryResource* resource_ = nullptr;
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
    MemoryUse use_ = MemoryUse::kBatches;
  };

  /// `bytes` of memory on the current device, which must be the budget's. Throws DeviceMemoryError,
  /// naming what has taken the rest, and what the resource throws for other reasons.
  Block take(std::uint64_t bytes, MemoryUse use);

  /// Somebody who can give back memory of a kind. At the end of its life, calls of `give_back` that
  /// are under way are waited for: hold no lock that they need.
  class Owner {
   public:
    Owner(MemoryBudget& budget, MemoryUse use, GiveBack give_back);
    ~Owner();
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

   private:
    MemoryBudget& budget_;
    std::shared_ptr<MemoryOwner> owner_;
  };

  /// While it lives, no more than so many bytes are taken; of several limits the least holds.
  class Limit {
   public:
    Limit(MemoryBudget& budget, std::uint64_t bytes);
    ~Limit();
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

   private:
    MemoryBudget& budget_;
    const std::uint64_t bytes_;
  };

  /// What could be taken now without anybody giving something back, in bytes. `most`: a further
  /// limit.
  std::uint64_t available(std::uint64_t most = kNoLimit) const;
  /// Asks owners until `bytes` could be taken, or none has more to give. Returns available().
  std::uint64_t make_available(std::uint64_t bytes, MemoryUse use);
  /// For those who were refused memory that is not taken from here: asks owners until the headroom
  /// is free. Whether one gave something back, so that it can be tried again.
  bool make_headroom();
  MemoryState state() const;
  // Of state(), without a lock:
  std::uint64_t failures() const { return failures_.load(std::memory_order_relaxed); }
  std::uint64_t given_back() const { return given_back_.load(std::memory_order_relaxed); }

  /// Memory comes from there from now on, which must outlive what is taken: for tests. Returns what
  /// it came from before.
  codecs::cuda::MemoryResource& take_from(codecs::cuda::MemoryResource& resource);

 private:
  Block try_take(std::uint64_t bytes, MemoryUse use);
  void* allocate(codecs::cuda::MemoryResource& resource, std::uint64_t bytes) const;
  bool leaves_headroom(MemoryUse use) const;
  bool make_room(std::uint64_t bytes, MemoryUse use);
  bool ask(MemoryOwner& owner, std::uint64_t bytes);
  void uncount(std::uint64_t bytes, MemoryUse use);
  std::uint64_t all_used() const;
  std::uint64_t limit() const;
  std::string refusal(std::uint64_t bytes, MemoryUse use);

  const FreeBytes free_bytes_;
  const std::uint64_t headroom_;
  std::atomic<std::uint64_t> failures_{0}, given_back_{0};
  mutable std::mutex mutex_;  ///< of all that follows
  codecs::cuda::MemoryResource* resource_;
  std::array<std::uint64_t, kMemoryUses> used_{};  ///< by MemoryUse
  std::multiset<std::uint64_t> limits_;
  std::vector<std::shared_ptr<MemoryOwner>> owners_;  ///< the cheapest first
};

}  // namespace gannet::query
