#include "tests/support/simt/block/block.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "tests/support/simt/cuda/device_launch_parameters.h"
#include "tests/support/simt/failure.hpp"
#include "tests/support/simt/running.hpp"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace gannet::simt {
namespace {

// Frames are larger where the address sanitizer guards variables.
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr std::size_t kStack = 256 << 10;
#else
constexpr std::size_t kStack = 64 << 10;
#endif

/// So many pauses in which nobody gets anywhere mean that nobody ever will.
constexpr std::uint32_t kMostIdlePauses = 1u << 22;

}  // namespace

std::uint64_t collective(const Call& call) { return Block::here().collective(call); }
void pause() { Block::here().pause(); }
void note_access(const MemoryAccess& access) { Block::here().note(access); }
void begin_atomic(const void* address, std::size_t bytes, const void* code) {
  Block::here().begin_atomic(address, bytes, code);
}
void fence() { Block::here().fence(); }
bool is_local(const void* address) { return Block::here().is_local(address); }
void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
  Block::here().copies().add(to, from, bytes, zeros);
}
void commit_copies() { Block::here().copies().commit(); }
void finish_copies(std::size_t newer, const void* code) {
  Block::here().copies().finish(newer, [&](void* to, const void* from, std::size_t bytes) {
    note_access({from, bytes, false, false, code});
    note_access({to, bytes, true, false, code});
  });
}

Block::Thread::Thread(std::uint32_t number)
    : context(kStack, number, &Block::thread_main), warp(number / kWarp), lane(number % kWarp) {}

Block& Block::here() {
  static thread_local Block block;
  return block;
}

void Block::begin(dim3 size) {
  size_ = size.x * size.y * size.z;
  while (threads_.size() < size_) {
    threads_.push_back(std::make_unique<Thread>(static_cast<std::uint32_t>(threads_.size())));
  }
  for (std::uint32_t i = 0; i < size_; ++i) {
    Thread& thread = *threads_[i];
    thread.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    thread.started = thread.returned = false;
  }
  ready_warps_ = 0;
  for (std::uint32_t first = 0; first < size_; first += kWarp) {
    const std::uint32_t lanes = std::min(size_ - first, kWarp);
    warps_[first / kWarp].begin(first / kWarp, 0xffffffffu >> (kWarp - lanes), races_.knowledge());
    ready_warps_ |= 1u << first / kWarp;
  }
  live_ = size_;
  barrier_.reset();
  races_.begin_block(size_);
  race_.clear();
  idle_pauses_ = 0;
  cancelled_ = false;
  error_ = nullptr;
}

void Block::run(const Kernel& kernel, dim3 size, Order& order) {
  kernel_ = kernel;
  order_ = &order;
  begin(size);
  Thread* const first = choose();
  running_ = first;
  threadIdx = first->index;
  host_.switch_to(first->context);
  running_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Block::thread_main() {
  Context::arrived();
  for (;;) here().run_thread();
}

/// Returns when the thread has been chosen to run a kernel again.
void Block::run_thread() {
  Thread& self = *running_;
  self.started = true;
  try {
    kernel_.call(kernel_.arguments);
    fail_if_racing();
  } catch (const Cancelled&) {
  } catch (...) {
    cancel(std::current_exception());
  }
  returned(self);
  go_to(choose());
}

void Block::returned(Thread& thread) {
  thread.returned = true;
  thread.copies.end();
  --live_;
  idle_pauses_ = 0;
  if (cancelled_) return;
  warps_[thread.warp].exit(thread.lane);
  note_ready(thread.warp);
  if (barrier_.waiting() != 0 && barrier_.waiting() == live_) release_barrier();
}

bool Block::is_local(const void* address) const {
  return is_running() && running_->context.holds(address);
}

LateCopies& Block::copies() {
  if (!is_running()) throw std::logic_error("simt: copies are for kernels");
  return running_->copies;
}

std::uint64_t Block::collective(const Call& call) {
  if (!is_running()) {
    throw std::logic_error("simt: " + description(call) + " was called outside a kernel");
  }
  Thread& self = *running_;
  Warp& warp = warps_[self.warp];
  if (!cancelled_) {
    fail_if_racing();
    check(call, self.lane);
    arrive(self, call);
    if (order_->shuffled() || (warp.ready() >> self.lane & 1) == 0) go_to(choose());
  }
  throw_if_cancelled();
  return warp.result(self.lane);
}

void Block::arrive(Thread& self, const Call& call) {
  idle_pauses_ = 0;
  if (is_block(call.what)) {
    barrier_.arrive(call);
    warps_[self.warp].wait_for_block(self.lane, call);
    if (barrier_.waiting() == live_) release_barrier();
  } else {
    warps_[self.warp].arrive(self.lane, call);
  }
  note_ready(self.warp);
}

void Block::release_barrier() {
  const std::uint64_t result = barrier_.finish();
  races_.knowledge().sync_block();
  for (std::uint32_t warp = 0; warp * kWarp < size_; ++warp) {
    warps_[warp].release(result);
    note_ready(warp);
  }
}

void Block::note_ready(std::uint32_t warp) {
  const std::uint32_t bit = 1u << warp;
  ready_warps_ = warps_[warp].ready() != 0 ? ready_warps_ | bit : ready_warps_ & ~bit;
}

Block::Thread* Block::thread(std::uint32_t warp, std::uint32_t lane) const {
  return threads_[warp * kWarp + lane].get();
}

/// Who runs next; nobody if all threads have returned.
Block::Thread* Block::choose() {
  if (ready_warps_ == 0 && live_ != 0 && !cancelled_) {
    cancel(std::make_exception_ptr(KernelFailure(failure_text(who_waits()))));
  }
  if (cancelled_) return next_to_unwind();
  if (live_ == 0) return nullptr;
  if (order_->shuffled()) {
    const std::uint32_t warp = order_->pick(ready_warps_);
    return thread(warp, order_->pick(warps_[warp].ready()));
  }
  // A warp goes on as long as it can: its lanes' stacks are in the cache.
  const std::uint32_t warp = running_ == nullptr ? 0 : running_->warp;
  if (warps_[warp].ready() != 0) return thread(warp, std::countr_zero(warps_[warp].ready()));
  return next_in_order(warp, kWarp - 1);
}

/// The next thread that can run, the first of all coming after the last.
Block::Thread* Block::next_in_order(std::uint32_t after_warp, std::uint32_t after_lane) const {
  const std::uint32_t later_lanes = warps_[after_warp].ready() & ~1u << after_lane;
  if (later_lanes != 0) return thread(after_warp, std::countr_zero(later_lanes));
  const std::uint32_t later_warps = ready_warps_ & ~1u << after_warp;
  const std::uint32_t warps = later_warps != 0 ? later_warps : ready_warps_;
  const auto warp = static_cast<std::uint32_t>(std::countr_zero(warps));
  return thread(warp, std::countr_zero(warps_[warp].ready()));
}

Block::Thread* Block::next_to_unwind() const {
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (threads_[i]->started && !threads_[i]->returned) return threads_[i].get();
  }
  return nullptr;
}

