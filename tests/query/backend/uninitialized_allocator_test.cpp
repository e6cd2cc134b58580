// Memory of large results.
#include "query/results/uninitialized_allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace gannet::query {
namespace {

// A size that no other test gives back before.
constexpr std::size_t kBlockBytes = 11 * kHugePage;

TEST(HugePages, WhatIsGivenBackIsUsedAgain) {
  void* const first = allocate_huge_pages(kBlockBytes);
  free_huge_pages(first, kBlockBytes);
  void* const other = allocate_huge_pages(2 * kBlockBytes);
  EXPECT_NE(other, first) << "it is not as large";
  void* const same = allocate_huge_pages(kBlockBytes);
  EXPECT_EQ(same, first);
  void* const another = allocate_huge_pages(kBlockBytes);
  EXPECT_NE(another, first) << "is in use";
  for (void* const memory : {same, another}) {
    std::memset(memory, 1, kBlockBytes);
    free_huge_pages(memory, kBlockBytes);
  }
  free_huge_pages(other, 2 * kBlockBytes);
}

/// No more than kMaxKept is kept, that which was given back last.
TEST(HugePages, TheOldestGoes) {
  constexpr std::size_t kQuarter = kMaxKept / 4;
  std::vector<void*> blocks;
  for (int i = 0; i < 5; ++i) blocks.push_back(allocate_huge_pages(kQuarter));
  for (void* const block : blocks) free_huge_pages(block, kQuarter);
  std::vector<void*> again;
  for (int i = 0; i < 4; ++i) again.push_back(allocate_huge_pages(kQuarter));
  std::vector<void*> kept(blocks.begin() + 1, blocks.end());
  std::ranges::sort(kept);
  std::ranges::sort(again);
  EXPECT_EQ(again, kept);
  for (void* const block : again) free_huge_pages(block, kQuarter);
  free_huge_pages(allocate_huge_pages(kMaxKept + kHugePage), kMaxKept + kHugePage);
  void* const last = allocate_huge_pages(kQuarter);
  EXPECT_TRUE(std::ranges::find(again, last) != again.end());
  free_huge_pages(last, kQuarter);
}

}  // namespace
}  // namespace gannet::query
