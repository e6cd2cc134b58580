// Stop words of one's own: reading a list, and what the analyzer makes of it.
#include "index/text/stop_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "index/builder.hpp"
#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> analyze(std::string_view text, AnalyzerConfig config) {
  std::vector<std::string> terms;
  Analyzer(std::move(config)).analyze(text, terms);
  return terms;
}

AnalyzerConfig with_list(std::vector<std::string> words) {
  AnalyzerConfig config;
  config.stopword_list = std::move(words);
  return config;
}

TEST(StopWordList, IsReadWithCommentsAndBlanks) {
  EXPECT_THAT(parse_stop_words("\xEF\xBB\xBF# a comment\r\n"
                               "the  | Snowball's\r\n"
                               "\n"
                               "  und\tder # Solr's\n"
                               "the\n"
                               "c#\n"
                               "|all of it",
                               "f"),
              ElementsAre("c#", "der", "the", "und"));
  EXPECT_THAT(parse_stop_words("", "f"), IsEmpty());
}

TEST(StopWordList, WhatIsNoneNamesTheLine) {
  const auto error = [](std::string_view text) {
    return test::message_of<UsageError>([&] { parse_stop_words(text, "words.txt"); });
  };
  EXPECT_THAT(error("a\nb\xFF\n"), HasSubstr("words.txt:2: is not UTF-8"));
  EXPECT_THAT(error(std::string((1u << 20) + 1, 'x')), HasSubstr("words.txt: the stop words have"));
}

TEST(StopWordList, WordsAreMadeTokensAsTextsAre) {
  AnalyzerConfig config = with_list({"ES", "THÉ"});
  EXPECT_THAT(analyze("es The thé ES", config), ElementsAre("the"));
  config.fold_accents = true;
  EXPECT_THAT(analyze("es The thé ES", config), IsEmpty());
  config.lowercase = false;
  EXPECT_THAT(analyze("es The THE ES", config), ElementsAre("es", "The"));
}

TEST(StopWordList, IsComparedBeforeStemming) {
  EXPECT_THAT(analyze("running runs run", with_list({"run"})), ElementsAre("run", "run"));
}

TEST(StopWordList, AddsToTheListThatIsNamed) {
  AnalyzerConfig config = with_list({"cat"});
  config.stopwords = "english";
  EXPECT_THAT(analyze("the cat sat", config), ElementsAre("sat"));
}

TEST(StopWordList, WordsThatAreSeveralTokensHaveNoEffect) {
  const Analyzer analyzer(with_list({"!?", "don't", "so"}));
  EXPECT_THAT(analyzer.unused_stop_words(), ElementsAre("!?", "don't"));
  EXPECT_THAT(analyze("don't so", analyzer.config()), ElementsAre("don", "t"));
  AnalyzerConfig whole = with_list({"don't"});
  whole.tokenizer = "whitespace";
  EXPECT_THAT(analyze("Don't so", whole), ElementsAre("so"));
}

TEST(StopWordList, WhatTheAnalyzerCannotTakeIsAUsageError) {
  EXPECT_THROW(Analyzer(with_list({""})), UsageError);
  EXPECT_THROW(Analyzer(with_list({"\xFF"})), UsageError);
  EXPECT_THROW(Analyzer(with_list({std::string((1u << 20) + 1, 'x')})), UsageError);
  AnalyzerConfig verbatim = verbatim_analyzer();
  verbatim.stopword_list = {"a"};
  EXPECT_THROW(Analyzer{verbatim}, UsageError);
}

TEST(StopWordList, TextFieldsHaveItUnlessTheyNameOne) {
  const AnalyzerConfig main = with_list({"cat"});
  EXPECT_EQ(text_analyzer(main, {}).stopword_list, main.stopword_list);
  TextOptions own;
  own.stopwords = "none";
  EXPECT_THAT(text_analyzer(main, own).stopword_list, IsEmpty());
}

TEST(StopWordList, IsKeptByTheIndexAndNotCountedInLengths) {
  const test::TemporaryDirectory folder;
  BuildOptions options;
  options.write.analyzer = with_list({"\"quoted\\", "ünd"});
  test::VectorSource source({{"1", "Haus ÜND Hof"}, {"2", "ünd"}}, 8);
  build_index(source, folder / "idx", options);
  const Index index = Index::open(folder / "idx");
  AnalyzerConfig read = index.analyzer();
  read.libraries.clear();
  EXPECT_EQ(read, options.write.analyzer);
  EXPECT_THAT(index.segments().front()->document_lengths(), ElementsAre(2, 0));
  EXPECT_EQ(index.statistics().tokens, 2);
}

}  // namespace
}  // namespace gannet::index
