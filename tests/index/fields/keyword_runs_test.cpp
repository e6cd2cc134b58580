// Strings of keyword fields in sorted runs, merged.
#include "index/fields/build/keyword_runs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "codecs/base/error.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

/// Adds runs of random entries of three fields, and compares ranks with those of sorted sets.
void try_runs(std::size_t runs, std::size_t strings, std::uint64_t variety, unsigned seed) {
  test::TemporaryDirectory folder;
  std::mt19937_64 random(seed);
  std::map<std::uint32_t, std::set<std::string>> all;
  std::vector<std::map<TermNumber, std::pair<std::uint32_t, std::string>>> numbers(runs);
  {
    KeywordRuns keywords(folder.path(), {});
    for (auto& own : numbers) {
      TermDictionary dictionary;
      for (std::size_t i = 0; i < strings; ++i) {
        const auto field = static_cast<std::uint32_t>(random() % 3 * 60);
        const std::uint64_t pick = random() % variety;
        const std::string text = pick == 0 ? "" : std::to_string(pick * 0x9e3779b97f4a7c15u);
        all[field].insert(text);
        own[dictionary.number_of(static_cast<char>(field) + text)] = {field, text};
      }
      keywords.add(dictionary);
    }
    std::map<std::uint32_t, std::vector<std::string>> merged;
    keywords.merge(
        [&](std::uint32_t field, std::string_view text) { merged[field].emplace_back(text); });
    for (const auto& [field, texts] : all) {
      EXPECT_EQ(merged[field], std::vector<std::string>(texts.begin(), texts.end())) << field;
    }
    EXPECT_EQ(merged.size(), all.size());
    for (std::size_t run = 0; run < runs; ++run) {
      const std::vector<std::uint32_t> ranks = keywords.ranks(run);
      for (const auto& [number, entry] : numbers[run]) {
        ASSERT_LT(ranks.at(number), merged[entry.first].size());
        ASSERT_EQ(merged[entry.first][ranks[number]], entry.second) << "run " << run;
      }
    }
  }
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(KeywordRuns, OneRun) { try_runs(1, 5000, 4000, 1); }

TEST(KeywordRuns, RanksBeyondTheBufferGoToFiles) { try_runs(1, 100'000, 1'000'000'000, 2); }

TEST(KeywordRuns, ManyRunsShareStringsSlow) {
  try_runs(50, 300, 500, 3);
  try_runs(600, 2000, 40'000, 4);
}

TEST(KeywordRuns, NoRunsAndEmptyOnes) {
  try_runs(0, 0, 1, 5);
  try_runs(3, 0, 1, 6);
  try_runs(3, 1, 1, 7);
}

TEST(KeywordRuns, CanBeCancelled) {
  test::TemporaryDirectory folder;
  std::stop_source stop;
  KeywordRuns keywords(folder.path(), stop.get_token());
  TermDictionary dictionary;
  for (int i = 0; i < 20'000; ++i) dictionary.number_of("a" + std::to_string(i));
  keywords.add(dictionary);
  stop.request_stop();
  EXPECT_THROW(keywords.merge([](std::uint32_t, std::string_view) {}), CancelledError);
  EXPECT_THROW(keywords.add(dictionary), CancelledError);
}

}  // namespace
}  // namespace gannet::index
