// Runs a CUDA kernel on the host, thread for thread:
//
//   simt::launch({.grid = 100, .block = 256, .shared_bytes = 4096}, kernel<7>, input, output);
//
// Blocks run one after the other, on the calling host thread; so do the threads of a block, each
// until it has to wait for others. What a kernel does wrong is thrown, as a KernelFailure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tests/support/simt/block/block.hpp"
#include "tests/support/simt/cuda/vector_types.h"
#include "tests/support/simt/failure.hpp"

namespace gannet::simt {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory
  /// 0: blocks, warps and lanes run in ascending order. Any other number: in an order of its own,
  /// in which a thread is also left now and then where it uses atomics. A kernel gives the same in
  /// all orders, if that is what it promises.
  std::uint64_t seed = 0;
  /// Whether accesses of threads of a block to the same memory that nothing orders are an error,
  /// where the compiler can tell of accesses: see races/detector.hpp.
  bool check_races = true;
};

/// Throws std::invalid_argument where CUDA would refuse the launch, or what a thread throws.
void launch_kernel(const Launch& launch, const Kernel& kernel);

/// Runs a __global__ function. Every thread gets parameters of its own, as a copy.
template <class... Parameters, class... Arguments>
void launch(const Launch& launch, void (*kernel)(Parameters...), Arguments&&... arguments) {
  using Values = std::tuple<std::remove_cv_t<Parameters>...>;
  struct Whole {
    void (*kernel)(Parameters...);
    Values values;
  };
  const Whole whole{kernel, Values(std::forward<Arguments>(arguments)...)};
  launch_kernel(launch, {.address = reinterpret_cast<const void*>(kernel),
                         .call =
                             [](const void* data) {
                               const Whole& w = *static_cast<const Whole*>(data);
                               std::apply(w.kernel, w.values);
                             },
                         .arguments = &whole});
}

/// Runs a lambda without parameters as a kernel: what it captures is the device's memory.
template <class Body>
requires(std::is_class_v<Body>) void launch(const Launch& launch, const Body& body) {
  // A member function that is not virtual is an address and an offset, which is 0.
  void (Body::*const code)() const = &Body::operator();
  const void* address = nullptr;
  std::memcpy(&address, &code, sizeof address);
  launch_kernel(launch, {.address = address,
                         .call = [](const void* data) { (*static_cast<const Body*>(data))(); },
                         .arguments = &body});
}

}  // namespace gannet::simt
