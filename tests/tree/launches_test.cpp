// Every kernel of the library is launched on a stream that is named: CUDA's default stream waits
// for all others of the device.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tree/sources.hpp"

namespace gannet::test {
namespace {

/// How many arguments stand between the brackets of a launch: commas that are in no parentheses or
/// template brackets, and one more.
std::size_t arguments(std::string_view text) {
  std::size_t count = 1;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == '>') --depth;
    if (c == ',' && depth == 0) ++count;
  }
  return count;
}

/// The arguments of all launches by brackets in a file's text.
std::vector<std::string> launches(std::string_view text) {
  constexpr std::string_view kOpen = "<<<";
  constexpr std::string_view kClose = ">>>";
  std::vector<std::string> found;
  for (std::size_t at = text.find(kOpen); at != text.npos; at = text.find(kOpen, at + 1)) {
    const std::size_t begin = at + kOpen.size();
    const std::size_t end = text.find(kClose, begin);
    if (end == text.npos) break;
    found.emplace_back(text.substr(begin, end - begin));
  }
  return found;
}

TEST(Launches, ArgumentsAreCounted) {
  EXPECT_EQ(launches("k<<<1, 2>>>(x); k<T><<<f(a, b), g<1, 2>(), 0, stream>>>(y);").size(), 2u);
  EXPECT_EQ(arguments("1, 2"), 2u);
  EXPECT_EQ(arguments("f(a, b), dim3{1, 2}, 0, stream"), 4u);
}

TEST(Launches, NameTheirStream) {
  for (const std::string& file : source_files()) {
    const bool library =
        file.starts_with("codecs/") || file.starts_with("index/") || file.starts_with("query/");
    if (!library) continue;
    for (const std::string& launch : launches(read_file(source_folder() / file))) {
      EXPECT_EQ(arguments(launch), 4u) << file << ": <<<" << launch << ">>>";
    }
  }
}

}  // namespace
}  // namespace gannet::test
