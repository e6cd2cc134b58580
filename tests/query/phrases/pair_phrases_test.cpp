// Phrases of Chinese and Japanese, of which each character is a word, and each pair of neighbours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/analyzer.hpp"
#include "query/phrases/window_shape.hpp"
#include "query/plan/synonyms.hpp"
#include "tests/support/query/phrases/prose.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PairPhrases : public testing::Test, public test::Prose {};

const std::string kLongSentence =
    "信息检索是从大规模非结构化数据的集合中找出满足用户信息需求的资料的过程这是一个很长的句子";

TEST_F(PairPhrases, OfLongSentences) {
  build({"他说" + kLongSentence + "对吗", "信息检索是一个过程", kLongSentence.substr(3),
         kLongSentence.substr(0, kLongSentence.size() - 3)});
  EXPECT_GT(kLongSentence.size() / 3, kMaxWindowWords);
  EXPECT_THAT(found('"' + kLongSentence + '"'), ElementsAre(0));
  EXPECT_THAT(found('"' + kLongSentence.substr(3) + '"'), ElementsAre(0, 2));
  EXPECT_THAT(found("\"信息检索\""), ElementsAre(0, 1, 3));
  std::string most;
  for (std::uint32_t i = 0; i <= kMaxPhraseWords; ++i) most += "检";
  EXPECT_THAT(found('"' + most + '"'), IsEmpty());
  EXPECT_THAT(error('"' + most + "检\""), HasSubstr("a phrase has at most 256 words, not 257"));
  EXPECT_THAT(error('"' + kLongSentence + "\"~1"),
              HasSubstr("at most 32 words, not 87; a phrase without ~ may have more"));
}

TEST_F(PairPhrases, EndWithTheBeginningOfAWord) {
  build({"大 東京タワー", "大東京タワー", "大 京都", "大 東京abc", "大 東京 abc"});
  EXPECT_THAT(found("\"大 東京\""), ElementsAre(0, 3, 4));
  EXPECT_THAT(found("\"大 東京*\""), ElementsAre(0, 3, 4)) << "all that follows is another word";
  EXPECT_THAT(found("\"大 東*\""), ElementsAre(0, 3, 4));
  EXPECT_THAT(found("\"大東京*\""), ElementsAre(1));
  EXPECT_THAT(found("\"東京タ*\""), ElementsAre(0, 1));
  EXPECT_THAT(found("\"東京 ab*\""), ElementsAre(3, 4));
  EXPECT_THAT(found("\"東京ab*\""), ElementsAre(3, 4));
  EXPECT_THAT(found("\"東*\""), ElementsAre(0, 1, 3, 4));
}

/// A word alone is no phrase: no term has more than two of these characters.
TEST_F(PairPhrases, AreWrittenForLongWordsWithWildcards) {
  build({"東京都", "東京"});
  EXPECT_THAT(found("東京*"), ElementsAre(0, 1));
  EXPECT_THAT(found("*都"), ElementsAre(0));
  EXPECT_THAT(found("\"東京都*\""), ElementsAre(0));
  for (const char* text : {"東京都*", "*東京都", "東京ab*", "東京都~1"}) {
    EXPECT_THAT(error(text), HasSubstr("in quotation marks if they stand side by side")) << text;
  }
}

TEST_F(PairPhrases, LeaveOutCharactersThatPairsHave) {
  build({"東京都"});
  EXPECT_EQ(plan("\"東京都\"").terms()[0].text, "\"東京 ? 京都\"");
  EXPECT_EQ(plan("#od1(東京都)").terms()[0].text, "\"東京 ? 京都\"");
  EXPECT_EQ(plan("\"東京\"").terms()[0].text, "東京");
  EXPECT_EQ(plan("\"東京 a\"").terms()[0].text, "\"東京 ? a\"");
  EXPECT_EQ(plan("\"東京\"~1").terms()[0].text, "\"東 東京 京\"~1");
  EXPECT_EQ(plan("#uw9(東京)").terms()[0].text, "#uw9(東 東京 京)");
}

/// A pair that the analyzer drops says nothing of its characters.
TEST_F(PairPhrases, WithStopWords) {
  index::AnalyzerConfig analyzer;
  analyzer.stopwords = "none";
  analyzer.max_token_bytes = 3;
  build({"東京都", "東都京", "東a京"}, analyzer);
  EXPECT_EQ(plan("\"東京\"").terms()[0].text, "\"東 ? 京\"");
  EXPECT_THAT(found("\"東京\""), ElementsAre(0, 2));
}

TEST_F(PairPhrases, WithSynonyms) {
  build({"東京タワー", "a capital", "京都", "電 car"});
  Query query;
  query.synonyms = std::make_shared<const Synonyms>(
      parse_synonyms("京 => capital\n車, car\n", "synonyms"), *index_);
  EXPECT_THAT(found("\"東京\"", query), ElementsAre(0)) << "the pair says it all";
  EXPECT_THAT(found("\"京\"", query), ElementsAre(1));
  EXPECT_THAT(found("\"車\"", query), ElementsAre(3));
  EXPECT_THAT(found("\"電車\"", query), testing::IsEmpty());
}

/// Random text of characters with and without pairs.
std::string random_script(std::mt19937& random, std::size_t parts) {
  static const std::vector<std::string> kParts{"東", "東",   "京",  "京", "都", "タ",
                                               "ｶﾞ", "が",   "a",   "b",  " ",  "、",
                                               "㍿", "50㎏", "ไทย", "ㄱ", "ㅏ", "가"};
  std::string text;
  for (; parts > 0; --parts) text += kParts[random() % kParts.size()];
  return text;
}

std::vector<std::string> tokens_of(const index::Analyzer& analyzer, std::string_view text) {
  std::vector<std::string> tokens;
  index::Analyzer::Worker worker(analyzer);
  analyzer.tokenize(text,
                    [&](std::string_view token) { tokens.emplace_back(worker.term_of(token)); });
  return tokens;
}

/// What all raw tokens, one behind the other, say: no document more or less.
TEST_F(PairPhrases, FindWhatAllTokensFind) {
  std::mt19937 random(3);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back(random_script(random, 1 + random() % 24));
  build(texts);
  const index::Analyzer analyzer(index_->analyzer());
  std::size_t sum = 0, several = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string phrase = random_script(random, 1 + random() % 5);
    const std::vector<std::string> wanted = tokens_of(analyzer, phrase);
    if (wanted.empty()) continue;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t d = 0; d < texts.size(); ++d) {
      const std::vector<std::string> own = tokens_of(analyzer, texts[d]);
      const auto at = std::search(own.begin(), own.end(), wanted.begin(), wanted.end());
      if (at != own.end()) expected.push_back(d);
    }
    EXPECT_EQ(found('"' + phrase + '"'), expected) << phrase;
    sum += expected.size();
    several += wanted.size() > 2 && !expected.empty() ? 1 : 0;
  }
  EXPECT_GT(sum, 2'000u);
  EXPECT_GT(several, 60u);
}

}  // namespace
}  // namespace gannet::query
