// CUDA's min and max in the global namespace.
#pragma once

#include <cmath>
#include <type_traits>

namespace gannet::simt {
template <class T>
concept Number = std::is_arithmetic_v<T>;
}  // namespace gannet::simt

// What C++ makes of two operands is what CUDA's overloads return: unsigned if one of them is.
template <gannet::simt::Number A, gannet::simt::Number B>
constexpr auto min(A a, B b) {
  using T = decltype(a + b);
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmin(static_cast<T>(a), static_cast<T>(b));
  } else {
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
  }
}

template <gannet::simt::Number A, gannet::simt::Number B>
constexpr auto max(A a, B b) {
  using T = decltype(a + b);
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmax(static_cast<T>(a), static_cast<T>(b));
  } else {
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
  }
}
