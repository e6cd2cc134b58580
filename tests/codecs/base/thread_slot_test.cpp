// Slots that threads share out among themselves.
#include "codecs/base/threads/thread_slot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace gannet {
namespace {

TEST(ThreadSlot, IsTheThreadsOwnAsLongAsItLives) {
  const std::size_t mine = thread_slot();
  EXPECT_LT(mine, kThreadSlots);
  std::vector<std::size_t> slots(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < slots.size(); ++t) {
      threads.emplace_back([&slots, t] {
        slots[t] = thread_slot();
        EXPECT_EQ(thread_slot(), slots[t]);
      });
    }
  }
  EXPECT_EQ(thread_slot(), mine);
  slots.push_back(mine);
  std::ranges::sort(slots);
  EXPECT_EQ(std::ranges::adjacent_find(slots), slots.end()) << "no two of few threads have one";
}

}  // namespace
}  // namespace gannet
