// Places for what many threads count or keep, so that none waits for another.
#pragma once

#include <atomic>
#include <cstddef>

namespace gannet {

/// Slots of an array that threads share out among themselves: each of no more than so many threads
/// has one of its own. Make them alignas(kCacheLine).
inline constexpr std::size_t kThreadSlots = 64;
inline constexpr std::size_t kCacheLine = 64;

/// The calling thread's slot, 0 .. kThreadSlots - 1: the same one as long as it lives. Threads that
/// follow one another get slots that do.
inline std::size_t thread_slot() {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t slot =
      threads.fetch_add(1, std::memory_order_relaxed) % kThreadSlots;
  return slot;
}

}  // namespace gannet
