// Which pieces of a text are chosen, and where they are cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/query/snippets.hpp"

namespace gannet::query {
namespace {

using test::piece;
using test::repeated;
using test::SnippetQueries;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

SnippetOptions one(std::uint32_t length) {
  SnippetOptions options;
  options.fragments = 1;
  options.length = length;
  return options;
}

std::string filler(std::size_t words) {
  return repeated(words, [](std::size_t i) { return "W" + std::to_string(i) + " "; });
}

TEST(Fragments, AShortTextIsShownAsItIs) {
  EXPECT_EQ(SnippetQueries().line(" \n One gannet.  \t", "gannet"), "One [gannet].");
}

TEST(Fragments, ABlankTextHasNone) {
  for (const std::string text : {"", " ", "\n\t \xE3\x80\x80"}) {
    EXPECT_EQ(SnippetQueries().snippet(text, "gannet"), Snippet()) << text;
  }
}

TEST(Fragments, WithoutAMatchItIsTheBeginning) {
  const std::string text =
      "  The first sentence is this one. The second one follows. " + filler(99);
  EXPECT_EQ(SnippetQueries().line(text, "zebra", one(40)), "The first sentence is this one. …");
  EXPECT_EQ(SnippetQueries().line(text, "", one(40)), "The first sentence is this one. …");
  EXPECT_EQ(SnippetQueries().line("just some words here", "zebra", one(15)), "just some words …");
}

TEST(Fragments, BeginsWithTheSentenceIfThatIsNear) {
  const std::string text =
      filler(50) + "ends here. A gannet dives into the sea. It is a bird. " + filler(50);
  EXPECT_EQ(SnippetQueries().line(text, "gannet", one(50)),
            "… A [gannet] dives into the sea. It is a bird. …");
}

TEST(Fragments, LongSentencesAreCutBetweenWords) {
  const std::string text = filler(50) + "a (gannet), " + filler(50);
  const std::string line = SnippetQueries().line(text, "gannet", one(40));
  EXPECT_EQ(line, "… W47 W48 W49 a ([gannet]), W0 W1 W2 W3 W4 …");
}

TEST(Fragments, NearTheEndTheFrontGetsTheRoom) {
  const std::string text = filler(50) + "One two three four. Five six gannet";
  EXPECT_EQ(SnippetQueries().line(text, "gannet", one(36)),
            "… One two three four. Five six [gannet]");
}

TEST(Fragments, CoverAsManyTermsAsPossible) {
  const std::string text = "cat cat cat cat " + filler(60) + "dog and cat " + filler(60);
  EXPECT_THAT(SnippetQueries().line(text, "cat dog", one(30)), HasSubstr("[dog] and [cat]"));
}

TEST(Fragments, OfEquallyManyTermsTheStretchWithMoreOccurrences) {
  const std::string text = "cat " + filler(60) + "cat or cat " + filler(60) + "cat or cat";
  const Snippet snippet = SnippetQueries().snippet(text, "cat", one(30));
  ASSERT_THAT(snippet.fragments, SizeIs(1));
  EXPECT_THAT(snippet.fragments[0].marks, SizeIs(2));
  EXPECT_LT(snippet.fragments[0].begin, text.size() / 2 + 10);  // the first of the two
}

TEST(Fragments, WeightsDecideWhatIsWorthMore) {
  const std::string text = "cat dog " + filler(60) + "bird " + filler(60);
  EXPECT_THAT(SnippetQueries().line(text, "cat dog bird", one(20)), StartsWith("[cat] [dog]"));
  EXPECT_THAT(SnippetQueries().line(text, "cat dog bird^5", one(20)), HasSubstr("[bird]"));
}

TEST(Fragments, RareTermsAreWorthMore) {
  Plan::Parts parts;
  parts.collection = {1000, 100'000};
  parts.terms = {{"cat", 900, 1}, {"dog", 900, 1}, {"bird", 1, 1}};
  for (std::uint32_t i = 0; i < 3; ++i) parts.expression.push_back({Node::Kind::kTerm, i});
  parts.expression.push_back({Node::Kind::kOr, 3});
  const std::string text = "cat dog " + filler(60) + "bird " + filler(60);
  const index::Analyzer analyzer{index::AnalyzerConfig{}};
  const Snippet snippet = make_snippet(text, Plan(parts), analyzer, one(20));
  ASSERT_THAT(snippet.fragments.front().marks, SizeIs(1));
  EXPECT_EQ(snippet.fragments.front().marks[0].term, 2u);
}

TEST(Fragments, FurtherOnesShowOtherTerms) {
  const std::string text = "cat dog " + filler(60) + "cat dog " + filler(60) + "bird " + filler(60);
  SnippetOptions options = one(20);
  options.fragments = 2;
  EXPECT_EQ(SnippetQueries().line(text, "cat dog bird", options),
            "[cat] [dog] W0 W1 W2 W3 … W58 W59 [bird] W0 W1 …");
}

TEST(Fragments, StandInTheOrderOfTheText) {
  const std::string text = "bird " + filler(60) + "cat dog " + filler(60);
  SnippetOptions options = one(20);
  options.fragments = 3;  // there are matches for two
  const Snippet snippet = SnippetQueries().snippet(text, "cat dog bird", options);
  ASSERT_THAT(snippet.fragments, SizeIs(2));
  EXPECT_THAT(std::string(piece(text, snippet.fragments[0])), StartsWith("bird"));
  EXPECT_FALSE(snippet.starts_late);
  EXPECT_TRUE(snippet.ends_early);
}

TEST(Fragments, NeighboursAreOne) {
  const std::string text = repeated(12, [](std::size_t) { return std::string("cat dog "); });
  SnippetOptions options = one(40);
  options.fragments = 2;
  const Snippet snippet = SnippetQueries().snippet(text, "cat dog", options);
  ASSERT_THAT(snippet.fragments, SizeIs(1));
  EXPECT_EQ(snippet.fragments[0].end - snippet.fragments[0].begin, 79u);
}

TEST(Fragments, ATokenLongerThanAFragmentIsWhole) {
  const std::string word(200, 'x');
  const std::string line = SnippetQueries().line(filler(9) + word + " " + filler(9), word, one(20));
  EXPECT_EQ(line, "… [" + word + "] …");
}

TEST(Fragments, ExcludedTermsAreNotMarked) {
  EXPECT_EQ(test::marked("cat dog bird", "cat -dog"), "[cat] dog bird");
  EXPECT_EQ(test::marked("cat dog bird", "NOT (dog OR NOT cat)"), "[cat] dog bird");
  EXPECT_EQ(test::marked("cat dog bird", "+cat dog"), "[cat] [dog] bird");
}

TEST(Fragments, TermsThatAreNeededButNotScoredAreMarked) {
  EXPECT_EQ(test::marked("cat dog bird", "cat^0 dog"), "[cat] [dog] bird");
  EXPECT_EQ(test::marked("cat dog bird", "dog -cat^0"), "cat [dog] bird");
}

TEST(Fragments, MarksNameTheTermsOfThePlan) {
  SnippetQueries queries;
  const Plan plan = queries.plan("birds cats");
  const std::string text = "a cat, a bird";
  const Snippet snippet = make_snippet(text, plan, queries.analyzer());
  ASSERT_THAT(snippet.fragments, SizeIs(1));
  const auto& marks = snippet.fragments[0].marks;
  ASSERT_THAT(marks, SizeIs(2));
  EXPECT_EQ(plan.terms()[marks[0].term].text, "cat");
  EXPECT_EQ(marks[0], (Mark{2, 5, marks[0].term}));
  EXPECT_EQ(plan.terms()[marks[1].term].text, "bird");
}

TEST(Fragments, LongTextsAreReadToTheirEnd) {
  const std::string text =
      repeated(200'000, [](std::size_t) { return std::string("cat and "); }) + "rare cat";
  EXPECT_EQ(SnippetQueries().line(text, "cat rare", one(20)), "… [cat] and [cat] and [rare] …");
}

TEST(Fragments, OptionsOutOfRangeAreRefused) {
  const auto message = [](std::uint32_t fragments, std::uint32_t length) {
    return test::message_of<UsageError>([&] {
      SnippetQueries().snippet("text", "text", {.fragments = fragments, .length = length});
    });
  };
  EXPECT_THAT(message(0, 100), HasSubstr("1 to 100 fragments, not 0"));
  EXPECT_THAT(message(101, 100), HasSubstr("not 101"));
  EXPECT_THAT(message(1, 9), HasSubstr("10 to 100000 characters, not 9"));
  EXPECT_THAT(message(1, 100'001), HasSubstr("not 100001"));
}

TEST(Fragments, CanBeCancelled) {
  std::stop_source source;
  source.request_stop();
  SnippetOptions options;
  options.stop = source.get_token();
  EXPECT_THROW(SnippetQueries().snippet(filler(10'000), "zebra", options), CancelledError);
}

}  // namespace
}  // namespace gannet::query
