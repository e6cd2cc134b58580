// What holds of the snippets of any text: bench/fuzz/snippet_target.hpp says it.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "bench/fuzz/snippet_target.hpp"
#include "tests/support/query/snippets.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

using test::Random;

void try_text(Random& random, const std::string& text) {
  std::vector<std::uint8_t> input{static_cast<std::uint8_t>(random() & 0xff)};
  input.insert(input.end(), text.begin(), text.end());
  SCOPED_TRACE("choice " + std::to_string(input[0]) + ", text: " + text);
  EXPECT_NO_THROW(fuzz::try_snippet(input));
}

TEST(SnippetProperties, RandomBytes) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 300, '\0');
    for (char& c : text) c = static_cast<char>(random());
    try_text(random, text);
  }
}

/// Bytes that are often UTF-8, often cut short, among letters and blanks.
TEST(SnippetProperties, BrokenText) {
  const std::vector<std::string> parts{"a",  "b", " ",    "\n",       "é",         "東",
                                       "京", "ก", "\xC3", "\xE6\x9D", "\xF0\x9F",  "\x80",
                                       "<",  "&", "\"",   ". ",       "e\xCC\x81", "\xE2\x80\x8D"};
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::uint32_t n = random() % 200; n > 0; --n) text += parts[random() % parts.size()];
    try_text(random, text);
  }
}

TEST(SnippetProperties, WordsOfManyScripts) {
  const std::vector<std::string> words{
      "gannet", "Gannets",  "runs",     "running", "Häuser",      "Ha\xCC\x88user",
      "oﬃce",   "office",   "İstanbul", "東京都",  "大阪",        "ガネット",
      "แมวมาก", "الكتاب",   "हिन्दी",    "1984",    "👩‍🚀", "🇩🇪🇫🇷",
      "x²",     "서울에서", "it's",     "the",     "A&B",         "<b>"};
  const std::vector<std::string> gaps{" ", " ", " ", ", ", ". ", "\n", "", "! ", " (", "。"};
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::uint32_t n = random() % 120; n > 0; --n) {
      text += words[random() % words.size()] + gaps[random() % gaps.size()];
    }
    try_text(random, text);
  }
}

/// Characters as users see them, of one to many code points, most of them nowhere to be cut apart.
TEST(SnippetProperties, FragmentsHaveWholeCharacters) {
  const std::vector<std::string> characters{"a",
                                            "e\xCC\x81",
                                            "n\xCC\x83\xCC\xA3",
                                            "🇩🇪",
                                            "🇫🇷",
                                            "👩‍🚀",
                                            "👩‍👩‍👧‍👦",
                                            "👍🏽",
                                            "❤️",
                                            "각",
                                            "\r\n",
                                            "한",
                                            "กำ",
                                            "नि",
                                            "x",
                                            "1️⃣"};
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const bool flags_only = i % 4 == 0;
    std::string text;
    std::set<std::uint64_t> boundaries{0};
    for (std::uint32_t n = 1 + random() % 300; n > 0; --n) {
      const std::size_t kinds = flags_only ? 2 : characters.size();
      text += characters[(random() % kinds) + (flags_only ? 3 : 0)];
      boundaries.insert(text.size());
    }
    if (i % 2 == 0) {
      text += " gannet ";
      boundaries.insert({text.size() - 8, text.size() - 7, text.size() - 1, text.size()});
    }
    const Snippet snippet =
        test::SnippetQueries().snippet(text, "gannet x", {.fragments = 1 + i % 3u, .length = 15});
    for (const Fragment& fragment : snippet.fragments) {
      EXPECT_TRUE(boundaries.contains(fragment.begin)) << text << " at " << fragment.begin;
      EXPECT_TRUE(boundaries.contains(fragment.end)) << text << " at " << fragment.end;
    }
  }
}

}  // namespace
}  // namespace gannet::query
