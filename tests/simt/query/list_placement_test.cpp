#include "query/gpu/plan/list_placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "query/gpu/plan/list_location.hpp"

namespace gannet::query::cuda {
namespace {

using testing::ElementsAre;

TEST(ListPlacement, WordsReachToTheNextList) {
  // The second list of the index stands first, the fourth is nowhere.
  const std::vector<DeviceList> table{{20, 0, 3, 5}, {0, 0, 9, 700}, {32, 0, 1, 1}, {}};
  const auto lists = words_of_lists(table, 40);
  EXPECT_EQ(lists[0].first, 20u);
  EXPECT_EQ(lists[0].count, 12u);
  EXPECT_EQ(lists[1].count, 20u);
  EXPECT_EQ(lists[2].count, 8u);
  EXPECT_EQ(lists[3].count, 0u);
}

TEST(ListPlacement, UsedListsComeFirstThenShortOnes) {
  const std::vector<ListWords> lists{{0, 8}, {8, 4}, {12, 40}, {52, 12}};
  EXPECT_THAT(place_lists(lists, std::vector<std::uint32_t>(4), 24),
              ElementsAre(PlacedList{1, 0}, PlacedList{0, 4}, PlacedList{3, 12}));
  EXPECT_THAT(place_lists(lists, std::vector<std::uint32_t>{0, 0, 3, 1}, 54),
              ElementsAre(PlacedList{2, 0}, PlacedList{3, 40}))
      << "what does not fit is left out";
  EXPECT_THAT(place_lists(lists, std::vector<std::uint32_t>(4), 0), ElementsAre());
}

TEST(ListPlacement, NoTwoListsMeetAndAllKeepTheirAlignment) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<ListWords> lists;
    std::vector<std::uint32_t> uses;
    std::uint64_t words = 0;
    for (std::uint64_t i = 0; i < 50; ++i) {
      words += random() % 3;
      lists.push_back({words, random() % 30});
      words += lists.back().count;
      uses.push_back(static_cast<std::uint32_t>(random() % 3));
    }
    const std::uint64_t room = random() % (words + 200);
    std::uint64_t end = 0;
    std::uint64_t unused = 0;
    for (const PlacedList& list : place_lists(lists, uses, room)) {
      EXPECT_GE(list.first_word, end);
      EXPECT_EQ(list.first_word % 4, lists[list.term].first % 4);
      unused += list.first_word - end;
      end = list.first_word + lists[list.term].count;
    }
    EXPECT_LE(end, room);
    EXPECT_LE(unused, 3 * 50u);
  }
}

TEST(ListPlacement, OffsetsLeadFromOneArrayToAnother) {
  std::vector<std::uint32_t> low(100);
  std::vector<std::uint32_t> high(100);
  std::iota(low.begin(), low.end(), 0u);
  std::iota(high.begin(), high.end(), 1000u);
  EXPECT_EQ(*(low.data() + (offset_between(low.data(), high.data()) + 7)), 1007u);
  EXPECT_EQ(*(high.data() + (offset_between(high.data(), low.data()) + 7)), 7u);
}

/// Wherever the host's memory is, before the device's or behind it.
TEST(ListLocation, SaysWhoHasTheList) {
  std::vector<std::uint32_t> low(100), high(100), skips(10);
  for (const auto& [device, host] : {std::pair{&low, &high}, {&high, &low}}) {
    IndexView index{};
    index.words = device->data();
    index.skips = skips.data();
    index.device_words = device->size();
    const ListLocation here = list_location(index, {20, 3, 5, 9});
    EXPECT_EQ(here.docid_words, device->data() + 20);
    EXPECT_EQ(here.freq_words, device->data() + 25);
    EXPECT_EQ(here.skips, skips.data() + 3);
    EXPECT_EQ(here.count, 9u);
    EXPECT_EQ(here.on_host, 0u);
    const std::uint64_t offset = offset_between(device->data(), host->data());
    const ListLocation there = list_location(index, {offset + 20, 3, 5, 9});
    EXPECT_EQ(there.docid_words, host->data() + 20);
    EXPECT_EQ(there.freq_words, host->data() + 25);
    EXPECT_EQ(there.on_host, 1u);
  }
}

}  // namespace
}  // namespace gannet::query::cuda
