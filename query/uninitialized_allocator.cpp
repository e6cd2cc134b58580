#include "query/uninitialized_allocator.hpp"

#include <sys/mman.h>

namespace gannet::query {

void* allocate_huge_pages(std::size_t bytes) {
  void* const memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));  // a kernel may have none
  return memory;
}

}  // namespace gannet::query
