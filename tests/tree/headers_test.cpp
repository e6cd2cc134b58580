// What lets most headers do without a file that checks that they compile alone (tests/headers).
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
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

/// Builds without CUDA compile what does not lie in folders named device or cuda.
TEST(Headers, OfCudaAreIncludedByDeviceCodeAlone) {
  const std::regex of_cuda("\n#include <(cuda|cub/|vector_types|vector_functions|device_)");
  int device_files = 0;
  for (const std::string& file : test::source_files()) {
    const bool library = file.starts_with("codecs/") || file.starts_with("index/") ||
                         file.starts_with("corpora/") || file.starts_with("query/");
    // The one that stands in for them.
    if (!library || file == "query/gpu/plan/vectors.hpp") continue;
    const bool includes = std::regex_search("\n" + text_of(file), of_cuda);
    const bool device =
        file.find("/device/") != std::string::npos || file.find("/cuda/") != std::string::npos;
    EXPECT_TRUE(device || !includes) << file;
    device_files += device && includes ? 1 : 0;
  }
  EXPECT_GT(device_files, 10);
}

}  // namespace
}  // namespace gannet
