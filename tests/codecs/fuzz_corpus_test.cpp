// The kept inputs of the fuzz targets of codecs; and that every target has inputs, which some test
// replays.
#include "tests/support/fuzz_corpus.hpp"

#include "bench/fuzz/codecs_target.hpp"
#include "bench/fuzz/deflate_target.hpp"
#include "bench/fuzz/roundtrip_target.hpp"
#include "tests/support/files.hpp"

namespace gannet::test {
namespace {

TEST(FuzzCorpus, Codecs) { replay_corpus("codecs", fuzz::try_codecs); }

TEST(FuzzCorpus, Deflate) { replay_corpus("deflate", fuzz::try_deflate); }

TEST(FuzzCorpus, Roundtrips) { replay_corpus("roundtrip", fuzz::try_roundtrip); }

TEST(FuzzCorpus, EveryTargetIsReplayed) {
  const std::filesystem::path root(kSourceFolder);
  std::string tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "tests")) {
    if (entry.path().filename() == "fuzz_corpus_test.cpp") tests += read_file(entry.path());
  }
  std::set<std::string> targets;
  constexpr std::string_view kEnd = "_target.hpp";
  for (const std::string& name : names_in(root / "bench/fuzz")) {
    if (name.ends_with(kEnd)) targets.insert(name.substr(0, name.size() - kEnd.size()));
  }
  EXPECT_GE(targets.size(), 15u);
  for (const std::string& target : targets) {
    EXPECT_NE(tests.find("replay_corpus(\"" + target + "\""), std::string::npos) << target;
  }
  EXPECT_EQ(names_in(root / "tests/data/fuzz"), targets) << "a folder of inputs for each target";
}

}  // namespace
}  // namespace gannet::test
