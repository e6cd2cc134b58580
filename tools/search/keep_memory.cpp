#include "tools/search/keep_memory.hpp"

#include <cstdlib>  // defines __GLIBC__ where it is
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gannet::tools {

void keep_freed_memory() {
#ifdef __GLIBC__
  // The results of a batch are tens of megabytes. These are the largest sizes that glibc takes.
  constexpr int kMaxFromHeap = 32 << 20;
  constexpr int kKept = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kMaxFromHeap);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace gannet::tools
