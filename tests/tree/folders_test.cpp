// Folders that show what is in them, and documents that name what is there.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/tree/sources.hpp"

namespace gannet {
namespace {

namespace fs = std::filesystem;

/// Source files side by side in one folder.
constexpr std::size_t kMax = 25;
TEST(Folders, NoneHasMoreFilesThanOneSeesAtAGlance) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& file : test::source_files()) {
    ++counts[fs::path(file).parent_path().generic_string()];
  }
  for (const auto& [folder, count] : counts) {
    EXPECT_LE(count, kMax) << folder << "/: make folders of what belongs together";
  }
}

/// What stands between backticks in a text.
std::vector<std::string> code_of(const std::string& text) {
  static const std::regex code("`([^`\n]+)`");
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), code), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

bool looks_like_a_path(const std::string& name) {
  static const std::regex path("[A-Za-z0-9_./-]+(\\.(hpp|cpp|cuh|cu|md|sh|cmake|json|map)|/)");
  return std::regex_match(name, path);
}

/// Names of a line stand for themselves, or lie in the folder of the path before them:
/// `codecs/pick.hpp`, `device/pick.hpp`.
std::vector<std::string> missing_in(const std::string& line, const fs::path& home = {}) {
  std::vector<std::string> missing;
  std::set<fs::path> folders{test::source_folder(), test::source_folder() / home};
  for (const std::string& name : code_of(line)) {
    if (!looks_like_a_path(name)) continue;
    bool found = false;
    for (const fs::path& folder : std::set<fs::path>(folders)) {
      if (!fs::exists(folder / name)) continue;
      found = true;
      folders.insert(name.ends_with('/') ? folder / name : (folder / name).parent_path());
    }
    if (!found) missing.push_back(name);
  }
  return missing;
}

TEST(Documents, NameFilesThatAreThere) {
  for (const fs::path document :
       {"ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "bench/README.md", "codecs/README.md",
        "corpora/README.md", "index/README.md", "query/README.md", "tests/README.md",
        "tools/README.md"}) {
    std::ifstream file(test::source_folder() / document);
    std::size_t names = 0;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      names += code_of(line).size();
      for (const std::string& name : missing_in(line, document.parent_path())) {
        ADD_FAILURE() << document.string() << ':' << number << ": there is no " << name;
      }
    }
    EXPECT_GT(names, 10u) << document;
  }
}

/// The names of source files in the comments of a source text.
std::vector<std::string> files_in_comments(const std::string& text) {
  static const std::regex name("[A-Za-z0-9_][A-Za-z0-9_./-]*\\.(hpp|cpp|cuh|cu)\\b");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find("//");
    if (begin == std::string::npos) continue;
    const std::string comment = line.substr(begin);
    for (std::sregex_iterator match(comment.begin(), comment.end(), name), end; match != end;
         ++match) {
      found.push_back(match->str());
    }
  }
  return found;
}

/// Comments name a file by its path from the root, from the folder of their own, or by the end of
/// its path.
TEST(Documents, CommentsNameFilesThatAreThere) {
  const std::vector<std::string> files = test::source_files();
  const auto is_there = [&](const std::string& name) {
    return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
      return file == name || file.ends_with("/" + name);
    });
  };
  std::size_t names = 0;
  for (const std::string& file : files) {
    if (file.starts_with("tests/tree/")) continue;
    for (const std::string& name :
         files_in_comments(test::read_file(test::source_folder() / file))) {
      ++names;
      EXPECT_TRUE(is_there(name)) << file << " names " << name;
    }
  }
  EXPECT_GT(names, 100u);
}

TEST(Documents, AFileThatIsGoneIsFound) {
  EXPECT_THAT(missing_in("| errors | `codecs/base/error.hpp`, `version.hpp`; `codecs/gone.hpp` |"),
              ::testing::ElementsAre("codecs/gone.hpp"));
}

/// The first fenced block of C++ in a document.
std::string example_in(const std::string& text) {
  constexpr std::string_view kOpen = "```cpp\n";
  const std::size_t begin = text.find(kOpen);
  if (begin == std::string::npos) return "";
  const std::size_t code = begin + kOpen.size();
  return text.substr(code, text.find("```", code) - code);
}

/// The lines of a text that are not empty, without their indent.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos) lines.push_back(line.substr(begin));
  }
  return lines;
}

/// The front page leaves out the program's frame, and no line of what it shows: an include, then
/// lines that follow one another.
TEST(Documents, TheCodeOfTheReadmeIsOfTheExampleThatIsBuilt) {
  const std::vector<std::string> shown =
      lines_of(example_in(test::read_file(test::source_folder() / "README.md")));
  const std::vector<std::string> built =
      lines_of(test::read_file(test::source_folder() / "tools/examples/search.cpp"));
  ASSERT_GT(shown.size(), 5u);
  EXPECT_THAT(built, ::testing::Contains(shown[0]));
  EXPECT_NE(std::search(built.begin(), built.end(), shown.begin() + 1, shown.end()), built.end());
}

/// What runs on which processor is decided in three headers, as decision 0002 says.
TEST(OneDecoder, TheProcessorIsAskedForInThreeHeaders) {
  std::set<std::string> asking;
  for (const std::string& file : test::source_files()) {
    if (file.starts_with("tests/")) continue;
    if (test::read_file(test::source_folder() / file).find("__CUDA_ARCH__") != std::string::npos) {
      asking.insert(file);
    }
  }
  EXPECT_THAT(asking, ::testing::ElementsAre("codecs/core/bits.hpp", "codecs/core/lanes.hpp",
                                             "codecs/core/rounding.hpp"));
}

/// Turing, the oldest architecture that is built for, has no instruction that reduces over a warp.
TEST(OneDecoder, WhatTuringLacksIsInOneHeader) {
  std::set<std::string> using_it;
  for (const std::string& file : test::source_files()) {
    if (file.starts_with("tests/")) continue;
    if (test::read_file(test::source_folder() / file).find("__reduce_") != std::string::npos) {
      using_it.insert(file);
    }
  }
  EXPECT_THAT(using_it, ::testing::ElementsAre("codecs/core/lanes.hpp"));
}

TEST(Documents, AgreeOnTheOldestCuda) {
  const std::string cmake = test::read_file(test::source_folder() / "tools/cmake/Cuda.cmake");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(cmake, match, std::regex("GANNET_OLDEST_CUDA ([0-9.]+)")));
  const std::string oldest = "CUDA " + match[1].str() + " or later";
  for (const char* const file : {"README.md", "tools/setup.sh"}) {
    EXPECT_THAT(test::read_file(test::source_folder() / file), ::testing::HasSubstr(oldest))
        << file;
  }
}

}  // namespace
}  // namespace gannet
