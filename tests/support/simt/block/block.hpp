// A block of threads, on one host thread: each runs until it comes to an operation that it does
// together with others, then another one goes on.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/simt/block/barrier.hpp"
#include "tests/support/simt/block/context.hpp"
#include "tests/support/simt/block/late_copies.hpp"
#include "tests/support/simt/block/order.hpp"
#include "tests/support/simt/block/warp.hpp"
#include "tests/support/simt/cuda/vector_types.h"
#include "tests/support/simt/races/detector.hpp"
#include "tests/support/simt/running.hpp"

namespace gannet::simt {

/// A kernel and its arguments, of whatever types.
struct Kernel {
  const void* address;  ///< of its code
  void (*call)(const void* arguments);
  const void* arguments;
};

inline constexpr std::uint32_t kMaxThreads = 1024;

class Block {
 public:
  /// The one of this host thread. Its stacks are kept from launch to launch.
  static Block& here();
  /// The block of this host thread while a kernel runs in it, else null. Each access to memory
  /// calls this. here() costs more: it checks on each call whether the block was constructed.
  static Block* running() { return current_; }

  /// Runs `kernel` in every thread of a block of `size`. Throws what a thread throws, or a
  /// KernelFailure; then all other threads have been unwound.
  void run(const Kernel& kernel, dim3 size, Order& order);
  /// A launch begins: its blocks are checked for races, or not.
  void begin_launch(bool check_races);

  // Called by the thread that is running; nobody is if the host is not in run().
  bool is_running() const { return running_ != nullptr; }
  std::uint64_t collective(const Call& call);
  void pause();
  void begin_atomic(const void* address, std::size_t bytes, const void* code);
  void fence();
  void note(const MemoryAccess& access);
  bool is_local(const void* address) const;
  LateCopies& copies();

 private:
  struct Thread {
    explicit Thread(std::uint32_t number);
    Context context;
    std::uint32_t warp;
    std::uint32_t lane;
    uint3 index{};
    LateCopies copies;
    bool started = false;
    bool returned = false;
  };
  /// Thrown in threads that cannot go on, to unwind them.
  struct Cancelled {};

  void begin(dim3 size);
  static void thread_main();
  void run_thread();
  void returned(Thread& thread);

  void arrive(Thread& self, const Call& call);
  void release_barrier();
  void note_ready(std::uint32_t warp);

  Thread* thread(std::uint32_t warp, std::uint32_t lane) const;
  Thread* choose();
  Thread* next_in_order(std::uint32_t after_warp, std::uint32_t after_lane) const;
  Thread* next_to_unwind() const;
  void go_to(Thread* next);

  void check(const Call& call, std::uint32_t lane);
  void interleave();
  void fail_if_racing();
  void cancel(std::exception_ptr error);
  void throw_if_cancelled() const;
  [[noreturn]] void fail(const std::string& what);
  std::string failure_text(const std::string& what) const;
  std::string who_waits() const;

  static constinit inline thread_local Block* current_ = nullptr;

  Context host_;
  std::vector<std::unique_ptr<Thread>> threads_;  ///< as many as the largest block had
  Kernel kernel_{};
  Order* order_ = nullptr;
  Thread* running_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t live_ = 0;
  Warp warps_[kMaxThreads / kWarp];
  std::uint32_t ready_warps_ = 0;
  Barrier barrier_;
  std::uint32_t atomics_ = 0;
  std::uint32_t idle_pauses_ = 0;  ///< since a thread came to an operation, or returned
  bool check_races_ = false;
  RaceDetector races_;
  std::string race_;  ///< what was found; threads go on until they come to an operation
  bool cancelled_ = false;
  std::exception_ptr error_;
};

}  // namespace gannet::simt
