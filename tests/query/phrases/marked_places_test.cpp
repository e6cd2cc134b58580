// Which places belong to occurrences of windows: by hand, and against all choices of places.
#include "query/phrases/marked_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "query/phrases/occurrences.hpp"
#include "query/phrases/window_groups.hpp"
#include "tests/support/query/phrases/brute_windows.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A document of letters, one a place, and a window of words that are any of some letters each.
struct LetterWindow {
  LetterWindow(const std::string& letters, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      terms.emplace_back(word.begin(), word.end());
      std::vector<std::uint32_t>& own = places.emplace_back();
      for (std::uint32_t at = 0; at < letters.size(); ++at) {
        if (word.find(letters[at]) != std::string::npos) own.push_back(at);
      }
    }
  }

  MarkedPlaces marked(const WindowShape& shape, std::size_t begins = 100) const {
    const std::vector<std::span<const std::uint32_t>> words(places.begin(), places.end());
    return marked_places(shape, words, window_groups(terms), begins);
  }

  std::vector<std::vector<std::uint32_t>> terms, places;
};

TEST(MarkedPlaces, ByHand) {
  const WindowShape phrase{WindowKind::kNear, 0, {0, 1}};
  const MarkedPlaces found = LetterWindow("abxbabxa", {"a", "b"}).marked(phrase);
  EXPECT_THAT(found.places, ElementsAre(0, 1, 4, 5));
  EXPECT_EQ(found.count, 2u);
  EXPECT_THAT(found.begins, ElementsAre(0, 4));
  EXPECT_THAT(LetterWindow("abxbabxa", {"a", "b"}).marked(phrase, 1).begins, ElementsAre(0));
  EXPECT_THAT(LetterWindow("aaxa", {"a", "a"}).marked(phrase).places, ElementsAre(0, 1));
  EXPECT_THAT(LetterWindow("bxa", {"a", "b"}).marked({WindowKind::kNear, 3, {0, 1}}).places,
              ElementsAre(0, 2))
      << "a sloppy phrase has its words in any order";
  EXPECT_THAT(LetterWindow("bxa", {"a", "b"}).marked({WindowKind::kNear, 3, {0, 1}}).begins,
              ElementsAre(0));
}

TEST(MarkedPlaces, WithoutOccurrencesThereAreNone) {
  const WindowShape phrase{WindowKind::kNear, 0, {0, 1}};
  for (const char* const letters : {"", "a", "ba", "axb"}) {
    const MarkedPlaces found = LetterWindow(letters, {"a", "b"}).marked(phrase);
    EXPECT_THAT(found.places, IsEmpty()) << letters;
    EXPECT_EQ(found.count, 0u);
    EXPECT_THAT(found.begins, IsEmpty());
  }
}

TEST(MarkedPlaces, OfAPhraseOfManyWords) {
  std::string letters;
  for (int i = 0; i < 3; ++i) letters += std::string(200, 'a') + "b";
  std::vector<std::string> words(100, "a");
  words.emplace_back("b");
  WindowShape phrase{WindowKind::kNear, 0, {}};
  for (std::uint32_t i = 0; i < words.size(); ++i) phrase.places.push_back(i);
  const MarkedPlaces found = LetterWindow(letters, words).marked(phrase);
  EXPECT_THAT(found.begins, ElementsAre(100, 301, 502));
  EXPECT_EQ(found.places.size(), 303u);
}

WindowShape random_shape(std::mt19937& random, std::size_t words) {
  WindowShape shape;
  shape.kind = static_cast<WindowKind>(random() % 3);
  shape.distance = static_cast<std::uint32_t>(random() % 6);
  const bool together = shape.kind == WindowKind::kNear && random() % 3 == 0;
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < words; ++i) {
    shape.places.push_back(place);
    if (!together) place += random() % 4 == 0 ? 2 : 1;
  }
  if (shape.kind == WindowKind::kGaps) shape.distance = std::max(shape.distance, 1u);
  if (shape.kind == WindowKind::kOrdered) shape.distance += shape.places.back();
  return shape;
}

TEST(MarkedPlaces, AreThoseOfAllChoicesOfPlaces) {
  const std::vector<std::string> kWords{"a", "b", "c", "d", "ab", "bc", "abc", "cd"};
  std::mt19937 random(88);
  std::uint64_t occurrences = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string letters(1 + random() % 14, ' ');
    for (char& letter : letters) letter = "abcdxx"[random() % 6];
    std::vector<std::string> words(2 + random() % 3);
    for (std::string& word : words) {
      word = kWords[random() % (random() % 2 == 0 ? 4 : kWords.size())];
    }
    const LetterWindow window(letters, words);
    const WindowShape shape = random_shape(random, words.size());
    const test::BruteWindows brute(shape, window.places);
    const MarkedPlaces found = window.marked(shape);
    std::string what = letters + ":";
    for (const std::string& word : words) what += " " + word;
    what += ", kind " + std::to_string(static_cast<int>(shape.kind)) + ", distance " +
            std::to_string(shape.distance);
    const std::vector<std::uint32_t> expected(brute.places().begin(), brute.places().end());
    ASSERT_EQ(found.places, expected) << what;
    ASSERT_EQ(found.count, brute.count()) << what;
    ASSERT_EQ(found.begins, brute.firsts()) << what;
    occurrences += found.count;
  }
  EXPECT_GT(occurrences, 20'000u);
}

}  // namespace
}  // namespace gannet::query
