// Where tokens start and end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/text/tokenizer.hpp"

namespace gannet::index {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> split(std::string_view text, std::string_view tokenizer = "unicode") {
  std::vector<std::string> tokens;
  Tokenizer(tokenizer).split(text, [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

TEST(Tokenizer, TokensAreRunsOfLettersAndDigits) {
  EXPECT_THAT(split("The quick-brown fox's 2nd jump_over,3.14!"),
              ElementsAre("The", "quick", "brown", "fox", "s", "2nd", "jump", "over", "3", "14"));
  EXPECT_THAT(split("one"), ElementsAre("one"));
  EXPECT_THAT(split(" one\t\n two "), ElementsAre("one", "two"));
}

TEST(Tokenizer, TextWithoutLettersHasNoTokens) {
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(" .,;-_'\"\n\t()"), IsEmpty());
  EXPECT_THAT(split("\xE2\x80\x94 \xE2\x82\xAC"), IsEmpty());  // em dash, euro sign
}

TEST(Tokenizer, NulIsASeparator) {
  EXPECT_THAT(split(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
}

TEST(Tokenizer, LettersOfAllScripts) {
  EXPECT_THAT(split("Café Straße—naïve"), ElementsAre("Café", "Straße", "naïve"));
  EXPECT_THAT(
      split("ΟΔΟΣ, улица! 東京タワー。"),
      ElementsAre("ΟΔΟΣ", "улица", "東", "東京", "京", "京タ", "タ", "タワ", "ワ", "ワー", "ー"));
  EXPECT_THAT(split("𝔘𝔫𝔦 𐐀"), ElementsAre("𝔘𝔫𝔦", "𐐀"));  // outside the basic plane
}

TEST(Tokenizer, DigitsAndNumbersOfAllScripts) {
  EXPECT_THAT(split("٣٤٥ x² ½ Ⅻ १२"), ElementsAre("٣٤٥", "x²", "½", "Ⅻ", "१२"));
}

TEST(Tokenizer, SymbolsAreReadAsTheirCompatibilityForms) {
  EXPECT_THAT(split("50㎏ ㎏ №5 №"), ElementsAre("50kg", "kg", "No5", "No"));
  EXPECT_THAT(split("20℃, ℃ 3℉x"), ElementsAre("20", "C", "C", "3", "Fx"));
  EXPECT_THAT(split("⑴⒉ a⒜"), ElementsAre("1", "2", "a", "a"));
  EXPECT_THAT(split("㏂ ℅ 10㎧"), ElementsAre("a", "m", "c", "o", "10m", "s"));
  EXPECT_EQ(split("東京㍿abc"), split("東京株式会社abc"));
  EXPECT_EQ(split("㌔"), split("キロ"));
  EXPECT_THAT(split("Gannet™ 5€ 20°"), ElementsAre("Gannet", "5", "20"));
  EXPECT_THAT(split("50㎏", "whitespace"), ElementsAre("50㎏"));
}

/// Each token with the part of the text that it was made of.
TEST(Tokenizer, PlacesOfTokensAreThoseOfTheText) {
  std::vector<std::string> places;
  const std::string text = "a 50㎏㏂b ราคํา๑๐๐บาท x";
  Tokenizer("unicode").split(text, [&](std::string_view token, std::string_view place) {
    ASSERT_GE(place.data(), text.data());
    ASSERT_LE(place.data() + place.size(), text.data() + text.size());
    places.push_back(std::string(token) + "=" + std::string(place));
  });
  EXPECT_THAT(places,
              testing::IsSupersetOf({"a=a", "50kga=50㎏㏂", "m=㏂", "b=b", "๑๐๐=๑๐๐", "x=x"}));
}

TEST(Tokenizer, NumbersOfScriptsWithoutBlanksStandAlone) {
  EXPECT_THAT(split("ราคา๑๐๐บาท"), ElementsAre("ราคา", "๑๐๐", "บาท"));  // Thai
  EXPECT_THAT(split("ລາຄາ໑໐໐ກີບ"), testing::Contains("໑໐໐"));            // Lao
  EXPECT_THAT(split("តម្លៃ១០០រៀល"), testing::Contains("១០០"));           // Khmer
  EXPECT_THAT(split("ဈေး၁၀၀ကျပ်"), testing::Contains("၁၀၀"));            // Burmese
}

TEST(Tokenizer, CombiningMarksBelongToTheLetterBefore) {
  EXPECT_THAT(split("cafe\xCC\x81s two"), ElementsAre("cafe\xCC\x81s", "two"));
  EXPECT_THAT(split("हिन्दी में"), ElementsAre("हिन्दी", "में"));
  EXPECT_THAT(split("\xCC\x81 \xCC\x81x"), ElementsAre("x"));  // a mark alone starts no token
}

TEST(Tokenizer, InvalidUtf8Separates) {
  EXPECT_THAT(split("ab\xFF"
                    "cd\xC3"),
              ElementsAre("ab", "cd"));
  EXPECT_THAT(split("ab\xC0\xAF"          // overlong
                    "cd\xED\xA0\x80"      // surrogate
                    "ef\xF4\x90\x80\x80"  // above U+10FFFF
                    "gh\x80"              // continuation byte alone
                    "ij\xE6\x9D"),        // cut short at the end
              ElementsAre("ab", "cd", "ef", "gh", "ij"));
}

TEST(Tokenizer, NeverReadsBehindTheText) {
  const std::string word = "caf\xC3\xA9";
  EXPECT_THAT(split(std::string_view(word).substr(0, 4)), ElementsAre("caf"));
}

TEST(Tokenizer, Whitespace) {
  EXPECT_THAT(split(" a-b c_d\te.f\r\ng\xFFh ", "whitespace"),
              ElementsAre("a-b", "c_d", "e.f", "g", "h"));
  EXPECT_THAT(split("a\xC2\xA0"      // no-break space
                    "b\xE3\x80\x80"  // ideographic space
                    "c\xC2\x85"      // next line
                    "é",
                    "whitespace"),
              ElementsAre("a", "b", "c", "é"));
}

TEST(Tokenizer, UnknownNameNamesThoseThereAre) {
  try {
    Tokenizer("ngram");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("unicode, whitespace"));
  }
}

}  // namespace
}  // namespace gannet::index
