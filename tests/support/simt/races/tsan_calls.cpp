// What code calls that is compiled with -fsanitize=thread: every access to memory that others may
// see. Here a running kernel's accesses are checked for races; those of host code are let through.
#include <atomic>
#include <cstddef>

#include "tests/support/simt/running.hpp"

using gannet::simt::note_access;

#define GANNET_CODE __builtin_return_address(0)
#define GANNET_TSAN_ACCESS(name, bytes, write, atomic) \
  void __tsan_##name(void* address) { note_access({address, bytes, write, atomic, GANNET_CODE}); }
#define GANNET_TSAN_SIZE(size)                                         \
  GANNET_TSAN_ACCESS(read##size, size, false, false)                   \
  GANNET_TSAN_ACCESS(write##size, size, true, false)                   \
  GANNET_TSAN_ACCESS(unaligned_read##size, size, false, false)         \
  GANNET_TSAN_ACCESS(unaligned_write##size, size, true, false)         \
  GANNET_TSAN_ACCESS(volatile_read##size, size, false, true)           \
  GANNET_TSAN_ACCESS(volatile_write##size, size, true, true)           \
  GANNET_TSAN_ACCESS(unaligned_volatile_read##size, size, false, true) \
  GANNET_TSAN_ACCESS(unaligned_volatile_write##size, size, true, true) \
  void __tsan_read_write##size(void* address) {                        \
    note_access({address, size, true, false, GANNET_CODE});            \
  }

// std::atomic and the like, which is host code's.
#define GANNET_TSAN_FETCH(bits, T, operation)                       \
  T __tsan_atomic##bits##_fetch_##operation(T* at, T value, int) {  \
    return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST); \
  }
#define GANNET_TSAN_ATOMIC(bits, T)                                                                \
  T __tsan_atomic##bits##_load(const T* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); } \
  void __tsan_atomic##bits##_store(T* at, T value, int) {                                          \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                                \
  T __tsan_atomic##bits##_exchange(T* at, T value, int) {                                          \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                       \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(T* at, T* expected, T value, int, int) {       \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,               \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(T* at, T* expected, T value, int, int) {         \
    return __atomic_compare_exchange_n(at, expected, value, true, __ATOMIC_SEQ_CST,                \
                                       __ATOMIC_SEQ_CST);                                          \
  }                                                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(T* at, T expected, T value, int, int) {             \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
    return expected;                                                                               \
  }                                                                                                \
  GANNET_TSAN_FETCH(bits, T, add)                                                                  \
  GANNET_TSAN_FETCH(bits, T, sub)                                                                  \
  GANNET_TSAN_FETCH(bits, T, and)                                                                  \
  GANNET_TSAN_FETCH(bits, T, or)                                                                   \
  GANNET_TSAN_FETCH(bits, T, xor)

// Declared by nobody: the compilers know them by name.
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#endif

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
// Pointers to virtual functions are set by constructors, of objects that only one thread knows.
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

GANNET_TSAN_SIZE(1)
GANNET_TSAN_SIZE(2)
GANNET_TSAN_SIZE(4)
GANNET_TSAN_SIZE(8)
GANNET_TSAN_SIZE(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  note_access({address, bytes, false, false, GANNET_CODE});
}
void __tsan_write_range(void* address, std::size_t bytes) {
  note_access({address, bytes, true, false, GANNET_CODE});
}

GANNET_TSAN_ATOMIC(8, unsigned char)
GANNET_TSAN_ATOMIC(16, unsigned short)
GANNET_TSAN_ATOMIC(32, unsigned int)
GANNET_TSAN_ATOMIC(64, unsigned long)
void __tsan_atomic_thread_fence(int) { std::atomic_thread_fence(std::memory_order_seq_cst); }
void __tsan_atomic_signal_fence(int) { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // extern "C"
