// Who of a block runs next.
#include <bit>

#include "tests/support/simt/block/block.hpp"
#include "tests/support/simt/cuda/device_launch_parameters.h"
#include "tests/support/simt/failure.hpp"

namespace gannet::simt {
namespace {

/// So many pauses in which nobody gets anywhere mean that nobody ever will.
constexpr std::uint32_t kMaxIdlePauses = 1u << 22;

}  // namespace

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
  if (++idle_pauses_ == kMaxIdlePauses) {
    fail("threads let others run " + std::to_string(kMaxIdlePauses) +
         " times in a row, and none got anywhere: they wait for what no thread of this block will "
         "do. (Blocks run one after the other: waiting for another block is not possible.)");
  }
  go_to(order_->shuffled() ? choose() : next_in_order(running_->warp, running_->lane));
  throw_if_cancelled();
}

void Block::interleave() {
  if (!is_running() || cancelled_) return;
  constexpr std::uint32_t kInOrder = 1024;
  constexpr std::uint32_t kShuffled = 4;
  const bool now =
      order_->shuffled() ? order_->random() % kShuffled == 0 : ++atomics_ % kInOrder == 0;
  if (now) pause();
}

}  // namespace gannet::simt
