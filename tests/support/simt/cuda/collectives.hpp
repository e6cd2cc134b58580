// Barriers, and what the lanes of a warp do together.
#pragma once

#include <cstdint>
#include <cstring>

#include "tests/support/simt/running.hpp"

namespace gannet::simt {

template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
T shuffle(Collective what, unsigned mask, T value, unsigned lane, int width, Place where) {
  return from_bits<T>(collective({.what = what,
                                  .bytes = sizeof(T),
                                  .mask = mask,
                                  .value = to_bits(value),
                                  .lane = lane,
                                  .width = static_cast<std::uint32_t>(width),
                                  .where = where}));
}

template <class T>
unsigned reduce(Collective what, unsigned mask, T value, Place where) {
  return static_cast<unsigned>(
      collective({.what = what, .mask = mask, .value = to_bits(value), .where = where}));
}

}  // namespace gannet::simt

#define GANNET_SIMT_HERE const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

inline void __syncthreads(GANNET_SIMT_HERE) {
  gannet::simt::collective({.what = gannet::simt::Collective::kSyncThreads, .where = {file, line}});
}

inline void __syncwarp(unsigned mask = 0xffffffffu, GANNET_SIMT_HERE) {
  gannet::simt::collective(
      {.what = gannet::simt::Collective::kSyncWarp, .mask = mask, .where = {file, line}});
}

inline unsigned __activemask(GANNET_SIMT_HERE) {
  return static_cast<unsigned>(gannet::simt::collective(
      {.what = gannet::simt::Collective::kActiveMask, .where = {file, line}}));
}

#define GANNET_SIMT_VOTE_OF_BLOCK(name, kind)                                                    \
  inline int name(int predicate, GANNET_SIMT_HERE) {                                             \
    return static_cast<int>(                                                                     \
        gannet::simt::collective({.what = gannet::simt::Collective::kind,                        \
                                  .value = predicate != 0 ? std::uint64_t{1} : std::uint64_t{0}, \
                                  .where = {file, line}}));                                      \
  }
GANNET_SIMT_VOTE_OF_BLOCK(__syncthreads_count, kSyncThreadsCount)
GANNET_SIMT_VOTE_OF_BLOCK(__syncthreads_and, kSyncThreadsAnd)
GANNET_SIMT_VOTE_OF_BLOCK(__syncthreads_or, kSyncThreadsOr)
#undef GANNET_SIMT_VOTE_OF_BLOCK

#define GANNET_SIMT_VOTE(Result, name, kind)                                                  \
  inline Result name(unsigned mask, int predicate, GANNET_SIMT_HERE) {                        \
    return static_cast<Result>(gannet::simt::reduce(gannet::simt::Collective::kind, mask,     \
                                                    predicate != 0 ? 1u : 0u, {file, line})); \
  }
GANNET_SIMT_VOTE(unsigned, __ballot_sync, kBallot)
GANNET_SIMT_VOTE(int, __any_sync, kAny)
GANNET_SIMT_VOTE(int, __all_sync, kAll)
#undef GANNET_SIMT_VOTE

#define GANNET_SIMT_REDUCTION(T, name, kind)                                              \
  inline T name(unsigned mask, T value, GANNET_SIMT_HERE) {                               \
    return static_cast<T>(                                                                \
        gannet::simt::reduce(gannet::simt::Collective::kind, mask, value, {file, line})); \
  }
GANNET_SIMT_REDUCTION(unsigned, __reduce_add_sync, kReduceAdd)
GANNET_SIMT_REDUCTION(int, __reduce_add_sync, kReduceAdd)
GANNET_SIMT_REDUCTION(unsigned, __reduce_min_sync, kReduceMin)
GANNET_SIMT_REDUCTION(int, __reduce_min_sync, kReduceMinSigned)
GANNET_SIMT_REDUCTION(unsigned, __reduce_max_sync, kReduceMax)
GANNET_SIMT_REDUCTION(int, __reduce_max_sync, kReduceMaxSigned)
GANNET_SIMT_REDUCTION(unsigned, __reduce_and_sync, kReduceAnd)
GANNET_SIMT_REDUCTION(unsigned, __reduce_or_sync, kReduceOr)
GANNET_SIMT_REDUCTION(unsigned, __reduce_xor_sync, kReduceXor)
#undef GANNET_SIMT_REDUCTION

#define GANNET_SIMT_SHUFFLE(T, name, kind, Lane)                                       \
  inline T name(unsigned mask, T value, Lane lane, int width = 32, GANNET_SIMT_HERE) { \
    return gannet::simt::shuffle<T>(gannet::simt::Collective::kind, mask, value,       \
                                    static_cast<unsigned>(lane), width, {file, line}); \
  }
// For the types for which CUDA has the functions.
#define GANNET_SIMT_FOR_TYPE(T)                                                                  \
  GANNET_SIMT_SHUFFLE(T, __shfl_sync, kShfl, int)                                                \
  GANNET_SIMT_SHUFFLE(T, __shfl_up_sync, kShflUp, unsigned)                                      \
  GANNET_SIMT_SHUFFLE(T, __shfl_down_sync, kShflDown, unsigned)                                  \
  GANNET_SIMT_SHUFFLE(T, __shfl_xor_sync, kShflXor, int)                                         \
  inline unsigned __match_any_sync(unsigned mask, T value, GANNET_SIMT_HERE) {                   \
    return gannet::simt::reduce(gannet::simt::Collective::kMatchAny, mask, value, {file, line}); \
  }                                                                                              \
  inline unsigned __match_all_sync(unsigned mask, T value, int* all, GANNET_SIMT_HERE) {         \
    const unsigned same =                                                                        \
        gannet::simt::reduce(gannet::simt::Collective::kMatchAll, mask, value, {file, line});    \
    *all = same != 0 ? 1 : 0;                                                                    \
    return same;                                                                                 \
  }
GANNET_SIMT_FOR_TYPE(int)
GANNET_SIMT_FOR_TYPE(unsigned)
GANNET_SIMT_FOR_TYPE(long)
GANNET_SIMT_FOR_TYPE(unsigned long)
GANNET_SIMT_FOR_TYPE(long long)
GANNET_SIMT_FOR_TYPE(unsigned long long)
GANNET_SIMT_FOR_TYPE(float)
GANNET_SIMT_FOR_TYPE(double)
#undef GANNET_SIMT_FOR_TYPE
#undef GANNET_SIMT_SHUFFLE
#undef GANNET_SIMT_HERE
