// What the stand-ins for CUDA's functions ask of the block that is running on this host thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/support/simt/block/collective.hpp"

namespace gannet::simt {

/// Comes to an operation, waits for all that take part in it, and gets its result.
std::uint64_t collective(const Call& call);

/// Lets other threads run (__nanosleep).
void pause();

/// An access to memory that other threads may see.
struct MemoryAccess {
  const void* address;
  std::size_t bytes;
  bool write;
  bool atomic;       ///< or volatile
  const void* code;  ///< in the program
};

/// Looks for races: see races/detector.hpp. Does nothing outside kernels; nor do the next two.
void note_access(const MemoryAccess& access);
/// Before an atomic operation. Lets other threads run now and then, so that a thread that waits for
/// another one by atomics does not wait forever; in shuffled orders, often.
void begin_atomic(const void* address, std::size_t bytes, const void* code);
void fence();

/// Where an address lies: in shared memory, or on the running thread's stack. All else is global.
bool is_shared(const void* address);
bool is_local(const void* address);

// The running thread's copies to shared memory: see block/late_copies.hpp.
void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros);
void commit_copies();
void finish_copies(std::size_t newer, const void* code);

}  // namespace gannet::simt
