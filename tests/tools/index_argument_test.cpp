// Which index a command line means, letters for options, and words that look like options: as
// people type them.
#include <gmock/gmock.h>
#include <simdjson.h>

#include <map>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/named_options.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class IndexWord : public ::testing::Test {
 protected:
  /// A line of shell in the folder of the index, which is called "idx".
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  std::string docids(const std::string& line) {
    const Output found = in_folder(line);
    EXPECT_EQ(found.code, 0) << line << ": " << found.err;
    return found.out;
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(IndexWord, TheFirstWordIsTheIndexAndTheOthersAreTheQuery) {
  const std::string both = docids("$GANNET search --index idx --docids -- fish swim");
  EXPECT_EQ(both, "d-bird\nd-fish\n");
  EXPECT_EQ(docids("$GANNET search idx fish swim --docids"), both);
  EXPECT_EQ(docids("$GANNET search --docids idx fish swim"), both);
  EXPECT_EQ(docids("$GANNET search idx --docids fish swim"), both);
  EXPECT_EQ(docids("$GANNET search -i idx --docids fish swim"), both);
  EXPECT_EQ(docids("$GANNET search idx/ --docids fish swim"), both);
}

TEST_F(IndexWord, WhereTheIndexIsNamedElsewhereAllWordsAreTheQuery) {
  EXPECT_EQ(docids("GANNET_INDEX=idx $GANNET search --docids swim"), "d-fish\n");
  EXPECT_EQ(docids("GANNET_INDEX=idx $GANNET search --docids swim dive"), "d-bird\nd-fish\n");
  EXPECT_EQ(docids("$GANNET search --index idx --docids swim"), "d-fish\n");
  EXPECT_EQ(docids("GANNET_INDEX=nowhere $GANNET search --index idx --docids swim"), "d-fish\n");
  EXPECT_EQ(docids("echo swim | GANNET_INDEX=idx $GANNET search --count -"), "1\n");
}

TEST_F(IndexWord, AnIndexThatIsNamedWinsOverTheEnvironment) {
  EXPECT_EQ(docids("GANNET_INDEX=nowhere $GANNET search idx --docids swim"), "d-fish\n");
  EXPECT_EQ(docids("GANNET_INDEX=nowhere $GANNET search idx --count --filter '*:*'"), "4\n");
  EXPECT_THAT(docids("GANNET_INDEX=nowhere $GANNET get idx d-fish"), HasSubstr("d-fish"));
  EXPECT_EQ(docids("$GANNET shard idx --shards 2 -o set -q;"
                   "GANNET_INDEX=nowhere $GANNET search set --docids swim"),
            "d-fish\n");
  const Output added = in_folder(
      "echo '{\"id\": \"new\", \"contents\": \"swim\"}' >new.jsonl;"
      "GANNET_INDEX=nowhere $GANNET add idx new.jsonl");
  EXPECT_EQ(added.code, 0) << added.err;
}

TEST_F(IndexWord, ASingleWordThatIsAnIndexIsNoQuery) {
  const Output alone = in_folder("GANNET_INDEX=idx $GANNET search --count idx");
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("a query is missing: 'idx' is the index"));
  EXPECT_EQ(docids("$GANNET search --index idx --count idx"), "0\n");
}

TEST_F(IndexWord, ADamagedIndexIsOneToo) {
  const Output damaged = in_folder(
      "cp -r idx bad; printf x >bad/manifest.json; GANNET_INDEX=idx $GANNET search bad swim");
  EXPECT_EQ(damaged.code, 7) << damaged.err;
}

