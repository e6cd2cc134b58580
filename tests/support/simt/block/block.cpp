#include "tests/support/simt/block/block.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tests/support/simt/block/sanitizer.hpp"
#include "tests/support/simt/cuda/device_launch_parameters.h"

namespace gannet::simt {
namespace {

// Frames are larger where the address sanitizer guards variables.
#if defined(GANNET_SIMT_ASAN) || !defined(__OPTIMIZE__)
constexpr std::size_t kStack = 256 << 10;
#else
constexpr std::size_t kStack = 64 << 10;
#endif

}  // namespace

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
  current_ = this;
  threadIdx = first->index;
  host_.switch_to(first->context);
  current_ = nullptr;
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

/// Destructors that run while a thread is unwound are let through.
void Block::throw_if_cancelled() const {
  if (cancelled_ && std::uncaught_exceptions() == 0) throw Cancelled{};
}

void Block::cancel(std::exception_ptr error) {
  if (!cancelled_) error_ = std::move(error);
  cancelled_ = true;
}

}  // namespace gannet::simt
