// Snippets take time in proportion to the text, whatever it is made of.
#include <gtest/gtest.h>

#include "tests/support/growth.hpp"
#include "tests/support/query/snippets.hpp"

namespace gannet::query {
namespace {

/// `unit` over and over, about `size` bytes; the first of eight times as many is made of.
void expect_linear(const std::string& name, const std::string& unit, std::size_t size,
                   const std::string& query = "gannet", const std::string& head = "gannet ") {
  test::SnippetQueries queries;
  const SnippetOptions options{.fragments = 3, .length = 100};
  test::expect_nearly_linear(
      name, size / unit.size(),
      [&](std::size_t n) { return head + test::repeated(n, [&](std::size_t) { return unit; }); },
      [&](const std::string& text) { queries.snippet(text, query, options); });
}

constexpr std::size_t kTextBytes = 1 << 18;

TEST(LinearTimeSnippets, OneWordSlow) {
  expect_linear("a word of the query, over and over", "gannet ", kTextBytes);
  expect_linear("another word", "puffin ", kTextBytes);
  expect_linear("one long word", "x", kTextBytes);
  expect_linear("one long word behind nothing", "x", kTextBytes, "gannet", "");
}

TEST(LinearTimeSnippets, TextsThatCannotBeCutSlow) {
  expect_linear("combining marks", "\xCC\x81", kTextBytes);
  expect_linear("flags", "🇩🇪", kTextBytes);
  expect_linear("joined emoji", "👩‍", kTextBytes);
  expect_linear("no UTF-8", "\xFF", kTextBytes);
  expect_linear("continuation bytes", "\x80", kTextBytes);
  expect_linear("blanks", " ", kTextBytes);
}

TEST(LinearTimeSnippets, ScriptsWithoutBlanksSlow) {
  expect_linear("Chinese", "東京", kTextBytes, "東京");
  expect_linear("Thai", "แมว", kTextBytes / 4, "แมว");
}

/// Words that are all alike and near each other in many ways.
TEST(LinearTimeSnippets, PhrasesSlow) {
  for (const char* const query :
       {"\"a a\"", "\"a a\"~8", "\"a a a a a\"~1000000", "#uw8(a a a)", "#od8(a a a)",
        "#od1000000(a a a)", "a ONEAR/8 a ONEAR/8 a", "a NEAR/1000000 a NEAR/1000000 a"}) {
    expect_linear(query, "a ", kTextBytes / 4, query);
  }
  for (const char* const query : {"\"a b\"~1000000", "#od1000000(a b a)", "a ONEAR/1000000 b"}) {
    expect_linear(query, "a b b ", kTextBytes / 4, query);
    expect_linear(query, "a ", kTextBytes / 4, query, "b ");
  }
}

}  // namespace
}  // namespace gannet::query
