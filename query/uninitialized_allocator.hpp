// An allocator for arrays of numbers that are written before they are read.
#pragma once

#include <memory>
#include <new>
#include <utility>

namespace gannet::query {

/// Elements that are made without a value have none: a vector of millions of them can be resized
/// without touching its memory, which several threads then fill.
template <class T>
class UninitializedAllocator : public std::allocator<T> {
 public:
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };

  using std::allocator<T>::allocator;

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace gannet::query
