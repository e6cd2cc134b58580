// Windows of words in one document: by hand, and against all choices of places.
#include "query/phrases/occurrences.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "tests/support/query/phrases/brute_windows.hpp"

namespace gannet::query {
namespace {

using PlacesOfWord = std::vector<std::uint32_t>;

/// A document as letters, one a place; a word as the letters that it may be.
struct LetterText {
  std::string letters;

  PlacesOfWord places(const std::string& word) const {
    PlacesOfWord found;
    for (std::uint32_t at = 0; at < letters.size(); ++at) {
      if (word.find(letters[at]) != std::string::npos) found.push_back(at);
    }
    return found;
  }
};

std::vector<std::uint8_t> groups_of(const std::vector<std::string>& words) {
  std::vector<std::uint8_t> groups;
  for (std::size_t i = 0; i < words.size(); ++i) groups.push_back(static_cast<std::uint8_t>(i));
  const auto join = [&](std::uint8_t one, std::uint8_t other) {
    for (std::uint8_t& group : groups) {
      if (group == std::max(one, other)) group = std::min(one, other);
    }
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (words[i].find_first_of(words[j]) != std::string::npos) join(groups[i], groups[j]);
    }
  }
  return groups;
}

std::uint32_t occurrences_in(const std::string& letters, const std::vector<std::string>& words,
                             const WindowShape& shape) {
  std::vector<PlacesOfWord> places;
  for (const std::string& word : words) places.push_back(LetterText{letters}.places(word));
  std::vector<std::span<const std::uint32_t>> spans(places.begin(), places.end());
  for (const auto& span : spans) {
    if (span.empty()) return 0;
  }
  return WindowCounter(shape, groups_of(words)).count(spans);
}

WindowShape near_window(std::uint32_t distance, PlacesOfWord places) {
  return {WindowKind::kNear, distance, std::move(places)};
}

TEST(Windows, PhrasesByHand) {
  EXPECT_EQ(occurrences_in("abcabab", {"a", "b"}, near_window(0, {0, 1})), 3u);
  EXPECT_EQ(occurrences_in("aaaa", {"a", "a"}, near_window(0, {0, 1})), 3u) << "they may overlap";
  EXPECT_EQ(
      occurrences_in("tbontb", {"t", "b", "o", "n", "t", "b"}, near_window(0, {0, 1, 2, 3, 4, 5})),
      1u);
  EXPECT_EQ(occurrences_in("axcaxxc", {"a", "c"}, near_window(0, {0, 2})), 1u)
      << "one dropped between them";
  EXPECT_EQ(occurrences_in("b", {"a", "b"}, near_window(0, {0, 1})), 0u);
  EXPECT_EQ(occurrences_in("ba", {"a", "b"}, near_window(0, {0, 1})), 0u)
      << "no place before the first one";
}

TEST(Windows, SloppyPhrasesByHand) {
  // Lucene's distances: one word between is 1, the words exchanged are 2.
  EXPECT_EQ(occurrences_in("axb", {"a", "b"}, near_window(0, {0, 1})), 0u);
  EXPECT_EQ(occurrences_in("axb", {"a", "b"}, near_window(1, {0, 1})), 1u);
  EXPECT_EQ(occurrences_in("ba", {"a", "b"}, near_window(1, {0, 1})), 0u);
  EXPECT_EQ(occurrences_in("ba", {"a", "b"}, near_window(2, {0, 1})), 1u);
  EXPECT_EQ(occurrences_in("aab", {"a", "b"}, near_window(1, {0, 1})), 2u)
      << "one begins at each a";
  EXPECT_EQ(occurrences_in("a", {"a", "a"}, near_window(5, {0, 1})), 0u)
      << "they need a place each";
  EXPECT_EQ(occurrences_in("axxa", {"a", "a"}, near_window(1, {0, 1})), 0u);
  EXPECT_EQ(occurrences_in("axxa", {"a", "a"}, near_window(2, {0, 1})), 1u);
}

TEST(Windows, UnorderedAndOrderedByHand) {
  EXPECT_EQ(occurrences_in("bxa", {"a", "b"}, near_window(2, {0, 0})), 1u) << "#uw3";
  EXPECT_EQ(occurrences_in("bxa", {"a", "b"}, near_window(1, {0, 0})), 0u) << "#uw2";
  const auto gaps = [](std::uint32_t n) { return WindowShape{WindowKind::kGaps, n, {0, 1, 2}}; };
  EXPECT_EQ(occurrences_in("axbxc", {"a", "b", "c"}, gaps(2)), 1u);
  EXPECT_EQ(occurrences_in("axbxc", {"a", "b", "c"}, gaps(1)), 0u);
  EXPECT_EQ(occurrences_in("abxxbxxc", {"a", "b", "c"}, gaps(4)), 1u) << "not by the first b";
  EXPECT_EQ(occurrences_in("cba", {"a", "b", "c"}, gaps(9)), 0u);
  const WindowShape ordered{WindowKind::kOrdered, 4, {0, 1, 2}};
  EXPECT_EQ(occurrences_in("axbxc", {"a", "b", "c"}, ordered), 1u);
  EXPECT_EQ(occurrences_in("axbxxc", {"a", "b", "c"}, ordered), 0u);
  EXPECT_EQ(occurrences_in("aaxbxc", {"a", "b", "c"}, ordered), 1u);
}

WindowShape random_window_shape(std::mt19937& random, std::size_t words) {
  WindowShape shape;
  shape.kind = static_cast<WindowKind>(random() % 3);
  const bool unordered = shape.kind == WindowKind::kNear && random() % 3 == 0;
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < words; ++i) {
    shape.places.push_back(place);
    if (!unordered) place += random() % 8 == 0 ? 2 : 1;
  }
  shape.distance = static_cast<std::uint32_t>(random() % 7);
  if (shape.kind != WindowKind::kNear) shape.distance += 1;
  return shape;
}

