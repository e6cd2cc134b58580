// Atomic operations: one thread runs at a time, so they are plain ones, between which others may
// run. Each returns what was there before. They are functions of their own, which the check for
// races knows by where they are called, and not by what they read and write.
#pragma once

#include "tests/support/simt/running.hpp"

#define GANNET_SIMT_ATOMIC_FUNCTION __attribute__((noinline, no_sanitize("thread"))) inline

#define GANNET_SIMT_ATOMIC(T, name, becomes)                                     \
  GANNET_SIMT_ATOMIC_FUNCTION T name(T* address, T value) {                      \
    gannet::simt::begin_atomic(address, sizeof(T), __builtin_return_address(0)); \
    const T old = *address;                                                      \
    *address = becomes;                                                          \
    return old;                                                                  \
  }                                                                              \
  inline T name##_block(T* address, T value) { return name(address, value); }

#define GANNET_SIMT_ATOMIC_INTEGERS(T)                                           \
  GANNET_SIMT_ATOMIC(T, atomicMin, value < old ? value : old)                    \
  GANNET_SIMT_ATOMIC(T, atomicMax, old < value ? value : old)                    \
  GANNET_SIMT_ATOMIC(T, atomicAnd, old& value)                                   \
  GANNET_SIMT_ATOMIC(T, atomicOr, old | value)                                   \
  GANNET_SIMT_ATOMIC(T, atomicXor, old ^ value)                                  \
  GANNET_SIMT_ATOMIC(T, atomicExch, value)                                       \
  GANNET_SIMT_ATOMIC_FUNCTION T atomicCAS(T* address, T expected, T value) {     \
    gannet::simt::begin_atomic(address, sizeof(T), __builtin_return_address(0)); \
    const T old = *address;                                                      \
    if (old == expected) *address = value;                                       \
    return old;                                                                  \
  }

GANNET_SIMT_ATOMIC_INTEGERS(int)
GANNET_SIMT_ATOMIC_INTEGERS(unsigned)
GANNET_SIMT_ATOMIC_INTEGERS(unsigned long long)
// Sums of signed numbers wrap around.
GANNET_SIMT_ATOMIC(int, atomicAdd,
                   static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
GANNET_SIMT_ATOMIC(unsigned, atomicAdd, old + value)
GANNET_SIMT_ATOMIC(unsigned long long, atomicAdd, old + value)
GANNET_SIMT_ATOMIC(float, atomicAdd, old + value)
GANNET_SIMT_ATOMIC(double, atomicAdd, old + value)
GANNET_SIMT_ATOMIC(unsigned, atomicSub, old - value)
GANNET_SIMT_ATOMIC(int, atomicSub,
                   static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
GANNET_SIMT_ATOMIC(float, atomicExch, value)
GANNET_SIMT_ATOMIC(unsigned, atomicInc, old >= value ? 0 : old + 1)
GANNET_SIMT_ATOMIC(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)
#undef GANNET_SIMT_ATOMIC_INTEGERS
#undef GANNET_SIMT_ATOMIC
#undef GANNET_SIMT_ATOMIC_FUNCTION
