// A few documents with fields of every kind.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {

inline constexpr std::string_view kShop =
    "{\"id\":\"a\",\"contents\":\"tiger lamp\",\"year\":2001,\"tag\":[\"red\",\"big\"],"
    "\"price\":10.5,\"when\":\"2024-01-31\",\"cost\":1.25,\"new\":true}\n"
    "{\"id\":\"b\",\"contents\":\"tiger tiger\",\"year\":1999,\"tag\":[\"red\"],"
    "\"price\":-3,\"when\":\"2024-03-01\",\"cost\":2.5,\"new\":false}\n"
    "{\"id\":\"c\",\"contents\":\"a lamp and a tiger\",\"tag\":[],\"price\":0.25,"
    "\"when\":\"1969-12-31\",\"cost\":0.5}\n"
    "{\"id\":\"d\",\"contents\":\"lamp\",\"year\":2001,\"tag\":[\"blue\"],\"price\":7}\n"
    "{\"id\":\"e\",\"contents\":\"tiger lamp light\",\"year\":2001,\"tag\":[\"blue\\tx\"],"
    "\"price\":7,\"cost\":9.99,\"new\":true}\n";

/// Indexes them and returns the index.
inline std::string index_shop(const TemporaryDirectory& folder) {
  write_file(folder / "shop.jsonl", kShop);
  const std::string index = folder / "idx";
  const Output made = gannet({"index",     "--input",   folder / "shop.jsonl",
                              "--format",  "jsonl",     "--output",
                              index,       "--quiet",   "--field",
                              "year:i32",  "--field",   "tag:keyword:multi",
                              "--field",   "price:f64", "--field",
                              "when:date", "--field",   "cost:decimal(2)",
                              "--field",   "new:bool"});
  EXPECT_EQ(made.code, 0) << made.err;
  return index;
}

}  // namespace gannet::test
