// gannet search, as a user types it.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Search : public ::testing::Test {
 protected:
  Output search(std::vector<std::string> arguments, std::string_view input = {}) {
    arguments.insert(arguments.begin(), {"search", "--index", index_});
    return gannet(std::move(arguments), input);
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Search, PrintsRankScoreIdAndText) {
  const Output found = search({"gannet"});
  EXPECT_EQ(found.code, 0);
  EXPECT_THAT(found.out, StartsWith("  1  "));
  EXPECT_THAT(found.out, HasSubstr("  d-bird\n"));
  EXPECT_THAT(found.out, HasSubstr("Gannets dive for fish"));
  EXPECT_THAT(found.out, ::testing::Not(HasSubstr("\033")));  // no escapes in a file
}

TEST_F(Search, TheWordsOfTheCommandLineAreOneQuery) {
  EXPECT_EQ(search({"cat", "AND", "dog"}).out, search({"cat AND dog"}).out);
  EXPECT_EQ(search({"--count", "cat", "AND", "dog"}).out, "1\n");
}

TEST_F(Search, ModeAndAsksForAllWords) {
  EXPECT_EQ(search({"--count", "--mode", "or", "cat dog"}).out, "3\n");
  EXPECT_EQ(search({"--count", "--mode", "and", "cat dog"}).out, "1\n");
}

TEST_F(Search, DocidsAreIdsInCollectionOrder) {
  EXPECT_EQ(search({"--docids", "fish OR cat"}).out, "d-cat\nd-dog\nd-bird\nd-fish\n");
  EXPECT_EQ(search({"--docids", "NOT (fish OR cat)"}).out, "");
  EXPECT_EQ(search({"--docids", "fish -dog"}).out, "d-bird\n");
}

TEST_F(Search, KLimitsTheHits) {
  EXPECT_EQ(json_at(search({"--k", "1", "--total", "--json", "fish"}).out, "/total"), "2");
  EXPECT_EQ(json_at(search({"--k", "0", "--json", "fish"}).out, "/hits"), "[]");
  EXPECT_EQ(search({"--k=-1", "fish"}).code, 2);
  EXPECT_EQ(search({"--k", "many", "fish"}).code, 2);
}

TEST_F(Search, TheTotalIsThereWhereItCostsNothingOrIsAskedFor) {
  const auto total = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--json", "--backend", "cpu"});
    const std::string out = search(options).out;
    return out.find("\"total\":") == std::string::npos ? "none" : json_at(out, "/total");
  };
  EXPECT_EQ(total({"fish"}), "2");
  EXPECT_EQ(total({"--k", "3", "fish"}), "2");
  EXPECT_EQ(total({"--k", "2", "fish"}), "none");
  EXPECT_EQ(total({"--k", "0", "fish"}), "none");
  EXPECT_EQ(total({"--k", "1", "--total", "fish"}), "2");
  EXPECT_EQ(total({"--k", "0", "--total", "fish OR cat"}), "4");
  EXPECT_EQ(total({"--count", "fish"}), "2");
  EXPECT_EQ(total({"--docids", "fish"}), "2");
  EXPECT_EQ(total({"zebra"}), "0");
  EXPECT_THAT(search({"--k", "1", "--total", "fish"}).out, HasSubstr("\n2 matches\n"));
  EXPECT_THAT(search({"--k", "1", "fish"}).out, Not(HasSubstr("match")));
  EXPECT_EQ(search({"--count", "--total", "fish"}).code, 2);
}

TEST_F(Search, NobodyWhoWantsNoHitsIsToldThatThereAreNone) {
  const Output none = search({"--k", "0", "--total", "fish"});
  EXPECT_EQ(none.err, "");
  EXPECT_THAT(none.out, HasSubstr("2 matches"));
}

