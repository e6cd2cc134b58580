// Giving freed memory back to the system.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gannet::tools {

/// Many threads' worth of small blocks would else stay with malloc and count towards the peak of
/// the next phase of the work.
inline void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace gannet::tools
