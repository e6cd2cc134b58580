// What lets most headers do without a file that checks that they compile alone (tests/headers).
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/tree/sources.hpp"

namespace gannet {
namespace {

std::string text_of(const std::string& file) {
  return test::read_file(test::source_folder() / file);
}

/// The first line of the file that includes something.
std::string first_include(const std::string& file) {
  const std::string text = "\n" + text_of(file);
  const std::size_t start = text.find("\n#include ");
  if (start == std::string::npos) return "";
  return text.substr(start + 1, text.find('\n', start + 1) - start - 1);
}

TEST(Headers, AreIncludedOnce) {
  for (const std::string& file : test::source_files()) {
    const std::string extension = std::filesystem::path(file).extension();
    if (extension != ".hpp" && extension != ".cuh") continue;
    EXPECT_THAT("\n" + text_of(file), ::testing::HasSubstr("\n#pragma once\n")) << file;
  }
}

/// So that a header which lacks an include of its own does not compile.
TEST(Headers, AreTheFirstThatTheirSourcesInclude) {
  int pairs = 0;
  for (const std::string& file : test::source_files()) {
    const std::filesystem::path source = std::filesystem::path(file).replace_extension(".cpp");
    if (!file.ends_with(".hpp") || !std::filesystem::exists(test::source_folder() / source)) {
      continue;
    }
    EXPECT_EQ(first_include(source), "#include \"" + file + "\"") << source;
    ++pairs;
  }
  EXPECT_GT(pairs, 100);
}

}  // namespace
}  // namespace gannet