TEST_F(Search, ErrorsAreJsonIfTheResultWouldBe) {
  const Output wrong = search({"--json", "cat (dog"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(json_at(wrong.err, "/command"), "\"search\"");
  EXPECT_EQ(json_at(wrong.err, "/error/code"), "\"usage\"");
  EXPECT_EQ(json_at(wrong.err, "/error/exit_code"), "2");
  EXPECT_EQ(json_at(wrong.err, "/error/column"), "5");
  EXPECT_THAT(json_at(wrong.err, "/error/message"), HasSubstr("query, column 5: "));
  EXPECT_FALSE(is_json(search({"cat (dog"}).err));
  EXPECT_FALSE(is_json(search({"--", "cat", "(dog", "--json"}).err)) << "a word of the query";
}

TEST_F(Search, JsonHasHitsWithIdScoreAndTheTextThatWasAskedFor) {
  EXPECT_THAT(search({"--json", "gannet"}).out, Not(HasSubstr("\"text\"")));
  EXPECT_THAT(search({"--json", "--snippets=0", "gannet"}).out, Not(HasSubstr("\"text\"")));
  EXPECT_EQ(search({"--text", "gannet"}).code, 2) << "goes with --json";
  const Output found = search({"--json", "--text", "--backend", "cpu", "gannet"});
  EXPECT_EQ(json_at(found.out, "/hits/0/id"), "\"d-bird\"");
  EXPECT_EQ(json_at(found.out, "/hits/0/docid"), "2");
  EXPECT_EQ(json_at(found.out, "/hits/0/text"),
            "\"Gannets dive for fish, and a gannet is a bird.\"");
  EXPECT_EQ(json_at(found.out, "/report/backend"), "\"cpu\"");
}

TEST_F(Search, AQueryThatFindsNothingPrintsNothing) {
  for (const std::string query : {"zebra", "+zebra cat", "?!"}) {
    const Output found = search({query});
    EXPECT_EQ(found.code, 0) << query;
    EXPECT_THAT(found.out, IsEmpty()) << query;
    EXPECT_EQ(found.err, "no documents found\n") << query;
  }
}

TEST_F(Search, ABadLineOfStdinIsNamedAndSkippedUnlessItIsToStop) {
  const std::vector<std::string> stop{"--count", "--on-error", "stop", "-"};
  const Output stopped = search(stop, "cat\ncat AND\ndog\n");
  EXPECT_EQ(stopped.code, 2);
  EXPECT_EQ(stopped.out, "2\n");
  EXPECT_THAT(stopped.err, HasSubstr("gannet search: stdin:2: query, column 5: AND needs"));
  const Output skipped = search({"--count", "-"}, "cat\ncat AND\ndog\n\"x\n");
  EXPECT_EQ(skipped.code, 8) << skipped.err;
  EXPECT_EQ(skipped.out, search({"--count", "-"}, "cat\ndog\n").out);
  EXPECT_THAT(skipped.err, HasSubstr("skipped: stdin:2: query, column 5"));
  EXPECT_THAT(skipped.err, HasSubstr("skipped: stdin:4: query, column 1"));
}

TEST_F(Search, EachLineOfStdinHasItsLineOfJson) {
  const Output found = search({"--json", "-"}, "cat\ncat AND\ndog\n");
  EXPECT_EQ(found.code, 8);
  std::istringstream lines(found.out);
  std::vector<std::string> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(line);
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(json_at(answers[0], "/total"), "2");
  EXPECT_EQ(json_at(answers[1], "/query"), "\"cat AND\"");
  EXPECT_EQ(json_at(answers[1], "/error/column"), "5");
  EXPECT_EQ(json_at(answers[1], "/error/exit_code"), "2");
  EXPECT_EQ(json_at(answers[2], "/query"), "\"dog\"");
  EXPECT_EQ(
      json_at(search({"--json", "--on-error", "stop", "-"}, "cat AND\n").err, "/error/column"),
      "5");
}

TEST_F(Search, QueriesComeFromStdinToo) {
  const Output found = search({"--count", "-"}, "cat\ndog\r\nzebra\n");
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.out, "2\n2\n0\n");
}

TEST_F(Search, ParametersChangeScores) {
  const std::string plain = json_at(search({"--json", "cat"}).out, "/hits/0/score");
  const std::string flat =
      json_at(search({"--json", "--scorer-params", "b=0", "cat"}).out, "/hits/0/score");
  EXPECT_NE(plain, flat);
  EXPECT_EQ(search({"--scorer-params", "b=2", "cat"}).code, 2);
  EXPECT_EQ(search({"--scorer-params", "k1=-1", "cat"}).code, 2);
}

TEST_F(Search, ScorersAreChosenAndReported) {
  const Output found =
      search({"--json", "--scorer", "dirichlet", "--scorer-params", "mu=50", "cat"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(json_at(found.out, "/scorer/name"), "\"dirichlet\"");
  EXPECT_EQ(json_at(found.out, "/scorer/parameters/mu"), "50.0");
  EXPECT_THAT(search({"--plan", "--scorer", "pl2", "cat"}).out, HasSubstr("best 10 by pl2 c=1"));
  const Output unknown = search({"--scorer", "bm52", "cat"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("is none of bm25, bm25plus, tfidf"));
  const Output wrong = search({"--scorer", "dph", "--scorer-params", "c=1", "cat"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("dph: no parameter is called 'c'"));
  EXPECT_THAT(search({"--help"}).out, HasSubstr("jelinek-mercer lambda=0.1"));
}

TEST_F(Search, WordsHaveWeights) {
  const auto score = [&](const char* text) {
    return std::stod(json_at(search({"--json", "--scorer", "impact", text}).out, "/hits/0/score"));
  };
  EXPECT_DOUBLE_EQ(score("cat^2.5"), 2.5 * score("cat"));
  EXPECT_EQ(search({"--count", "cat^0"}).out, search({"--count", "cat"}).out);
  EXPECT_EQ(search({"cat^-1"}).code, 2);
  EXPECT_THAT(search({"--plan", "cat^2.5"}).out, HasSubstr("cat^2.5: in"));
}

TEST_F(Search, ExplainShowsThePlan) {
  const Output explained = search({"--plan", "--backend", "cpu", "gannets dive"});
  EXPECT_EQ(explained.code, 0);
  EXPECT_THAT(explained.out, HasSubstr("gannet"));
  EXPECT_THAT(explained.out, HasSubstr("back end cpu"));
}

/// The path that a query took, and that what was read and what was skipped make up what there is.
TEST_F(Search, ExplainSaysWhatWasSkipped) {
  const std::string lists = (folder_.path() / "lists").string();
  const std::string index = (folder_.path() / "of_lists").string();
  ASSERT_EQ(gannet({"generate", "--documents", "200000", "--lists", "4", "--format", "ds2i",
                    "--output", lists})
                .code,
            0);
  ASSERT_EQ(gannet({"index", "--input", lists, "--format", "ds2i", "--output", index}).code, 0);
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"search",        "--index", index, "--backend", "cpu",
                                    "--bounds-bits", "100",     "--k", "2",         "3 0"};
    all.insert(all.end() - 1, more.begin(), more.end());
    return gannet(std::move(all)).out;
  };
  EXPECT_THAT(ask({"--plan"}), HasSubstr("path: pruned by bounds: "));
  EXPECT_THAT(ask({"--plan", "--exhaustive"}), HasSubstr("path: every match is looked at"));
  const std::string pruned = ask({"--json"});
  const std::string exhaustive = ask({"--json", "--exhaustive"});
  const auto number = [](const std::string& json, const std::string& name) {
    return std::stoull(json_at(json, "/report/" + name));
  };
  EXPECT_EQ(number(pruned, "ranges_total"), (200'000u + 63) / 64);
  EXPECT_LT(number(pruned, "ranges_searched"), number(pruned, "ranges_total"));
  EXPECT_GE(number(pruned, "documents_scored"), 2u);
  EXPECT_EQ(number(exhaustive, "ranges_total"), 0u);
  EXPECT_EQ(number(pruned, "tiles_total"), number(exhaustive, "tiles_total"));
  EXPECT_EQ(json_at(pruned, "/hits"), json_at(exhaustive, "/hits"));
}

TEST_F(Search, WrongQueriesAreUsageErrors) {
  for (const std::string query : {"(cat", "cat)", "cat AND", "NOT"}) {
    const Output wrong = search({query});
    EXPECT_EQ(wrong.code, 2) << query;
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    EXPECT_THAT(wrong.err, StartsWith("gannet search: "));
  }
}

TEST_F(Search, AnUnquotedMinusIsExplained) {
  const Output wrong = search({"cat", "-dog"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("quote the query"));
  EXPECT_EQ(search({"--count", "--", "cat", "-dog"}).out, "1\n");
}

TEST_F(Search, ExpansionAddsTermsAndExplainsThem) {
  // The other terms of the one document about gannets; "fish" is in two of the four.
  const std::string any = "max-df=0.5";
  const Output plain = search({"--plan", "gannets"});
  EXPECT_THAT(plain.out, ::testing::Not(HasSubstr("d-fish")));
  for (const std::string method : {"rm3", "rocchio"}) {
    const Output expanded =
        search({"--plan", "--expand", method, "--expand-params", any, "gannets"});
    ASSERT_EQ(expanded.code, 0) << expanded.err;
    EXPECT_THAT(expanded.out, ::testing::ContainsRegex("  fish\\^0\\.[0-9]+: in 2 documents"));
    EXPECT_THAT(expanded.out, HasSubstr("d-fish"));
  }
}

TEST_F(Search, PairsOfWordsAreAnExpansion) {
  const Output found = search({"--plan", "--expand", "sdm", "gannets dive deep"});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("  gannet^0.85: "));
  EXPECT_THAT(found.out, HasSubstr("  \"gannet dive\"^0.1: "));
  EXPECT_THAT(found.out, HasSubstr("  #uw8(dive deep)^0.05: "));
  const Output set = search(
      {"--plan", "--expand", "sdm", "--expand-params", "unordered=0.2,window=4", "gannets dive"});
  EXPECT_THAT(set.out, HasSubstr("  #uw4(gannet dive)^0.2: "));
  EXPECT_THAT(search({"--expand", "sdm", "--expand-params", "window=1", "cat"}).err,
              HasSubstr("window must be a whole number between 2 and 1000000"));
  EXPECT_EQ(search({"--expand", "sdm", "--count", "cat"}).code, 2);
  EXPECT_THAT(search({"--expand", "sdm", "--like", "d-cat"}).err, HasSubstr("leave one out"));
}

TEST_F(Search, ExpansionsThatCannotBeAreRefused) {
  EXPECT_THAT(search({"--expand", "rm4", "cat"}).err,
              HasSubstr("is none of rm3, rm3:anserini, rocchio, sdm (did you mean"));
  EXPECT_THAT(search({"--expand", "rm3", "--expand-params", "docs=0", "cat"}).err,
              HasSubstr("docs must be"));
  EXPECT_THAT(search({"--expand-params", "docs=3", "cat"}).err, HasSubstr("needs --expand"));
  EXPECT_THAT(search({"--expand", "rm3", "--count", "cat"}).err, HasSubstr("--expand ranks"));
  EXPECT_EQ(search({"--expand", "rm3", "--docids", "cat"}).code, 2);
}

TEST_F(Search, AMissingQueryIsAUsageError) { EXPECT_EQ(search({}).code, 2); }

TEST_F(Search, CudaWithoutAGpuSaysSo) {
  if (json_at(gannet({"--version", "--json"}).out, "/backends/cuda/usable") == "true") {
    GTEST_SKIP() << "there is a GPU here";
  }
  const Output none = search({"--backend", "cuda", "cat"});
  EXPECT_EQ(none.code, 5);
  EXPECT_TRUE(is_one_line(none.err)) << none.err;
  EXPECT_THAT(none.out, IsEmpty());
  EXPECT_EQ(search({"--backend", "tpu", "cat"}).code, 2);
}

TEST_F(Search, AMissingIndexIsAnIoError) {
  const Output missing = gannet({"search", "--index", folder_ / "nowhere", "cat"});
  EXPECT_EQ(missing.code, 4);
  EXPECT_TRUE(is_one_line(missing.err)) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("nowhere"));
}

TEST_F(Search, AFolderThatIsNoIndexIsNotSearched) {
  const Output other = gannet({"search", "--index", folder_.path().string(), "cat"});
  EXPECT_TRUE(other.code == 3 || other.code == 4) << other.code;
  EXPECT_TRUE(is_one_line(other.err)) << other.err;
}

TEST_F(Search, ControlCharactersOfADocumentNeverReachTheTerminal) {
  write_file(folder_ / "evil.jsonl",
             "{\"id\": \"e\", \"contents\": \"evil \\u001b[31m escape \\u0007 bell\"}\n");
  ASSERT_EQ(gannet({"index", "--input", folder_ / "evil.jsonl", "--format", "jsonl", "--output",
                    folder_ / "evil", "--store"})
                .code,
            0);
  const Output found = gannet({"search", "--index", folder_ / "evil", "evil"});
  EXPECT_THAT(found.out, ::testing::Not(HasSubstr("\033")));
  EXPECT_THAT(found.out, ::testing::Not(HasSubstr("\007")));
}

}  // namespace
}  // namespace gannet::test
