// Four documents that the tests of the command share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/tools/command.hpp"

namespace gannet::test {

/// Four documents that the tests of the command share.
inline constexpr std::string_view kAnimals =
    "{\"id\": \"d-cat\", \"contents\": \"The cat sat on the mat; cats like mats.\"}\n"
    "{\"id\": \"d-dog\", \"contents\": \"A dog chased the cat.\"}\n"
    "{\"id\": \"d-bird\", \"contents\": \"Gannets dive for fish, and a gannet is a bird.\"}\n"
    "{\"id\": \"d-fish\", \"contents\": \"Fish swim; dogs swim too.\"}\n";

/// An index of kAnimals, with stored text, at folder / "idx".
inline std::string index_animals(const TemporaryDirectory& folder) {
  const std::string input = folder / "animals.jsonl";
  const std::string output = folder / "idx";
  write_file(input, kAnimals);
  const Output made = gannet(
      {"index", "--input", input, "--format", "jsonl", "--output", output, "--store", "--quiet"});
  EXPECT_EQ(made.code, 0) << made.err;
  return output;
}

}  // namespace gannet::test
