// Every kernel of the library is launched by launch_kernel() (codecs/base/cuda/launch.hpp): on a
// stream that is named (CUDA's default stream waits for all others of the device), and with the
// status of this launch (cudaGetLastError() would give the caller's own old errors for ours).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tree/sources.hpp"

namespace gannet::test {
namespace {

/// The lines of a file's text that launch by brackets; comments do not count.
std::vector<std::string> launches_by_brackets(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string code = line.substr(0, line.find("//"));
    if (code.find("<<<") != std::string::npos) found.push_back(line);
  }
  return found;
}

bool is_library(const std::string& file) {
  return file.starts_with("codecs/") || file.starts_with("index/") || file.starts_with("query/");
}

TEST(Launches, ByBracketsAreFound) {
  const std::string text =
      "//   kernel<<<blocks, 32>>>(users may);\nk<T>\n    <<<1, 2, 0, stream>>>(y);\na << b;\n";
  EXPECT_THAT(launches_by_brackets(text), testing::ElementsAre("    <<<1, 2, 0, stream>>>(y);"));
}

TEST(Launches, AreMadeByLaunchKernel) {
  std::size_t launching = 0;
  for (const std::string& file : source_files()) {
    if (!is_library(file)) continue;
    const std::string text = read_file(source_folder() / file);
    for (const std::string& line : launches_by_brackets(text)) {
      ADD_FAILURE() << file << " launches without launch_kernel(): " << line;
    }
    if (text.find("launch_kernel(") != std::string::npos) ++launching;
    const bool defines_it = file == "codecs/base/cuda/check.hpp";
    if (text.find("check_launch(") != std::string::npos && !defines_it) {
      ADD_FAILURE() << file << " takes cudaGetLastError() for the error of its launch";
    }
  }
  EXPECT_GT(launching, 10u);
}

}  // namespace
}  // namespace gannet::test