TEST_F(IndexWord, AWordTooManyIsMeantForAnOption) {
  for (const auto& [command, hint] : std::map<std::string, std::string>{
           {"delete idx d-cat", "did you mean --id d-cat?"},
           {"delete idx --id d-dog d-cat", "did you mean --id d-cat?"},
           {"run idx queries.tsv", "did you mean --topics queries.tsv?"},
           {"repair idx mended", "did you mean --output mended?"},
           {"shard idx set", "did you mean --output set?"},
           {"export idx x.ciff --format ciff", "did you mean --output x.ciff?"},
           {"set-codec idx year", "did you mean --field year?"},
           {"reorder idx url", "did you mean --order url?"},
           {"inspect idx tiger", "did you mean --term tiger?"},
           {"eval qrels.txt", "did you mean --qrels qrels.txt?"},
           {"encode raw --type u32", "did you mean --input raw?"},
           {"bench query idx queries.tsv", "did you mean --topics queries.tsv?"},
           {"verify idx more", "'more': the command takes one word without an option, the index"},
           {"merge idx more", "'more': the command takes one word without an option, the index"},
           {"version more", "'more': the command takes no word without an option"},
           {"demo more", "'more': the command takes no word without an option"}}) {
    const Output wrong = in_folder("$GANNET " + command);
    EXPECT_EQ(wrong.code, 2) << command;
    EXPECT_TRUE(is_one_line(wrong.err)) << command << ": " << wrong.err;
    EXPECT_THAT(wrong.err, HasSubstr(hint)) << command;
  }
}

TEST_F(IndexWord, AnEmptyVariableIsOneThatIsNotSet) {
  EXPECT_EQ(docids("GANNET_INDEX= $GANNET search idx --docids swim"), "d-fish\n");
  EXPECT_EQ(in_folder("GANNET_INDEX= $GANNET verify").code, 2);
}

TEST_F(IndexWord, AMissingIndexNamesAllThreeWays) {
  for (const std::string command :
       {"search", "search --count", "verify", "inspect", "merge", "run --topics x --output y",
        "delete --id x", "export --format ciff --output x", "repair --output x", "add --input x",
        "reorder --order id", "set-codec --field x --codec auto", "shard --shards 2 --output x",
        "bench query --topics x", "echo swim | $GANNET search -"}) {
    const bool piped = command.starts_with("echo");
    const Output none = in_folder(piped ? command : "$GANNET " + command);
    EXPECT_EQ(none.code, 2) << command;
    EXPECT_TRUE(is_one_line(none.err)) << command << ": " << none.err;
    EXPECT_THAT(none.err,
                AllOf(HasSubstr("first word"), HasSubstr("--index"), HasSubstr("GANNET_INDEX")))
        << command;
  }
}

TEST_F(IndexWord, EveryCommandTakesItFirstOrFromTheEnvironment) {
  write_file(folder_ / "topics", "1\tswim\n");
  const std::map<std::string, std::string> rest{
      {"inspect", ""},
      {"verify", ""},
      {"merge", "--quiet"},
      {"run", "--topics topics --output - --quiet"},
      {"delete", "--query swim --dry-run"},
      {"export", "--format ciff --output x.ciff --overwrite --quiet"},
      {"repair", "--output mended --overwrite --quiet"},
      {"reorder", "--order id --output ordered --overwrite --quiet"},
      {"shard", "--shards 1 --output shards-$$ --quiet"},
      {"bench query", "--topics topics --repeats 1 --backend cpu"},
  };
  for (const auto& [command, options] : rest) {
    const Output word = in_folder("$GANNET " + command + " idx " + options);
    EXPECT_EQ(word.code, 0) << command << ": " << word.err;
    const Output set = in_folder("export GANNET_INDEX=idx; $GANNET " + command + " " + options);
    EXPECT_EQ(set.code, 0) << command << ": " << set.err;
    const Output twice = in_folder("$GANNET " + command + " idx --index idx " + options);
    EXPECT_EQ(twice.code, 2) << command;
    EXPECT_THAT(twice.err, HasSubstr("named twice")) << command;
  }
  // A word is nearer than the environment.
  EXPECT_EQ(in_folder("GANNET_INDEX=nowhere $GANNET verify idx").code, 0);
  EXPECT_EQ(in_folder("$GANNET verify idx more").code, 2);
}

TEST_F(IndexWord, JoiningShardsNeedsNoIndex) {
  const Output joined = in_folder(
      "$GANNET shard idx --shards 1 -o set -q && GANNET_INDEX=idx $GANNET shard --join set -o one "
      "-q");
  EXPECT_EQ(joined.code, 0) << joined.err;
}

