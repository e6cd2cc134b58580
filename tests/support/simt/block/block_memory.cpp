// What a Block is told of its threads' accesses to memory.
#include <stdexcept>
#include <utility>

#include "tests/support/simt/block/block.hpp"
#include "tests/support/simt/failure.hpp"

namespace gannet::simt {

void Block::begin_launch(bool check_races) {
  check_races_ = check_races;
  races_.begin_launch();
}

/// In the program's own order of things a race is nothing special, so the thread goes on: it was
/// found amid an access, where nothing can be thrown.
void Block::note(const MemoryAccess& access) {
  if (!check_races_ || !race_.empty() || cancelled_) return;
  if (running_->context.holds(access.address)) return;
  const std::uint32_t thread = running_->warp * kWarp + running_->lane;
  const auto address = reinterpret_cast<std::uintptr_t>(access.address);
  Knowledge& knowledge = races_.knowledge();
  if (access.atomic) knowledge.acquire(thread, address);
  if (const auto conflict = races_.note(thread, access))
    race_ = races_.text(thread, access, *conflict);
  if (access.atomic && access.write) knowledge.release(thread, address);
}

void Block::fail_if_racing() {
  if (race_.empty()) return;
  cancel(std::make_exception_ptr(KernelFailure(failure_text("a race. " + race_))));
  throw Cancelled{};
}

void Block::begin_atomic(const void* address, std::size_t bytes, const void* code) {
  interleave();
  if (is_running()) note({address, bytes, true, true, code});
}

void Block::fence() {
  interleave();
  if (is_running()) races_.knowledge().fence(running_->warp * kWarp + running_->lane);
}

bool Block::is_local(const void* address) const {
  return is_running() && running_->context.holds(address);
}

LateCopies& Block::copies() {
  if (!is_running()) throw std::logic_error("simt: copies are for kernels");
  return running_->copies;
}

}  // namespace gannet::simt