void Block::go_to(Thread* next) {
  Thread& self = *running_;
  if (next == &self) return;
  if (next == nullptr) {
    self.context.switch_to(host_);
    return;
  }
  running_ = next;
  threadIdx = next->index;
  self.context.switch_to(next->context);
}

void Block::pause() {
  if (!is_running()) return;
  throw_if_cancelled();
  if (cancelled_) return;
  if (++idle_pauses_ == kMostIdlePauses) {
    fail("threads let others run " + std::to_string(kMostIdlePauses) +
         " times in a row, and none got anywhere: they wait for what no thread of this block will "
         "do. (Blocks run one after the other: waiting for another block is not possible.)");
  }
  go_to(order_->shuffled() ? choose() : next_in_order(running_->warp, running_->lane));
  throw_if_cancelled();
}

void Block::begin_launch(bool check_races) {
  check_races_ = check_races;
  races_.begin_launch();
}

/// In the program's own order of things a race is nothing special, so the thread goes on: it was
/// found amid an access, where nothing can be thrown.
void Block::note(const MemoryAccess& access) {
  if (running_ == nullptr || !check_races_ || !race_.empty() || cancelled_) return;
  if (running_->context.holds(access.address)) return;
  const std::uint32_t thread = running_->warp * kWarp + running_->lane;
  const auto address = reinterpret_cast<std::uintptr_t>(access.address);
  Knowledge& knowledge = races_.knowledge();
  if (access.atomic) knowledge.acquire(thread, address);
  if (auto race = races_.note(thread, access)) race_ = *std::move(race);
  if (access.atomic && access.write) knowledge.release(thread, address);
}

void Block::fail_if_racing() {
  if (race_.empty()) return;
  cancel(std::make_exception_ptr(KernelFailure(failure_text("a race. " + race_))));
  throw Cancelled{};
}

void Block::begin_atomic(const void* address, std::size_t bytes, const void* code) {
  interleave();
  note({address, bytes, true, true, code});
}

void Block::fence() {
  interleave();
  if (is_running()) races_.knowledge().fence(running_->warp * kWarp + running_->lane);
}

void Block::interleave() {
  if (!is_running() || cancelled_) return;
  constexpr std::uint32_t kInOrder = 1024;
  constexpr std::uint32_t kShuffled = 4;
  const bool now =
      order_->shuffled() ? order_->random() % kShuffled == 0 : ++atomics_ % kInOrder == 0;
  if (now) pause();
}

/// Destructors that run while a thread is unwound are let through.
void Block::throw_if_cancelled() const {
  if (cancelled_ && std::uncaught_exceptions() == 0) throw Cancelled{};
}

void Block::cancel(std::exception_ptr error) {
  if (!cancelled_) error_ = std::move(error);
  cancelled_ = true;
}

}  // namespace gannet::simt
