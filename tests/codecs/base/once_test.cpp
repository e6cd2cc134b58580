// Doing something once, by whichever thread comes first.
#include "codecs/base/threads/once.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gannet {
namespace {

constexpr int kThreads = 8;

template <class F>
void in_threads(const F& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(f);
  for (std::thread& thread : threads) thread.join();
}

TEST(Once, OneThreadDoesItAndAllSeeIt) {
  Once once;
  int done = 0;  // no atomic: the thread sanitizer would tell a second writer, and an early reader
  in_threads([&] {
    once([&] { ++done; });
    EXPECT_EQ(done, 1);
  });
  EXPECT_EQ(done, 1);
}

TEST(Once, WhatThrowsIsTriedAgainByTheNext) {
  Once once;
  int tried = 0;
  std::atomic<int> failed = 0;
  in_threads([&] {
    try {
      once([&] {
        if (++tried <= 3) throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error&) {
      ++failed;
    }
  });
  EXPECT_EQ(failed, 3);
  EXPECT_EQ(tried, 4);
}

}  // namespace
}  // namespace gannet
