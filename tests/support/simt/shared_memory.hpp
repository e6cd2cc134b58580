// A block's shared memory. Variables that a kernel declares __shared__ are ordinary thread_local
// variables; they and the dynamic part are filled with a pattern before every block, as no kernel
// may rely on what a block finds there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gannet::simt {

/// What a block has on compute capability 9.0.
inline constexpr std::size_t kMaxSharedBytes = 228 << 10;

/// An array that kernels see by `extern __shared__`: of this host thread, by a function.
class DynamicShared {
 public:
  explicit DynamicShared(std::byte* (*array)());
};

template <class T>
__attribute__((noinline)) T initial() {
  return T();
}

/// The shared memory that a launch uses.
class SharedMemory {
 public:
  SharedMemory(const void* kernel, std::size_t dynamic_bytes);
  /// Under the address sanitizer, makes all of the dynamic arrays accessible again.
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  void fill(std::uint32_t pattern);

 private:
  std::vector<std::span<std::byte>> parts_;
};

}  // namespace gannet::simt

/// Defines what `extern __shared__ T name[]` in kernels of the enclosing namespace stands for. Once
/// in the program for each namespace and name, before kernels of the same file; dynamic_shared.cpp
/// has those of the library.
// Initialised by a call: g++ 12 calls the initialising function of such a variable from templates
// even if there is none.
#define GANNET_SIMT_DYNAMIC_SHARED(T, name)                                     \
  alignas(1024) thread_local T name[gannet::simt::kMaxSharedBytes / sizeof(T)]{ \
      gannet::simt::initial<T>()};                                              \
  static const gannet::simt::DynamicShared gannet_simt_registered_##name{       \
      [] { return reinterpret_cast<std::byte*>(name); }};