/// Words of one letter, of several that are in no other word, and of letters that others have too.
std::vector<std::string> random_letter_words(std::mt19937& random) {
  static const std::vector<std::string> kAny{"a", "b", "c", "d", "ab", "bc", "abc", "ad", "ef"};
  std::vector<std::string> words(1 + random() % 5);
  for (std::string& word : words) word = kAny[random() % (random() % 2 == 0 ? 4 : kAny.size())];
  return words;
}

TEST(Windows, AreAllChoicesOfPlaces) {
  std::mt19937 random(34);
  std::uint64_t found = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string letters(1 + random() % 14, ' ');
    for (char& letter : letters) letter = "abcdefxx"[random() % 8];
    const std::vector<std::string> words = random_letter_words(random);
    const WindowShape shape = random_window_shape(random, words.size());
    std::vector<PlacesOfWord> places;
    for (const std::string& word : words) places.push_back(LetterText{letters}.places(word));
    const std::uint32_t expected = test::BruteWindows(shape, places).count();
    found += expected;
    std::string what = letters + ":";
    for (const std::string& word : words) what += " " + word;
    ASSERT_EQ(occurrences_in(letters, words, shape), expected)
        << what << ", kind " << static_cast<int>(shape.kind) << ", distance " << shape.distance;
  }
  EXPECT_GT(found, 20'000u);
}

/// 32 equal words side by side fit in as many places, and not in one less.
TEST(Windows, OfAllWordsThatThereMayBe) {
  const std::vector<std::string> words(kMaxWindowWords, "a");
  PlacesOfWord side_by_side, together(kMaxWindowWords, 0);
  for (std::uint32_t i = 0; i < kMaxWindowWords; ++i) side_by_side.push_back(i);
  const std::string enough(kMaxWindowWords, 'a');
  const std::string few(kMaxWindowWords - 1, 'a');
  EXPECT_EQ(occurrences_in(enough, words, near_window(0, side_by_side)), 1u);
  EXPECT_EQ(occurrences_in(few, words, near_window(1000, side_by_side)), 0u);
  EXPECT_EQ(occurrences_in(enough, words, near_window(kMaxWindowWords - 1, together)), 1u);
  EXPECT_EQ(occurrences_in(enough, words, near_window(kMaxWindowWords - 2, together)), 0u);
  EXPECT_EQ(occurrences_in(few, words, near_window(1000, together)), 0u);
}

/// Long lists, whose places are galloped over, and places near 2^31.
TEST(Windows, OfManyPlaces) {
  constexpr std::uint32_t kBase = (std::uint32_t{1} << 31) - 200'000;
  PlacesOfWord many, few;
  for (std::uint32_t i = 0; i < 60'000; ++i) many.push_back(kBase + 3 * i);
  for (std::uint32_t i = 0; i < 60'000; i += 1000) few.push_back(kBase + 3 * i + 1);
  const std::vector<std::span<const std::uint32_t>> words{many, few};
  for (const WindowShape& shape :
       {near_window(0, {0, 1}), near_window(1, {0, 1}), WindowShape{WindowKind::kGaps, 1, {0, 1}},
        WindowShape{WindowKind::kOrdered, 2, {0, 1}}}) {
    EXPECT_EQ(WindowCounter(shape, {}).count(words), 60u);
  }
  // Each of the few with the one that it stands behind, or with the one before that.
  EXPECT_EQ(WindowCounter(near_window(3, {0, 1}), {}).count(words), 60u + 59u);
}

}  // namespace
}  // namespace gannet::query
