// What threads of a block know to have happened before.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tests/support/simt/block/collective.hpp"
#include "tests/support/simt/races/shadow.hpp"

namespace gannet::simt {

/// Which accesses are ordered, by the operations that CUDA says order memory: barriers of the
/// block,
/// __syncwarp among its lanes, and atomics with fences. Where it knows less than a program does it
/// errs towards order: what it does not order is not ordered.
class Knowledge {
 public:
  /// A block begins. What went before is ordered: blocks are not compared.
  void begin(std::uint32_t threads);

  /// The time of what a thread does now.
  Time now(std::uint32_t thread) const {
    return threads_[thread].clock > epoch_ ? threads_[thread].clock : epoch_;
  }

  /// Whether `thread` may rely on another thread's access to have been completed.
  bool knows(std::uint32_t thread, const Access& access) const {
    return access.time < epoch_ || access.thread == thread || has_seen(thread, access);
  }
  /// The same of a read, which only must have happened: lanes that have met, in a vote say, have
  /// read before, since they had the values that they voted by.
  bool knows_read(std::uint32_t thread, const Access& read) const;

  void sync_block() { epoch_ = ++time_; }
  /// Lanes of a warp have met; `ordering`: and see what all of them have written.
  void meet(std::uint32_t warp, std::uint32_t lanes, bool ordering);
  void fence(std::uint32_t thread);
  /// An atomic operation: publishes what was before the thread's last fence, and learns what others
  /// have published there.
  void release(std::uint32_t thread, std::uintptr_t address);
  void acquire(std::uint32_t thread, std::uintptr_t address);

 private:
  bool has_seen(std::uint32_t thread, const Access& access) const;

  static constexpr std::uint32_t kWarps = 32;
  using Warps = std::array<Time, kWarps>;
  struct Thread {
    Time clock = 0;
    Time fence = 0;
    std::array<Time, kWarp> seen{};  ///< of the lanes of its warp: up to when
    std::array<Time, kWarp> met{};
    Warps warps{};  ///< of each warp: up to when
  };

  std::vector<Thread> threads_;
  std::unordered_map<std::uintptr_t, Warps> published_;
  bool learned_ = false;  ///< in this block somebody has learned something by an atomic
  Time time_ = 0;
  Time epoch_ = 0;
};

}  // namespace gannet::simt
