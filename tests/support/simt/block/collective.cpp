#include "tests/support/simt/block/collective.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace gannet::simt {
namespace {

constexpr std::array kNames{
    "__syncthreads",     "__syncthreads_count", "__syncthreads_and", "__syncthreads_or",
    "__syncwarp",        "__activemask",        "__shfl_sync",       "__shfl_up_sync",
    "__shfl_down_sync",  "__shfl_xor_sync",     "__ballot_sync",     "__any_sync",
    "__all_sync",        "__match_any_sync",    "__match_all_sync",  "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_min_sync",   "__reduce_max_sync", "__reduce_max_sync",
    "__reduce_and_sync", "__reduce_or_sync",    "__reduce_xor_sync"};
static_assert(kNames.size() == static_cast<std::size_t>(Collective::kReduceXor) + 1);

/// What a lane gets of a lane that takes no part: CUDA leaves it undefined.
constexpr std::uint64_t kUndefined = 0xbadc0ffee0ddf00d;

template <class F>
void each_lane(std::uint32_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// The lane that `lane` reads in a shuffle: PTX, shfl.sync.
std::uint32_t source(const Call& call, std::uint32_t lane) {
  const std::uint32_t first = lane & ~(call.width - 1);
  const std::uint32_t last = lane | (call.width - 1);
  const std::uint32_t by = call.lane % kWarp;
  switch (call.what) {
    case Collective::kShflUp:
      return lane >= first + by ? lane - by : lane;
    case Collective::kShflDown:
      return lane + by <= last ? lane + by : lane;
    case Collective::kShflXor:
      return (lane ^ by) <= last ? lane ^ by : lane;
    default:
      return first | (by & (call.width - 1));
  }
}

void shuffle(std::uint32_t present, const Call (&calls)[kWarp], std::uint64_t (&results)[kWarp]) {
  each_lane(present, [&](std::uint32_t lane) {
    const std::uint32_t from = source(calls[lane], lane);
    results[lane] = (present >> from & 1) != 0 ? calls[from].value : kUndefined;
  });
}

std::uint32_t lanes_with(std::uint32_t present, const Call (&calls)[kWarp], std::uint64_t value) {
  std::uint32_t same = 0;
  each_lane(present,
            [&](std::uint32_t lane) { same |= (calls[lane].value == value ? 1u : 0u) << lane; });
  return same;
}

std::uint32_t combined(Collective what, std::uint32_t a, std::uint32_t b) {
  switch (what) {
    case Collective::kReduceAdd:
      return a + b;
    case Collective::kReduceMin:
      return std::min(a, b);
    case Collective::kReduceMinSigned:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b;
    case Collective::kReduceMax:
      return std::max(a, b);
    case Collective::kReduceMaxSigned:
      return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a;
    case Collective::kReduceAnd:
      return a & b;
    case Collective::kReduceOr:
      return a | b;
    default:
      return a ^ b;
  }
}

std::uint32_t reduction(Collective what, std::uint32_t present, const Call (&calls)[kWarp]) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(present));
  auto result = static_cast<std::uint32_t>(calls[first].value);
  each_lane(present & (present - 1), [&](std::uint32_t lane) {
    result = combined(what, result, static_cast<std::uint32_t>(calls[lane].value));
  });
  return result;
}

/// For operations of which all lanes get the same.
std::uint64_t common_result(Collective what, std::uint32_t present, const Call (&calls)[kWarp]) {
  switch (what) {
    case Collective::kSyncWarp:
      return 0;
    case Collective::kActiveMask:
      return present;
    case Collective::kBallot:
      return present & ~lanes_with(present, calls, 0);
    case Collective::kAny:
      return lanes_with(present, calls, 0) != present ? 1 : 0;
    case Collective::kAll:
      return lanes_with(present, calls, 0) == 0 ? 1 : 0;
    case Collective::kMatchAll: {
      const std::uint64_t value = calls[std::countr_zero(present)].value;
      return lanes_with(present, calls, value) == present ? present : 0;
    }
    default:
      return reduction(what, present, calls);
  }
}

}  // namespace

std::string description(const Call& call) {
  std::string text = kNames[static_cast<std::size_t>(call.what)];
  if (is_block(call.what) || call.what == Collective::kActiveMask) return text + "()";
  char mask[16];
  std::snprintf(mask, sizeof mask, "(0x%08x)", call.mask);
  return text + mask;
}

void complete(std::uint32_t present, const Call (&calls)[kWarp], std::uint64_t (&results)[kWarp]) {
  const Collective what = calls[std::countr_zero(present)].what;
  if (what >= Collective::kShfl && what <= Collective::kShflXor) {
    shuffle(present, calls, results);
  } else if (what == Collective::kMatchAny) {
    each_lane(present, [&](std::uint32_t lane) {
      results[lane] = lanes_with(present, calls, calls[lane].value);
    });
  } else {
    const std::uint64_t result = common_result(what, present, calls);
    each_lane(present, [&](std::uint32_t lane) { results[lane] = result; });
  }
}

}  // namespace gannet::simt
