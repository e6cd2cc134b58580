#include "tests/support/simt/block/warp.hpp"

#include <bit>

namespace gannet::simt {

void Warp::begin(std::uint32_t number, std::uint32_t lanes, Knowledge& knowledge) {
  number_ = number;
  knowledge_ = &knowledge;
  live_ = lanes;
  ready_ = lanes;
  meetings_ = 0;
}

Warp::Meeting& Warp::meeting(const Call& call) {
  const std::uint64_t key = call.key();
  for (std::uint32_t i = 0; i < meetings_; ++i) {
    if (meeting_[i].key == key) return meeting_[i];
  }
  Meeting& fresh = meeting_[meetings_++];
  fresh = {.key = key, .mask = call.mask, .present = 0};
  return fresh;
}

void Warp::finish(Meeting& meeting) {
  complete(meeting.present, calls_, results_);
  const Collective what = calls_[std::countr_zero(meeting.present)].what;
  knowledge_->meet(number_, meeting.present, what == Collective::kSyncWarp);
  ready_ |= meeting.present;
  meeting = meeting_[--meetings_];
}

bool Warp::finish_if_complete(Meeting& meeting) {
  if (calls_[std::countr_zero(meeting.present)].what == Collective::kActiveMask) return false;
  if ((meeting.mask & live_) != meeting.present) return false;
  finish(meeting);
  return true;
}

/// Which lanes are active together is the hardware's choice. Here those are that come to the same
/// __activemask() before every other lane waits for something.
void Warp::finish_active_masks() {
  for (std::uint32_t i = 0; i < meetings_ && ready_ == 0;) {
    if (calls_[std::countr_zero(meeting_[i].present)].what == Collective::kActiveMask) {
      finish(meeting_[i]);
    } else {
      ++i;
    }
  }
}

void Warp::arrive(std::uint32_t lane, const Call& call) {
  calls_[lane] = call;
  ready_ &= ~(1u << lane);
  Meeting& at = meeting(call);
  at.present |= 1u << lane;
  finish_if_complete(at);
  if (ready_ == 0) finish_active_masks();
}

void Warp::wait_for_block(std::uint32_t lane, const Call& call) {
  calls_[lane] = call;
  ready_ &= ~(1u << lane);
  if (ready_ == 0) finish_active_masks();
}

void Warp::release(std::uint64_t result) {
  for (std::uint64_t& each : results_) each = result;
  ready_ = live_;
}

void Warp::exit(std::uint32_t lane) {
  live_ &= ~(1u << lane);
  ready_ &= ~(1u << lane);
  for (std::uint32_t i = 0; i < meetings_;) {
    if (!finish_if_complete(meeting_[i])) ++i;
  }
  if (ready_ == 0) finish_active_masks();
}

}  // namespace gannet::simt
