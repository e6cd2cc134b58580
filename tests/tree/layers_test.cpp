// No part of the tree includes one above it, and every include is a path from the root.
#include "tests/tree/layers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tests/tree/sources.hpp"

namespace gannet {
namespace {

using test::layer_problem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Layers, NothingIncludesWhatLiesAboveIt) {
  const std::vector<std::string> files = test::source_files();
  ASSERT_GT(files.size(), 300u);
  for (const std::string& file : files) {
    for (const std::string& included :
         test::quoted_includes(test::read_file(test::source_folder() / file))) {
      if (const auto problem = layer_problem(file, included)) ADD_FAILURE() << *problem;
    }
  }
}

TEST(Layers, IncludesArePathsFromTheRoot) {
  for (const std::string& file : test::source_files()) {
    if (file.starts_with("tools/examples/") || file.starts_with("tests/package/")) continue;
    const std::string text = test::read_file(test::source_folder() / file);
    for (const std::string& included : test::quoted_includes(text)) {
      EXPECT_TRUE(std::filesystem::is_regular_file(test::source_folder() / included))
          << file << " includes \"" << included << "\"";
    }
    for (const std::string& included : test::angled_includes(text)) {
      EXPECT_FALSE(included.starts_with("gannet/"))
          << file << " includes <" << included << ">: that is for users of the library";
    }
  }
}

/// A folder that nobody gave a floor would be taken for a part of the folder that it lies in.
TEST(Layers, EveryFolderHasAFloorOfItsOwn) {
  for (const std::string& file : test::source_files()) {
    if (file.starts_with("bench/") || file.starts_with("tests/")) continue;
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    EXPECT_EQ(test::layer_prefix(file), folder) << "give " << folder << " a row in layers.cpp";
  }
}

/// The folders in which the ways of two files part, with what lies below each; none if one of the
/// files lies in a folder above the other.
std::pair<std::string, std::string> siblings(const std::string& a, const std::string& b) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
    if (a[i] == '/') same = i + 1;
  }
  const std::size_t end_a = a.find('/', same), end_b = b.find('/', same);
  if (end_a == std::string::npos || end_b == std::string::npos) return {};
  return {a.substr(0, end_a), b.substr(0, end_b)};
}

TEST(Layers, NoTwoFoldersIncludeEachOther) {
  std::map<std::pair<std::string, std::string>, std::string> arrows;
  for (const std::string& file : test::source_files()) {
    if (file.starts_with("bench/") || file.starts_with("tests/")) continue;
    for (const std::string& included :
         test::quoted_includes(test::read_file(test::source_folder() / file))) {
      const auto folders = siblings(file, included);
      if (!folders.first.empty()) arrows.emplace(folders, file + " includes " + included);
    }
  }
  EXPECT_GT(arrows.size(), 100u);
  for (const auto& [folders, example] : arrows) {
    const auto back = arrows.find({folders.second, folders.first});
    if (back != arrows.end()) ADD_FAILURE() << example << ", and " << back->second;
  }
}

TEST(Layers, AnArrowUpwardIsFound) {
  EXPECT_THAT(
      layer_problem("codecs/core/bits.hpp", "codecs/columns.hpp").value_or(""),
      HasSubstr("codecs/core/bits.hpp includes \"codecs/columns.hpp\": codecs/ lies above"));
  EXPECT_TRUE(layer_problem("codecs/choose.cpp", "index/index.hpp"));
  EXPECT_TRUE(layer_problem("codecs/columns.hpp", "codecs/base/cuda/memory.hpp"));
  EXPECT_TRUE(layer_problem("codecs/cascaded/cascaded.hpp", "codecs/device/detail/stage.cuh"));
  EXPECT_TRUE(layer_problem("index/index.hpp", "query/plan/query.hpp"));
  EXPECT_TRUE(layer_problem("query/searching/searcher.cpp", "tools/terminal/json.hpp"));
  EXPECT_TRUE(layer_problem("index/files/format.hpp", "index/manifest/manifest.hpp"));
  EXPECT_TRUE(layer_problem("query/gpu/plan/assign.cpp", "query/gpu/device/fitting_call.hpp"));
  EXPECT_TRUE(layer_problem("query/plan/plan.hpp", "query/searcher.hpp"));
  EXPECT_TRUE(layer_problem("tools/main.cpp", "tests/support/paths.hpp"));
  EXPECT_TRUE(layer_problem("codecs/tile_codecs.hpp", "bench/ssb/ssb.hpp"));
  EXPECT_TRUE(layer_problem("codecs/tile_codecs.hpp", "columns.hpp"));
}

TEST(Layers, ArrowsBetweenNeighboursAreFound) {
  EXPECT_THAT(layer_problem("query/searcher.hpp", "corpora/topics/topics.hpp").value_or(""),
              HasSubstr("corpora/ lies beside query/"));
  EXPECT_TRUE(layer_problem("corpora/lists/ds2i.hpp", "query/plan/query.hpp"));
  EXPECT_TRUE(layer_problem("codecs/lists/gpu_bp.hpp", "codecs/wah/wah.hpp"));
  EXPECT_TRUE(layer_problem("index/manifest/manifest.hpp", "index/lexicon/lexicon.hpp"));
}

TEST(Layers, ArrowsDownwardAreAllowed) {
  EXPECT_FALSE(layer_problem("tools/main.cpp", "query/searcher.hpp"));
  EXPECT_FALSE(layer_problem("query/searcher.hpp", "index/index.hpp"));
  EXPECT_FALSE(layer_problem("codecs/cascaded/stream.hpp", "codecs/columns/rle_four.hpp"));
  EXPECT_FALSE(layer_problem("codecs/core/bits.hpp", "codecs/core/lanes.hpp"));
  EXPECT_FALSE(layer_problem("tests/query/search_test.cpp", "bench/ssb/ssb.hpp"));
}

TEST(Layers, IncludeLinesAreFoundWhereverTheyStand) {
  const std::string_view text =
      "// #include \"no.hpp\"\n#include \"a/b.hpp\"\n  #include \"c.cuh\"  // why\n#include <d>\n";
  EXPECT_THAT(test::quoted_includes(text), ElementsAre("a/b.hpp", "c.cuh"));
  EXPECT_THAT(test::angled_includes(text), ElementsAre("d"));
}

}  // namespace
}  // namespace gannet
