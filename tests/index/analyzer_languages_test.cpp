// Text of all languages: one term for all spellings, words where no blanks stand between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "index/text/analysis_libraries.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/words/normalizer.hpp"

namespace gannet::index {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> analyze(std::string_view text, AnalyzerConfig config) {
  std::vector<std::string> terms;
  Analyzer(std::move(config)).analyze(text, terms);
  return terms;
}

AnalyzerConfig unstemmed() {
  AnalyzerConfig config;
  config.stemmer = "none";
  return config;
}

std::vector<std::string> words(std::string_view text) { return analyze(text, unstemmed()); }

TEST(Languages, SpellingsOfOneWordAreOneTerm) {
  EXPECT_EQ(words("cafe\xCC\x81"), words("caf\xC3\xA9"));             // decomposed, composed
  EXPECT_THAT(words("ＦＵＬＬ ﬁne"), ElementsAre("full", "fine"));    // full width, ligature
  EXPECT_THAT(words("co\xC2\xADoperate"), ElementsAre("cooperate"));  // soft hyphen
  EXPECT_THAT(words("a\xE2\x80\x8B"
                    "b"),
              ElementsAre("a", "b"));                         // zero-width blank
  EXPECT_EQ(words("می\xE2\x80\x8Cخواهم"), words("میخواهم"));  // zero-width non-joiner
  EXPECT_EQ(words("\xEF\xBD\xB6\xEF\xBE\x9E"), words("ガ"));  // half width, voicing mark apart
  EXPECT_EQ(words("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB\xE1\x84\x80\xE1\x85\xAE\xE1\x86\xA8"),
            words("한국"));  // conjoining Jamo
  AnalyzerConfig cased = unstemmed();
  cased.lowercase = false;
  EXPECT_THAT(analyze("E\xCC\x81"
                      "COLE ﬁ",
                      cased),
              ElementsAre("\xC3\x89"
                          "COLE",
                          "fi"));
}

TEST(Languages, AccentsMatterUnlessFolded) {
  EXPECT_THAT(words("resume résumé"), ElementsAre("resume", "résumé"));
  AnalyzerConfig folded = unstemmed();
  folded.fold_accents = true;
  EXPECT_THAT(analyze("Résumé Ångström ёлка ΆΝΘΡΩΠΟΣ ø ガ हिन्दी", folded),
              ElementsAre("resume", "angstrom", "елка", "ανθρωποσ", "o", "ガ", "हिन्दी"));
  folded.stemmer = "english";  // before the stemmer, which then treats both alike
  EXPECT_EQ(analyze("résumés", folded), analyze("resumes", folded));
}

TEST(Languages, LettersThatHaveNoAccentToDropAreFoldedToo) {
  AnalyzerConfig folded = unstemmed();
  folded.fold_accents = true;
  EXPECT_THAT(analyze("Łódź Ørsted Ærø Œuvre Đakovo Ħamrun Straße þorn ılık ŦŊ", folded),
              ElementsAre("lodz", "orsted", "aero", "oeuvre", "dakovo", "hamrun", "strasse",
                          "thorn", "ilik", "tn"));
  EXPECT_THAT(words("Łódź ø æ"), ElementsAre("łódź", "ø", "æ"));
  folded.lowercase = false;
  EXPECT_THAT(analyze("Łódź Æ æ ẞ", folded), ElementsAre("Lodz", "AE", "ae", "SS"));
  // A token may grow by it.
  std::string many;
  for (int i = 0; i < 60; ++i) many += "æ";
  EXPECT_THAT(analyze(many, folded), ElementsAre(testing::SizeIs(120)));
}

std::string utf8(std::int32_t code_point) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code_point >> shift & 63)); };
  if (code_point < 0x800) return {static_cast<char>(0xC0 | code_point >> 6), tail(0)};
  if (code_point < 0x10000) return {static_cast<char>(0xE0 | code_point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code_point >> 18), tail(12), tail(6), tail(0)};
}

/// Calls f(code point, its UTF-8) for all characters beyond ASCII.
template <class F>
void for_each_character(F f) {
  for (std::int32_t code_point = 0x80; code_point < 0x110000; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    if (!surrogate) f(code_point, utf8(code_point));
  }
}

TEST(AccentFolding, FoldingOnceIsEnough) {
  for (const bool fold_case : {true, false}) {
    TokenNormalizer normalizer({fold_case, false, true});
    for_each_character([&](std::int32_t code_point, const std::string& character) {
      const std::string once(normalizer.normalize(character));
      EXPECT_EQ(normalizer.normalize(once), once) << std::hex << code_point;
    });
  }
}

