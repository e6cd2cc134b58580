// Atomic operations: each returns what was there, and leaves what CUDA says.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::simt {
namespace {

using test::Random;

template <class T>
class Atomics : public ::testing::Test {
 protected:
  /// Runs `operation(address, value)` on pairs of numbers: it returns the old one and leaves
  /// `expected(old, value)`.
  template <class Operation, class Expected>
  void expect(Operation operation, Expected expected) {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
      const T old = i % 10 == 0 ? std::numeric_limits<T>::max() : number(random);
      const T value = i % 7 == 0 ? old : number(random);
      T memory = old;
      T returned{};
      launch({1, 1}, [&] { returned = operation(&memory, value); });
      EXPECT_EQ(returned, old);
      EXPECT_EQ(memory, expected(old, value)) << +old << ' ' << +value;
    }
  }

  static T number(Random& random) {
    return static_cast<T>(test::random64(random) >> random() % 64);
  }
};
using Integers = ::testing::Types<int, unsigned, unsigned long long>;
TYPED_TEST_SUITE(Atomics, Integers);

TYPED_TEST(Atomics, LeaveWhatCudaSays) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  this->expect([](T* a, T v) { return atomicAdd(a, v); },
               [](T a, T v) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(v)); });
  this->expect([](T* a, T v) { return atomicMin(a, v); }, [](T a, T v) { return a < v ? a : v; });
  this->expect([](T* a, T v) { return atomicMax(a, v); }, [](T a, T v) { return a > v ? a : v; });
  this->expect([](T* a, T v) { return atomicAnd(a, v); }, [](T a, T v) { return a & v; });
  this->expect([](T* a, T v) { return atomicOr(a, v); }, [](T a, T v) { return a | v; });
  this->expect([](T* a, T v) { return atomicXor(a, v); }, [](T a, T v) { return a ^ v; });
  this->expect([](T* a, T v) { return atomicExch(a, v); }, [](T, T v) { return v; });
  // Compared with what is there in a seventh of the cases.
  this->expect([](T* a, T v) { return atomicCAS(a, v, T{3}); },
               [](T a, T v) { return a == v ? T{3} : a; });
}

TEST(Atomics, OfUnsignedWordsAlone) {
  std::vector<unsigned> words{5, 5, 7, 0, 3, 9};
  std::vector<unsigned> old(6);
  launch({1, 1}, [&] {
    old[0] = atomicSub(&words[0], 6u);
    old[1] = atomicInc(&words[1], 6u);
    old[2] = atomicInc(&words[2], 7u);
    old[3] = atomicDec(&words[3], 4u);
    old[4] = atomicDec(&words[4], 4u);
    old[5] = atomicDec(&words[5], 4u);
  });
  EXPECT_EQ(old, (std::vector<unsigned>{5, 5, 7, 0, 3, 9}));
  EXPECT_EQ(words, (std::vector<unsigned>{0xffffffffu, 6, 0, 4, 2, 4}));
}

TEST(Atomics, OfFloats) {
  float sum = 0.5f;
  double wide = 0.25;
  launch({2, 100}, [&] {
    atomicAdd(&sum, 0.25f);
    atomicAdd(&wide, 0.125);
  });
  EXPECT_EQ(sum, 50.5f);
  EXPECT_EQ(wide, 25.25);
}

/// Between a thread's atomic operations others run, in shuffled orders: what is made of two of them
/// is not atomic.
TEST(Atomics, OthersRunInBetween) {
  unsigned lost = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    unsigned count = 0;
    launch({.grid = 1, .block = 256, .seed = seed}, [&] {
      const unsigned seen = atomicAdd(&count, 0u);
      atomicExch(&count, seen + 1);
    });
    lost += 256 - count;
  }
  EXPECT_GT(lost, 0u);
}

/// A sum by compare-and-swap is right in all orders.
TEST(Atomics, CompareAndSwapLosesNothing) {
  for (std::uint64_t seed = 0; seed <= 5; ++seed) {
    unsigned long long sum = 0;
    launch({.grid = 3, .block = 256, .seed = seed}, [&] {
      unsigned long long seen = *const_cast<volatile unsigned long long*>(&sum);
      for (;;) {
        const unsigned long long found = atomicCAS(&sum, seen, seen + threadIdx.x);
        if (found == seen) break;
        seen = found;
      }
    });
    EXPECT_EQ(sum, 3u * 255 * 128);
  }
}

}  // namespace
}  // namespace gannet::simt
