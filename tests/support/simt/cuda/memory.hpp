// Loads and stores with a hint for the caches, fences, and what stands for time.
#pragma once

#include <chrono>
#include <type_traits>

#include "tests/support/simt/running.hpp"

#define GANNET_SIMT_LOAD(name)      \
  template <class T>                \
  inline T name(const T* address) { \
    return *address;                \
  }
GANNET_SIMT_LOAD(__ldg)
GANNET_SIMT_LOAD(__ldca)
GANNET_SIMT_LOAD(__ldcg)
GANNET_SIMT_LOAD(__ldcs)
GANNET_SIMT_LOAD(__ldcv)
GANNET_SIMT_LOAD(__ldlu)
#undef GANNET_SIMT_LOAD

#define GANNET_SIMT_STORE(name)                                 \
  template <class T>                                            \
  inline void name(T* address, std::type_identity_t<T> value) { \
    *address = value;                                           \
  }
GANNET_SIMT_STORE(__stwb)
GANNET_SIMT_STORE(__stcg)
GANNET_SIMT_STORE(__stcs)
GANNET_SIMT_STORE(__stwt)
#undef GANNET_SIMT_STORE

// What a thread has written is seen by all at once; whether others may rely on that, the check for
// races asks.
inline void __threadfence() { gannet::simt::fence(); }
inline void __threadfence_block() { gannet::simt::fence(); }
inline void __threadfence_system() { gannet::simt::fence(); }
inline void __nanosleep(unsigned) { gannet::simt::pause(); }

// Where an address lies.
inline unsigned __isShared(const void* address) { return gannet::simt::is_shared(address) ? 1 : 0; }
inline unsigned __isLocal(const void* address) { return gannet::simt::is_local(address) ? 1 : 0; }
inline unsigned __isGlobal(const void* address) {
  return gannet::simt::is_shared(address) || gannet::simt::is_local(address) ? 0 : 1;
}

inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// A kernel begins when the one before it has ended.
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline void cudaGridDependencySynchronize() {}

#define __assume(condition) (static_cast<void>(0))
#if !defined(__clang__)
inline void __builtin_assume(bool) {}
#endif
