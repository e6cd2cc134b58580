// Marks are on the very bytes that became a term, in every script and spelling.
#include <gtest/gtest.h>

#include "tests/support/query/snippets.hpp"

namespace gannet::query {
namespace {

using test::marked;
using test::stemmed;

TEST(SnippetScripts, EnglishWordsInAnyFormAndCase) {
  EXPECT_EQ(marked("She RUNS; he ran. Running shoes, a runner.", "running"),
            "She [RUNS]; he ran. [Running] shoes, a runner.");
  EXPECT_EQ(marked("(gannet) gannets' nests", "gannet nest"), "([gannet]) [gannets]' [nests]");
  EXPECT_EQ(marked("runs running", "runs", stemmed("none")), "[runs] running");
}

TEST(SnippetScripts, CaseCountsWhereTheIndexKeepsIt) {
  index::AnalyzerConfig config = stemmed("none");
  config.lowercase = false;
  EXPECT_EQ(marked("Bass bass BASS", "Bass", config), "[Bass] bass BASS");
}

TEST(SnippetScripts, StopWordsAreNotMarked) {
  index::AnalyzerConfig config;
  config.stopwords = "english";
  EXPECT_EQ(marked("the cat and the dog", "the dog", config), "the cat and the [dog]");
  EXPECT_EQ(marked("the cat", "the"), "[the] cat");  // without a stop list they are words
}

TEST(SnippetScripts, Numbers) {
  EXPECT_EQ(marked("In 1984, 19840 and 1,984; ٣٤٥ x²", "1984 345 x2"),
            "In [1984], 19840 and 1,984; ٣٤٥ [x²]");
}

TEST(SnippetScripts, GermanUmlautsComposedAndDecomposed) {
  const auto german = stemmed("german");
  EXPECT_EQ(marked("Die Häuser, ein Haus; H\x61\xCC\x88user.", "Häuser", german),
            "Die [Häuser], ein [Haus]; [H\x61\xCC\x88user].");
  EXPECT_EQ(marked("STRASSE, Straße, strasse", "straße", stemmed("none")),
            "[STRASSE], [Straße], [strasse]");
}

TEST(SnippetScripts, FoldedAccents) {
  index::AnalyzerConfig config = stemmed("none");
  EXPECT_EQ(marked("café cafe CAFE\xCC\x81", "cafe", config), "café [cafe] CAFE\xCC\x81");
  config.fold_accents = true;
  EXPECT_EQ(marked("café cafe CAFE\xCC\x81", "cafe", config), "[café] [cafe] [CAFE\xCC\x81]");
}

/// The capital letter with a dot becomes two code points, the ligature two letters, letters of full
/// width one byte.
TEST(SnippetScripts, NormalisationThatChangesLengths) {
  const auto none = stemmed("none");
  EXPECT_EQ(marked("x İstanbul y i\xCC\x87stanbul z ISTANBUL", "İSTANBUL", none),
            "x [İstanbul] y [i\xCC\x87stanbul] z ISTANBUL");
  EXPECT_EQ(marked("eﬃcient, oﬃce, office.", "office", none), "eﬃcient, [oﬃce], [office].");
  EXPECT_EQ(marked("ＧＡＮＮＥＴ gan\xC2\xADnet ŉ", "gannet", none),
            "[ＧＡＮＮＥＴ] [gan\xC2\xADnet] ŉ");
  EXPECT_EQ(marked("ŉx ʼNX", "ʼnx", none), "[ŉx] [ʼNX]");
}

TEST(SnippetScripts, ChineseCharactersAndPairs) {
  EXPECT_EQ(marked("我住在东京都。京都很远。", "东京"), "我住在[东京]都。[京]都很远。");
  EXPECT_EQ(marked("学习中文", "中"), "学习[中]文");
}

TEST(SnippetScripts, Japanese) {
  EXPECT_EQ(marked("東京タワーと大阪", "タワー"), "東京[タワー]と大阪");
  EXPECT_EQ(marked("ｶﾞﾈｯﾄ と ガネット", "ガ"), "[ｶﾞ]ﾈｯﾄ と [ガ]ネット");
}

TEST(SnippetScripts, Korean) { EXPECT_EQ(marked("서울에서 살다", "서울"), "[서울]에[서] 살다"); }

TEST(SnippetScripts, ThaiWordsWithoutBlanks) {
  EXPECT_EQ(marked("ฉันรักแมวมาก", "แมว"), "ฉันรัก[แมว]มาก");
}

/// The bytes that became the term are other ones than those of the text.
TEST(SnippetScripts, SymbolsAndDecomposedVowels) {
  const auto none = stemmed("none");
  EXPECT_EQ(marked("50㎏ of №5, at 20℃.", "50kg no5 c", none), "[50㎏] of [№5], at 20[℃].");
  EXPECT_EQ(marked("x ㏂ y", "m", none), "x [㏂] y");
  EXPECT_EQ(marked("ราคา๑๐๐บาท", "๑๐๐"), "ราคา[๑๐๐]บาท");
  EXPECT_EQ(marked("ดื่มน้ํา", "น้ำ"), "ดื่ม[น้ํา]");
}

TEST(SnippetScripts, ArabicWithVowelSigns) {
  EXPECT_EQ(marked("قرأت الكتاب أمس", "كتاب", stemmed("arabic")), "قرأت [الكتاب] أمس");
  EXPECT_EQ(marked("بَيْت بيت", "بَيْت", stemmed("none")), "[بَيْت] بيت");
}

TEST(SnippetScripts, EmojiStandBetweenWords) {
  EXPECT_EQ(marked("👩‍🚀gannet🇩🇪 👍🏽 gannets", "gannet"),
            "👩‍🚀[gannet]🇩🇪 👍🏽 [gannets]");
}

TEST(SnippetScripts, Hindi) {
  EXPECT_EQ(marked("मुझे हिन्दी आती है", "हिन्दी", stemmed("none")), "मुझे [हिन्दी] आती है");
}

TEST(SnippetScripts, OtherTokenizers) {
  index::AnalyzerConfig config = stemmed("none");
  config.tokenizer = "whitespace";
  EXPECT_EQ(marked("a-b a b a-b. A-B", "a-b", config), "[a-b] a b a-b. [A-B]");
  EXPECT_EQ(marked("##un a ##UN", "##un", index::verbatim_analyzer()), "[##un] a ##UN");
}

}  // namespace
}  // namespace gannet::query
