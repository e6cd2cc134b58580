#include "index/documents/recent_block.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace gannet::index {
namespace {

TEST(RecentBlock, IsDecodedOnceInOrder) {
  RecentBlock recent;
  std::vector<std::uint64_t> decoded;
  for (const std::uint64_t number : {3, 3, 3, 4, 4, 3}) {
    const auto block = recent.get(number, [&] {
      decoded.push_back(number);
      return std::to_string(number);
    });
    EXPECT_EQ(*block, std::to_string(number));
  }
  EXPECT_EQ(decoded, (std::vector<std::uint64_t>{3, 4, 3}));
}

TEST(RecentBlock, WhatCannotBeDecodedIsTriedAgain) {
  RecentBlock recent;
  const auto fail = []() -> std::string { throw 7; };
  EXPECT_THROW(recent.get(0, fail), int);
  EXPECT_EQ(*recent.get(0, [] { return std::string("x"); }), "x");
}

TEST(RecentBlock, ThreadsGetTheirOwn) {
  RecentBlock recent;
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t number = (i / 7 + t) % 5;
        const auto block =
            recent.get(number, [&] { return std::string(100, static_cast<char>('a' + number)); });
        ASSERT_EQ(*block, std::string(100, static_cast<char>('a' + number)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace gannet::index
