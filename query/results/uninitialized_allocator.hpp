// An allocator for arrays of numbers that are written before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace gannet::query {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Allocates uninitialised memory that is aligned to a huge page, and asks the kernel to back it
/// with huge pages. `bytes` is a positive multiple of kHugePage. Throws std::bad_alloc.
/// Thread-safe.
void* allocate_huge_pages(std::size_t bytes);
/// Frees memory of allocate_huge_pages(`bytes`). The process keeps up to kMaxKept bytes of freed
/// memory, the most recent blocks, for later requests of exactly `bytes` bytes: the kernel would
/// fill new memory with zeroes (bench/EXPERIMENTS.md, several GPUs). Thread-safe.
void free_huge_pages(void* memory, std::size_t bytes) noexcept;
inline constexpr std::size_t kMaxKept = std::size_t{256} << 20;

/// Elements that are constructed without arguments are default-initialised, so that numbers stay
/// uninitialised. A vector of millions of numbers can be resized without touching its memory, which
/// several threads then fill. Arrays of 2 * kHugePage bytes or more use huge pages: otherwise
/// threads that fill new memory spend their time on page faults, one for every 4 KB. Stateless;
/// thread-safe.
template <class T>
class UninitializedAllocator : public std::allocator<T> {
 public:
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };

  using std::allocator<T>::allocator;

  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::allocate(count);
    return static_cast<T*>(allocate_huge_pages(bytes_of(count)));
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::deallocate(memory, count);
    free_huge_pages(memory, bytes_of(count));
  }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

 private:
  static std::size_t bytes_of(std::size_t count) {
    return (count * sizeof(T) + kHugePage - 1) / kHugePage * kHugePage;
  }
  static bool is_large(std::size_t count) { return count >= 2 * kHugePage / sizeof(T); }
};

}  // namespace gannet::query
