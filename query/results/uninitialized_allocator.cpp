#include "query/results/uninitialized_allocator.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace gannet::query {
namespace {

/// Memory that was given back, the last one at the end.
class KeptMemory {
 public:
  /// Null if there is none of this size.
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(blocks_, bytes, &Block::bytes);
    if (found == blocks_.end()) return nullptr;
    void* const memory = found->memory;
    kept_ -= bytes;
    blocks_.erase(found);
    return memory;
  }

  /// Keeps it, and gives back to the system what has been kept for longest and is too much.
  void keep(void* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back({memory, bytes});
    kept_ += bytes;
    while (kept_ > kMaxKept) {
      kept_ -= blocks_.front().bytes;
      std::free(blocks_.front().memory);
      blocks_.erase(blocks_.begin());
    }
  }

 private:
  struct Block {
    void* memory;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Block> blocks_;
  std::size_t kept_ = 0;
};

/// Lives as long as the program: results may be given back when it ends.
KeptMemory& kept_memory() {
  static KeptMemory& memory = *new KeptMemory;
  return memory;
}

}  // namespace

void* allocate_huge_pages(std::size_t bytes) {
  if (void* const kept = kept_memory().take(bytes)) return kept;
  void* const memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));  // a kernel may have none
  return memory;
}

void free_huge_pages(void* memory, std::size_t bytes) noexcept {
  if (bytes > kMaxKept) return std::free(memory);
  try {
    kept_memory().keep(memory, bytes);
  } catch (const std::bad_alloc&) {
    std::free(memory);
  }
}

}  // namespace gannet::query
