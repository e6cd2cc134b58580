// What tests of the check for races share: blocks of 64 threads, and 64 words of shared memory.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "tests/support/simt/launch.hpp"

namespace gannet::simt {

class Races : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
#if !defined(GANNET_SIMT_FINDS_RACES)
    GTEST_SKIP() << "not built with calls at every access";
#endif
  }

  /// What is wrong with a block of 64 threads that run `body`, or nothing.
  std::string race(const std::function<void()>& body) const {
    try {
      launch({.grid = 2, .block = 64, .seed = GetParam()}, [&] { body(); });
    } catch (const KernelFailure& error) {
      return error.what();
    }
    return "";
  }
};

const auto kIsRace = ::testing::HasSubstr("a race.");

inline std::uint32_t lane() { return threadIdx.x % 32; }
inline std::uint32_t warp() { return threadIdx.x / 32; }

/// Sixty-four words a block.
__device__ inline std::uint32_t* room() {
  __shared__ std::uint32_t words[64];
  return words;
}

}  // namespace gannet::simt
