// What a Block says when a kernel is wrong.
#include <bit>
#include <sstream>

#include "tests/support/simt/block/block.hpp"
#include "tests/support/simt/cuda/device_launch_parameters.h"
#include "tests/support/simt/failure.hpp"
#include "tests/support/simt/symbols.hpp"

namespace gannet::simt {
namespace {

std::string text(const Place& where) {
  return std::string(where.file) + ':' + std::to_string(where.line);
}

/// "lane 3", "lanes 0-15, 17".
std::string lanes_text(std::uint32_t lanes) {
  std::ostringstream out;
  out << (std::has_single_bit(lanes) ? "lane " : "lanes ");
  const char* separator = "";
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const auto run = static_cast<std::uint32_t>(std::countr_one(lanes >> lane));
    out << separator << lane;
    if (run > 1) out << '-' << lane + run - 1;
    separator = ", ";
    lane += run;
  }
  return out.str();
}

/// Those of `lanes` that wait at the same place for the same as the first of them.
std::uint32_t alike(const Warp& warp, std::uint32_t lanes) {
  const Call& first = warp.call(std::countr_zero(lanes));
  std::uint32_t same = 0;
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const Call& call = warp.call(lane);
    if (call.key() == first.key() && call.where == first.where) same |= 1u << lane;
  }
  return same;
}

/// Of the lanes that an operation is for, those that have not come to it and never will.
std::uint32_t missing(const Warp& warp, const Call& call) {
  std::uint32_t absent = call.mask & warp.live();
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((absent >> lane & 1) != 0 && warp.call(lane).key() == call.key()) absent &= ~(1u << lane);
  }
  return absent;
}

}  // namespace

std::string Block::failure_text(const std::string& what) const {
  std::ostringstream out;
  out << "kernel " << kernel_name(kernel_.address) << ", block (" << blockIdx.x << ", "
      << blockIdx.y << ", " << blockIdx.z << "): " << what;
  return out.str();
}

void Block::fail(const std::string& what) {
  std::ostringstream out;
  out << "warp " << running_->warp << ", lane " << running_->lane << ' ' << what;
  cancel(std::make_exception_ptr(KernelFailure(failure_text(out.str()))));
  throw Cancelled{};
}

void Block::check(const Call& call, std::uint32_t lane) {
  const auto refuse = [&](const std::string& why) {
    fail("is at " + description(call) + " (" + text(call.where) + ')' + why);
  };
  if (is_block(call.what)) {
    if (!barrier_.admits(call)) {
      refuse(", while other threads of the block wait at " + description(barrier_.call()) + " (" +
             text(barrier_.call().where) + "): all must come to the same one");
    }
    return;
  }
  if (call.what == Collective::kActiveMask) return;
  if ((call.mask >> lane & 1) == 0) refuse(", whose mask does not name it");
  if (call.width == 0 || call.width > kWarp || !std::has_single_bit(call.width)) {
    refuse(" with width " + std::to_string(call.width) + ": it is 1, 2, 4, 8, 16 or 32");
  }
}

std::string Block::who_waits() const {
  constexpr int kMaxLines = 12;
  std::ostringstream out;
  out << "no thread can go on.";
  int lines = 0;
  for (std::uint32_t w = 0; w * kWarp < size_; ++w) {
    const Warp& warp = warps_[w];
    for (std::uint32_t rest = warp.live(); rest != 0 && lines++ < kMaxLines;) {
      const std::uint32_t group = alike(warp, rest);
      const Call& call = warp.call(std::countr_zero(group));
      out << "\n  warp " << w << ", " << lanes_text(group) << " at " << description(call) << " ("
          << text(call.where) << ')';
      if (!is_block(call.what)) out << ", waiting for " << lanes_text(missing(warp, call));
      rest &= ~group;
    }
  }
  out << "\nAll lanes that a mask names must come to the same operation with the same mask, and "
         "all threads of a block to its barriers, unless they have returned.";
  return out.str();
}

}  // namespace gannet::simt
