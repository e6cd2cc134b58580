// From raw tokens to terms: lower-casing, stop words, stemming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/words/stemmer.hpp"

namespace gannet::index {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> terms_of(std::string_view text, AnalyzerConfig config) {
  std::vector<std::string> terms;
  Analyzer(std::move(config)).analyze(text, terms);
  return terms;
}

AnalyzerConfig plain_words() {
  AnalyzerConfig config;
  config.stemmer = "none";
  return config;
}

template <class F>
std::string usage_error(F&& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no UsageError";
  return {};
}

TEST(Analyzer, FoldsTheCaseOfAllScripts) {
  EXPECT_THAT(terms_of("HELLO ÉCOLE ΟΔΟΣ УЛИЦА ǅ Ⱥ", plain_words()),
              ElementsAre("hello", "école", "οδοσ", "улица", "dž", "ⱥ"));
  EXPECT_THAT(terms_of("Straße STRASSE", plain_words()), ElementsAre("strasse", "strasse"));
  EXPECT_THAT(terms_of("MiXeD123É9Z", plain_words()), ElementsAre("mixed123é9z"));
}

TEST(Analyzer, CaseFoldingCanBeTurnedOff) {
  AnalyzerConfig config = plain_words();
  config.lowercase = false;
  EXPECT_THAT(terms_of("Hello WORLD", config), ElementsAre("Hello", "WORLD"));
}

TEST(Analyzer, StemsEnglishByDefault) {
  EXPECT_THAT(terms_of("Running runner flies GENERALLY skies", {}),
              ElementsAre("run", "runner", "fli", "general", "sky"));
}

TEST(Analyzer, OtherSnowballLanguages) {
  AnalyzerConfig config;
  config.stemmer = "german";
  EXPECT_THAT(terms_of("Häuser laufen", config), ElementsAre("haus", "lauf"));
  config.stemmer = "russian";
  EXPECT_THAT(terms_of("КНИГИ", config), ElementsAre("книг"));
  config.stemmer = "porter";
  EXPECT_THAT(terms_of("generally", config), ElementsAre("gener"));
}

TEST(Analyzer, EveryStemmerThatIsNamedWorks) {
  EXPECT_THAT(stemmer_names(), Contains("english"));
  EXPECT_THAT(stemmer_names(), Contains("none"));
  for (const std::string& name : stemmer_names()) {
    AnalyzerConfig config;
    config.stemmer = name;
    EXPECT_THAT(terms_of("x1", config), ElementsAre("x1")) << name;
  }
}

TEST(Analyzer, StopWordsAreDroppedBeforeStemming) {
  AnalyzerConfig config;
  config.stopwords = "english";
  EXPECT_THAT(terms_of("The man is IN the house with those", config),
              ElementsAre("man", "hous", "those"));
  // "ares" is no stop word, though its stem is one.
  EXPECT_THAT(terms_of("ares", config), ElementsAre("are"));
  EXPECT_THAT(terms_of("the is a", config), IsEmpty());
  EXPECT_THAT(terms_of("the is a", {}), ElementsAre("the", "is", "a"));
}

TEST(Analyzer, DropsTokensThatAreTooLong) {
  const std::string longest(255, 'x');
  EXPECT_THAT(terms_of("a " + longest + " b", plain_words()), ElementsAre("a", longest, "b"));
  EXPECT_THAT(terms_of("a " + longest + "x b", plain_words()), ElementsAre("a", "b"));
  AnalyzerConfig config = plain_words();
  config.max_token_bytes = 3;
  EXPECT_THAT(terms_of("abcd abc éé é", config), ElementsAre("abc", "é"));
}

TEST(Analyzer, TermOfOneTokenAgreesWithAnalyze) {
  const Analyzer analyzer{AnalyzerConfig{}};
  Analyzer::Worker worker(analyzer);
  std::vector<std::string> terms;
  analyzer.tokenize("Walking, ÉCOLES walked!",
                    [&](std::string_view token) { terms.emplace_back(worker.term_of(token)); });
  EXPECT_EQ(terms, terms_of("Walking, ÉCOLES walked!", {}));
}

TEST(Analyzer, AppendsToWhatIsThere) {
  Analyzer analyzer{AnalyzerConfig{}};
  std::vector<std::string> terms = {"before"};
  analyzer.analyze("after", terms);
  EXPECT_THAT(terms, ElementsAre("before", "after"));
}

TEST(Analyzer, MovedAnalyzersGoOn) {
  Analyzer first{plain_words()};
  Analyzer second = std::move(first);
  std::vector<std::string> terms;
  second.analyze("Words", terms);
  EXPECT_THAT(terms, ElementsAre("words"));
  EXPECT_EQ(second.config(), plain_words());
}

TEST(Analyzer, UnknownNamesAreUsageErrorsThatNameTheKnown) {
  AnalyzerConfig config;
  config.stemmer = "klingon";
  EXPECT_THAT(usage_error([&] { Analyzer{config}; }), HasSubstr("english"));
  config = {};
  config.stopwords = "french";
  EXPECT_THAT(usage_error([&] { Analyzer{config}; }), HasSubstr("english, none"));
  config = {};
  config.tokenizer = "x";
  EXPECT_THAT(usage_error([&] { Analyzer{config}; }), HasSubstr("whitespace"));
  config = {};
  config.max_token_bytes = 0;
  EXPECT_THAT(usage_error([&] { Analyzer{config}; }), HasSubstr("1 to 65535"));
}

}  // namespace
}  // namespace gannet::index
