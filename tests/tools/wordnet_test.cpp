// The demo's collection: WordNet's files as JSON documents.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A few synsets in WordNet's form.
class WordNet : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.path() / "wordnet");
    const std::string licence = "  1 This software and database is being provided to you\n";
    write("data.noun", licence +
                           "02129604 05 n 02 tiger 0 Panthera_tigris 0 001 @ 02127808 n 0000 | "
                           "large feline of \"most\" of Asia\\  \n"
                           "15297472 28 n 01 time 1 000 | an hour  \n");
    write("data.verb", licence + "00332672 30 v 01 run 0 000 | change  \n");
    write("data.adj", licence + "00013887 44 a 01 galore(ip) 0 000 | in great numbers  \n");
    write("data.adv", licence + "00001740 02 r 01 a_cappella 0 000 | without music  \n");
    for (const std::string part : {"noun", "verb", "adj", "adv"}) {
      write("index." + part, licence + "big_cat n 1 0\n");
    }
  }

  void write(const std::string& name, const std::string& text) {
    write_file(folder_.path() / "wordnet" / name, text);
  }
  Output convert() {
    const std::string folder = folder_.path().string();
    return shell("WORDNET='" + folder + "/wordnet' '" + kSourceFolder + "/tools/wordnet.sh' '" +
                 folder + "/made'");
  }
  /// Line `number` of the documents.
  std::string document(std::size_t number) {
    const std::string all = read_file(folder_.path() / "made" / "docs.jsonl");
    std::size_t begin = 0;
    for (; number > 0; --number) begin = all.find('\n', begin) + 1;
    return all.substr(begin, all.find('\n', begin) - begin);
  }

  TemporaryDirectory folder_;
};

TEST_F(WordNet, SynsetsBecomeDocumentsWithPartOfSpeechAndLexicographerFile) {
  const Output made = convert();
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string tiger = document(0);
  EXPECT_EQ(json_at(tiger, "/id"), "\"tiger.n.02129604\"");
  EXPECT_EQ(json_at(tiger, "/contents"), R"("large feline of \"most\" of Asia\\")");
  EXPECT_EQ(json_at(tiger, "/pos"), "\"noun\"");
  EXPECT_EQ(json_at(tiger, "/lexfile"), "\"noun.animal\"");
  const std::vector<std::string> others{"\"noun.time\"", "\"verb.change\"", "\"adj.ppl\"",
                                        "\"adv.all\""};
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(json_at(document(i + 1), "/lexfile"), others[i]);
  }
  EXPECT_EQ(json_at(document(3), "/id"), "\"galore.a.00013887\"");
  EXPECT_EQ(json_at(document(4), "/pos"), "\"adv\"");
}

TEST_F(WordNet, LexicographerFilesOfAnotherPartOfSpeechAreRefused) {
  for (const std::string number : {"05", "45", "99"}) {
    write("data.verb", "00332672 " + number + " v 01 run 0 000 | change  \n");
    const Output made = convert();
    EXPECT_NE(made.code, 0) << number;
    EXPECT_THAT(made.err, HasSubstr("no lexicographer file of verb has the number " + number));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "made" / "docs.jsonl"));
  }
}

TEST_F(WordNet, AMissingPackageIsSaid) {
  std::filesystem::remove_all(folder_.path() / "wordnet");
  const Output made = convert();
  EXPECT_EQ(made.code, 1);
  EXPECT_THAT(made.err, StartsWith("wordnet: "));
  EXPECT_THAT(made.err, HasSubstr("run tools/setup.sh"));
}

}  // namespace
}  // namespace gannet::test
