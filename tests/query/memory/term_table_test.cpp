// What is known of a few of many terms.
#include "query/gpu/device/list_stats/term_table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

namespace gannet::query::cuda {
namespace {

TEST(TermTable, FindsWhatWasAddedAndNothingElse) {
  TermTable<index::TermId> table;
  std::deque<index::TermId> values;
  std::unordered_set<index::TermId> added;
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    // Numbers that follow one another, and any.
    const index::TermId term =
        i % 2 == 0 ? static_cast<index::TermId>(i) : static_cast<index::TermId>(random());
    if (!added.insert(term).second) continue;
    EXPECT_EQ(table.find(term), nullptr);
    values.push_back(term);
    table.add(term, values.back());
  }
  EXPECT_EQ(table.size(), added.size());
  for (const index::TermId& value : values) ASSERT_EQ(table.find(value), &value);
  for (int i = 0; i < 20'000; ++i) {
    const index::TermId term = static_cast<index::TermId>(random());
    if (!added.contains(term)) {
      ASSERT_EQ(table.find(term), nullptr);
    }
  }
}

TEST(TermTable, TellsValuesOfOneTermApart) {
  TermTable<index::TermId> table;
  std::deque<index::TermId> values;
  for (index::TermId i = 0; i < 3000; ++i) {
    values.push_back(i);
    table.add(i / 3 * 64, values.back());
  }
  for (index::TermId i = 0; i < 3000; ++i) {
    const auto* const found = table.find(i / 3 * 64, [&](index::TermId of) { return of == i; });
    ASSERT_EQ(found, &values[i]);
    ASSERT_EQ(table.find(i / 3 * 64, [&](index::TermId of) { return of == i + 3; }), nullptr);
  }
}

/// There are four scorers with four filters each, of dictionaries of 10 M terms and more: a pointer
/// for each term took 80 MB a table.
TEST(TermTable, IsAsLargeAsWhatItHolds) {
  TermTable<int> table;
  const int value = 1;
  EXPECT_LE(table.bytes(), 2048u);
  for (index::TermId term = 0; term < 1000; ++term) table.add(term * 9973, value);
  EXPECT_LE(table.bytes(), 1000u * 16 * 8);
}

TEST(TermTable, IsReadWhileItGrows) {
  constexpr index::TermId kTerms = 30'000;
  TermTable<index::TermId> table;
  std::deque<index::TermId> values;
  std::atomic<index::TermId> known = 0;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (unsigned t = 0; t < 4; ++t) {
    readers.emplace_back([&, t] {
      std::mt19937 random(t);
      for (index::TermId end = 0; end < kTerms;) {
        end = known.load(std::memory_order_acquire);
        const index::TermId term = static_cast<index::TermId>(random() % kTerms);
        const index::TermId* const found = table.find(term);
        if (found != nullptr && *found != term) ++wrong;
        const index::TermId sure = end == 0 ? 0 : static_cast<index::TermId>(random() % end);
        if (end > 0 && table.find(sure) == nullptr) ++wrong;
      }
    });
  }
  for (index::TermId term = 0; term < kTerms; ++term) {
    values.push_back(term);
    table.add(term, values.back());
    known.store(term + 1, std::memory_order_release);
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace gannet::query::cuda
