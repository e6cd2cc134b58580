// An allocator for arrays of numbers that are written before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace gannet::query {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Memory that begins at a huge page, and is made of such where the kernel has any. `bytes` is a
/// multiple of kHugePage. Throws std::bad_alloc. Thread-safe, as is giving it back.
void* allocate_huge_pages(std::size_t bytes);
/// Some of what is given back, kMaxKept bytes at most, is kept for the next request of that size:
/// the kernel would fill it with zeroes again (bench/EXPERIMENTS.md, several GPUs).
void free_huge_pages(void* memory, std::size_t bytes) noexcept;
inline constexpr std::size_t kMaxKept = std::size_t{256} << 20;

/// Elements that are made without a value have none: a vector of millions of them can be resized
/// without touching its memory, which several threads then fill. Large arrays ask for huge pages:
/// else threads that fill new memory spend their time on faults, one every 4 KB.
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