/// Latin, Greek and Cyrillic lie below 0x0530 and in blocks of their own further up; so do the
/// letters that NFKC makes such.
bool may_lose_accents(std::int32_t code_point) {
  constexpr std::array<std::array<std::int32_t, 2>, 11> kBlocks{{{0x0000, 0x052F},
                                                                 {0x1C80, 0x1C8F},
                                                                 {0x1D00, 0x1FFF},
                                                                 {0x2071, 0x209C},
                                                                 {0x2100, 0x214F},
                                                                 {0x2C60, 0x2C7F},
                                                                 {0xA640, 0xA7FF},
                                                                 {0xAB30, 0xAB6F},
                                                                 {0xFB00, 0xFB06},
                                                                 {0x10780, 0x107BF},
                                                                 {0x1D400, 0x1D7FF}}};
  return std::ranges::any_of(
      kBlocks, [&](const auto& block) { return block[0] <= code_point && code_point <= block[1]; });
}

TEST(AccentFolding, OtherScriptsKeepTheirMarks) {
  TokenNormalizer plain({true, false, false});
  TokenNormalizer folded({true, false, true});
  for_each_character([&](std::int32_t code_point, const std::string& character) {
    if (may_lose_accents(code_point)) return;
    EXPECT_EQ(folded.normalize(character), plain.normalize(character)) << std::hex << code_point;
  });
  AnalyzerConfig config = unstemmed();
  config.fold_accents = true;
  for (const char* text : {"हिन्दी में", "ภาษาไทย", "שָׁלוֹם", "عَرَبِيّ", "தமிழ்", "ガギグ", "한국어"}) {
    EXPECT_EQ(analyze(text, config), words(text));
  }
}

TEST(AccentFolding, CyrillicLettersWithMarksAreTheirBaseLetters) {
  AnalyzerConfig folded = unstemmed();
  folded.fold_accents = true;
  EXPECT_THAT(analyze("Ёж йод їжак Ўзбек", folded), ElementsAre("еж", "иод", "іжак", "узбек"));
  EXPECT_THAT(analyze("\xD0\xB8\xCC\x86од", folded), ElementsAre("иод"));  // decomposed
}

TEST(AccentFolding, ComesBeforeStopWordsAndTheStemmer) {
  AnalyzerConfig config;
  config.fold_accents = true;
  config.stopwords = "english";
  EXPECT_THAT(analyze("thé résumés", config), ElementsAre("resum"));
}

TEST(AccentFolding, SignsKeepTheirStrokes) {
  AnalyzerConfig config = unstemmed();
  config.fold_accents = true;
  config.tokenizer = "whitespace";
  EXPECT_THAT(analyze("≠ ∉ Ø̸ 1\u0301 \u0301", config),
              ElementsAre("≠", "∉", "o", "1\u0301", "\u0301"));
}

TEST(AccentFolding, LimitsHoldBeforeItAndBehindIt) {
  AnalyzerConfig config = unstemmed();
  config.fold_accents = true;
  config.max_token_bytes = 4;
  EXPECT_THAT(analyze("Ꜳb Ꜳbc", config), ElementsAre("aab"));  // 4 and 5 bytes, then 3 and 4
}

TEST(Languages, TurkishFoldsItsTwoLettersI) {
  AnalyzerConfig turkish;
  turkish.stemmer = "turkish";
  const auto same = [&](std::string_view a, std::string_view b) {
    return analyze(a, turkish) == analyze(b, turkish);
  };
  EXPECT_TRUE(same("ISPARTA", "ısparta"));
  EXPECT_TRUE(same("İSTANBUL", "istanbul"));
  EXPECT_TRUE(same("I\u0307STANBUL", "istanbul"));
  EXPECT_FALSE(same("IRMAK", "irmak"));
  EXPECT_THAT(analyze("KIZ", turkish), ElementsAre("kız"));
  EXPECT_THAT(words("KIZ"), ElementsAre("kiz"));
  turkish.lowercase = false;
  EXPECT_THAT(analyze("KIZ", turkish), ElementsAre("KIZ"));
}

