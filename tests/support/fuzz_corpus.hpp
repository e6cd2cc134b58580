// Replays the inputs that are kept of a fuzz target: tests/data/fuzz/<target>/*.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"

namespace gannet::test {

/// Runs `target` on every kept input; what it throws fails the test with the input's name. Inputs
/// are copied to memory of their exact size, for the sanitizers.
template <class Target>
void replay_corpus(const std::string& name, const Target& target) {
  const std::filesystem::path folder =
      std::filesystem::path(test::kSourceFolder) / "tests" / "data" / "fuzz" / name;
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> input{std::istreambuf_iterator<char>(file), {}};
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_NO_THROW(target(std::span(input)));
    ++inputs;
  }
  EXPECT_GT(inputs, 0u) << folder;
}

}  // namespace gannet::test
