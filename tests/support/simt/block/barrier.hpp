// The barrier of a block, at which all its threads meet.
#pragma once

#include <cstdint>

#include "tests/support/simt/block/collective.hpp"

namespace gannet::simt {

class Barrier {
 public:
  /// Threads that wait.
  std::uint32_t waiting() const { return waiting_; }
  /// What the first of them came to.
  const Call& call() const { return call_; }

  /// Whether a thread may meet those that wait: CUDA wants all threads of a block to come to the
  /// same barrier of the program.
  bool admits(const Call& call) const {
    return waiting_ == 0 || (call.what == call_.what && call.where == call_.where);
  }

  void arrive(const Call& call) {
    if (waiting_ == 0) {
      call_ = call;
      agreeing_ = 0;
    }
    ++waiting_;
    if (call.value != 0) ++agreeing_;
  }

  /// What all get; the barrier is empty afterwards.
  std::uint64_t finish() {
    const std::uint32_t waiting = waiting_;
    waiting_ = 0;
    switch (call_.what) {
      case Collective::kSyncThreadsCount:
        return agreeing_;
      case Collective::kSyncThreadsAnd:
        return agreeing_ == waiting ? 1 : 0;
      case Collective::kSyncThreadsOr:
        return agreeing_ != 0 ? 1 : 0;
      default:
        return 0;
    }
  }

  void reset() { waiting_ = 0; }

 private:
  std::uint32_t waiting_ = 0;
  std::uint32_t agreeing_ = 0;
  Call call_{.what = Collective::kSyncThreads, .where = {}};
};

}  // namespace gannet::simt
