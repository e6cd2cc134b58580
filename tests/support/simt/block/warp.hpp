// The lanes of a warp: who can run, who waits for whom.
#pragma once

#include <cstdint>

#include "tests/support/simt/block/collective.hpp"
#include "tests/support/simt/races/knowledge.hpp"

namespace gannet::simt {

class Warp {
 public:
  /// Warp `number` of a block. `lanes`: those that exist (the last warp may have fewer than 32).
  /// `knowledge` is told who has met.
  void begin(std::uint32_t number, std::uint32_t lanes, Knowledge& knowledge);

  /// Lanes that can run. The one that is running is among them.
  std::uint32_t ready() const { return ready_; }
  /// Lanes that have not returned from the kernel.
  std::uint32_t live() const { return live_; }

  /// `lane` has come to an operation of the warp. It waits, unless it was the last to come: then
  /// all that take part can run again, with their results.
  void arrive(std::uint32_t lane, const Call& call);
  /// `lane` waits for the block, until release().
  void wait_for_block(std::uint32_t lane, const Call& call);
  void release(std::uint64_t result);
  /// `lane` has returned from the kernel; nobody waits for it any longer.
  void exit(std::uint32_t lane);

  /// What a lane that waits has come to.
  const Call& call(std::uint32_t lane) const { return calls_[lane]; }
  std::uint64_t result(std::uint32_t lane) const { return results_[lane]; }

 private:
  /// Lanes that have come to the same operation.
  struct Meeting {
    std::uint64_t key;
    std::uint32_t mask;
    std::uint32_t present;
  };

  Meeting& meeting(const Call& call);
  bool finish_if_complete(Meeting& meeting);
  void finish(Meeting& meeting);
  void finish_active_masks();

  std::uint32_t number_ = 0;
  Knowledge* knowledge_ = nullptr;
  std::uint32_t live_ = 0;
  std::uint32_t ready_ = 0;
  std::uint32_t meetings_ = 0;
  Meeting meeting_[kWarp];
  Call calls_[kWarp];
  std::uint64_t results_[kWarp];
};

}  // namespace gannet::simt