TEST_F(IndexWord, AnIndexMayBeCalledLikeACommand) {
  EXPECT_EQ(docids("mv idx search; $GANNET search search --docids swim"), "d-fish\n");
  EXPECT_EQ(docids("mv search help; $GANNET search help --docids swim"), "d-fish\n");
  EXPECT_EQ(in_folder("mv help query; $GANNET verify query").code, 0);
}

TEST_F(IndexWord, AMissingQuerySaysWhatTheWordWasTakenFor) {
  const Output missing = in_folder("$GANNET search swim");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("a query is missing: 'swim' is the index"));
}

TEST_F(IndexWord, StdinStandsAlone) {
  for (const std::string words : {"- -", "cat -", "- cat"}) {
    const Output wrong = in_folder("echo swim | $GANNET search idx --count " + words);
    EXPECT_EQ(wrong.code, 2) << words;
    EXPECT_THAT(wrong.err, HasSubstr("stands alone")) << words;
  }
}

TEST_F(IndexWord, WordsThatBeginWithADashAreNeverTakenForLetters) {
  for (const std::string word : {"-dog", "-nuclear", "-index", "-output", "-kind", "-quiet",
                                 "-five", "-jump", "-view", "-i=x"}) {
    const Output wrong = in_folder("$GANNET search idx cat " + word);
    EXPECT_EQ(wrong.code, 2) << word;
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    EXPECT_THAT(wrong.err, HasSubstr("quote the query")) << word;
  }
  EXPECT_EQ(docids("$GANNET search idx --docids -- cat -dog"), "d-cat\n");
  EXPECT_EQ(docids("$GANNET search idx --docids 'cat -dog'"), "d-cat\n");
}

TEST_F(IndexWord, LettersAreTheOptions) {
  EXPECT_EQ(docids("$GANNET search -i idx -k 1 fish"), docids("$GANNET search idx --k 1 fish"));
  EXPECT_EQ(docids("$GANNET search idx -k1 fish"), docids("$GANNET search idx --k 1 fish"));
  EXPECT_THAT(docids("$GANNET search idx -j 1 -v fish"), HasSubstr("back end"));
  write_file(folder_ / "topics", "1\tswim\n2\tcat\n");
  EXPECT_EQ(docids("$GANNET run idx -t topics -n 1 -o - -q -k 5"),
            docids("$GANNET run idx --topics topics --limit 1 --output - --quiet --k 5"));
  EXPECT_THAT(docids("$GANNET delete idx --query swim -n"), HasSubstr("would be deleted"));
  EXPECT_THAT(in_folder("$GANNET verify -h").out, HasSubstr("-i [ --index ]"));
}

TEST(Letters, NoneStandsForTwoOptionsOfACommand) {
  for (const std::string& command : named_commands()) {
    if (named_options(command).empty()) continue;
    const std::string help = shell("$GANNET help " + command + " --json").out;
    simdjson::dom::parser parser;
    simdjson::dom::array rows;
    ASSERT_EQ(parser.parse(help)["options"].get(rows), simdjson::SUCCESS) << command << help;
    std::map<std::string, int> letters;
    for (const simdjson::dom::element row : rows) {
      std::string_view letter;
      ASSERT_EQ(row["letter"].get(letter), simdjson::SUCCESS);
      if (!letter.empty()) ++letters[std::string(letter)];
    }
    EXPECT_EQ(letters["h"], 1) << command;
    for (const auto& [letter, options] : letters) EXPECT_EQ(options, 1) << command << " " << letter;
  }
}

TEST_F(IndexWord, ATotalOrABoundIsInEveryAnswer) {
  const Output cut = in_folder("$GANNET search idx -k 1 --json fish");
  EXPECT_EQ(json_at(cut.out, "/total_at_least"), "1");
  EXPECT_THAT(cut.out, ::testing::Not(HasSubstr("\"total\"")));
  const Output all = in_folder("$GANNET search idx -k 5 --json fish");
  EXPECT_EQ(json_at(all.out, "/total"), "2");
  EXPECT_THAT(all.out, ::testing::Not(HasSubstr("total_at_least")));
  EXPECT_THAT(in_folder("$GANNET search idx fish").err, IsEmpty()) << "no terminal";
}

}  // namespace
}  // namespace gannet::test