TEST(Languages, DecomposedVowelsAreCutAsComposedOnes) {
  // SARA AM as one character, and as NIKHAHIT and SARA AA.
  EXPECT_EQ(words("ทำงานน้ำดื่ม"), words("ท\u0E4D\u0E32งานน้\u0E4D\u0E32ดื่ม"));
  EXPECT_THAT(words("น้\u0E4D\u0E32ดื่ม"), SizeIs(2));
  EXPECT_EQ(words("ນ້ຳດື່ມ"), words("ນ້\u0ECD\u0EB2ດື່ມ"));  // Lao
}

TEST(Languages, ChineseJapaneseKoreanAreCharactersAndPairs) {
  EXPECT_THAT(words("東京都"), ElementsAre("東", "東京", "京", "京都", "都"));
  EXPECT_THAT(words("猫。"), ElementsAre("猫"));
  EXPECT_THAT(words("東京タワー"),
              ElementsAre("東", "東京", "京", "京タ", "タ", "タワ", "ワ", "ワー", "ー"));
  EXPECT_THAT(words("한국은"), ElementsAre("한", "한국", "국", "국은", "은"));
  EXPECT_THAT(words("2024年iPhone手机"), ElementsAre("2024", "年", "iphone", "手", "手机", "机"));
  EXPECT_THAT(words("𠀀𠀁"), ElementsAre("𠀀", "𠀀𠀁", "𠀁"));  // outside the basic plane
}

TEST(Languages, AWordInALongRunIsFound) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "今日は天気がいい";
  text += "検索エンジン";
  const std::vector<std::string> terms = words(text);
  for (const std::string& term : words("検索")) EXPECT_THAT(terms, Contains(term));
}

TEST(Languages, WordsOfScriptsWithoutBlanks) {
  EXPECT_THAT(words("ภาษาไทยเป็นภาษา"), ElementsAre("ภาษา", "ไทย", "เป็น", "ภาษา"));  // Thai
  EXPECT_THAT(words("ខ្ញុំចូលចិត្តសៀវភៅ"), Contains("សៀវភៅ"));                            // Khmer
  EXPECT_THAT(words("ພາສາລາວ"), Contains("ພາສາ"));                                  // Lao
  EXPECT_THAT(words("မင်္ဂလာပါကမ္ဘာ"), Contains("ကမ္ဘာ"));                              // Burmese
  std::string text;
  while (text.size() < 100'000) text += "ภาษาไทย";
  const std::vector<std::string> terms = words(text);
  EXPECT_THAT(terms, Contains("ไทย").Times(testing::Gt(terms.size() / 3)));
}

TEST(Languages, AsciiTextIsAsEver) {
  std::string text;
  for (int i = 1; i < 128; ++i) text += static_cast<char>(i);
  text += " The QUICK brown-fox's 3.14 x_y";
  EXPECT_THAT(words(text),
              ElementsAre("0123456789", "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz",
                          "the", "quick", "brown", "fox", "s", "3", "14", "x", "y"));
}

TEST(Languages, OneAnalyzerServesManyThreads) {
  const Analyzer analyzer{AnalyzerConfig{}};
  const std::string text = "Running cafés ภาษาไทย 東京都 walked générale";
  std::vector<std::string> expected;
  analyzer.analyze(text, expected);
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (int& errors : wrong) {
      threads.emplace_back([&] {
        std::vector<std::string> terms;
        for (int i = 0; i < 2000; ++i) {
          terms.clear();
          analyzer.analyze(text, terms);
          errors += terms == expected ? 0 : 1;
        }
      });
    }
  }
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(AnalysisLibraries, AreNamedAndCompared) {
  AnalyzerConfig config;
  EXPECT_THAT(library_differences(config), IsEmpty());  // nothing is recorded
  config.libraries = linked_libraries(config);
  EXPECT_THAT(config.libraries, SizeIs(3));
  EXPECT_THAT(library_differences(config), IsEmpty());
  config.libraries["icu"] = "4.2";
  const std::vector<std::string> lines = library_differences(config);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0],
              testing::AllOf(HasSubstr("icu 4.2"), HasSubstr(linked_libraries(config)["icu"]),
                             HasSubstr("build the index again")));
}

TEST(AnalysisLibraries, OnlyThoseThatAreUsed) {
  AnalyzerConfig config;
  config.tokenizer = "whitespace";
  config.stemmer = "none";
  EXPECT_THAT(linked_libraries(config), ElementsAre(testing::Key("utf8proc")));
  AnalyzerConfig english;
  AnalyzerConfig german;
  german.stemmer = "german";
  EXPECT_NE(linked_libraries(english).at("libstemmer"), linked_libraries(german).at("libstemmer"));
}

}  // namespace
}  // namespace gannet::index
