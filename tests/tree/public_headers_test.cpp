// Programs of users include headers of public folders only: those of the tree show that these are
// enough.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tree/layers.hpp"
#include "tests/tree/sources.hpp"

namespace gannet {
namespace {

/// The folders that tools/cmake/PublicHeaders.cmake names.
std::set<std::string> public_folders() {
  const std::string text =
      test::read_file(test::source_folder() / "tools/cmake/PublicHeaders.cmake");
  constexpr std::string_view kBegin = "set(GANNET_PUBLIC_FOLDERS";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string::npos) return {};
  std::istringstream words(
      text.substr(begin + kBegin.size(), text.find(')', begin) - begin - kBegin.size()));
  std::set<std::string> folders;
  for (std::string word; words >> word;) folders.insert(word);
  return folders;
}

/// What a program includes of the library, as paths from the root of the tree.
std::vector<std::string> library_headers(const std::string& program) {
  const std::string text = test::read_file(test::source_folder() / program);
  constexpr std::string_view kPrefix = "gannet/";
  std::vector<std::string> headers = test::quoted_includes(text);
  for (const std::string& header : test::angled_includes(text)) {
    if (header.starts_with(kPrefix)) headers.push_back(header.substr(kPrefix.size()));
  }
  std::erase_if(headers, [](const std::string& header) {
    return header.find('/') == std::string::npos || header.starts_with("tests/");
  });
  return headers;
}

bool is_program_of_a_user(const std::string& file) {
  return file.starts_with("tools/examples/") || file.starts_with("tests/package/") ||
         file == "tests/headers/designated_initializers.cpp";
}

TEST(PublicFolders, AreThereAndHaveHeaders) {
  const std::set<std::string> folders = public_folders();
  EXPECT_GT(folders.size(), 10u);
  for (const std::string& folder : folders) {
    EXPECT_TRUE(std::filesystem::is_directory(test::source_folder() / folder)) << folder;
  }
}

TEST(PublicFolders, HaveAllThatProgramsOfUsersInclude) {
  const std::set<std::string> folders = public_folders();
  int found = 0;
  for (const std::string& file : test::source_files()) {
    if (!is_program_of_a_user(file)) continue;
    for (const std::string& header : library_headers(file)) {
      EXPECT_THAT(folders,
                  ::testing::Contains(std::filesystem::path(header).parent_path().string()))
          << file << " includes " << header;
      ++found;
    }
  }
  EXPECT_GT(found, 25);
}

}  // namespace
}  // namespace gannet
