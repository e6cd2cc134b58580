// Stands in for CUDA's header of this name: copies to shared memory that are under way until they
// are waited for.
#pragma once

#include <cstddef>

#include "tests/support/simt/running.hpp"

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  gannet::simt::copy_later(to, from, bytes, zeros);
}
inline void __pipeline_commit() { gannet::simt::commit_copies(); }
/// Waits for all batches of copies but the `newer` ones committed last.
__attribute__((noinline)) inline void __pipeline_wait_prior(std::size_t newer) {
  gannet::simt::finish_copies(newer, __builtin_return_address(0));
}
