// Snippets as text, HTML and for terminals.
#include "query/snippets/render.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/query/snippets.hpp"

namespace gannet::query {
namespace {

using test::SnippetQueries;
using ::testing::HasSubstr;

/// A snippet of the whole text with a mark on bytes [begin, end).
Snippet marked_at(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  Snippet snippet;
  snippet.fragments.push_back({0, text.size(), {{begin, end, 0}}});
  return snippet;
}

TEST(RenderSnippet, HtmlIsEscapedInsideAndOutsideOfMarks) {
  const std::string text = "<b>\"A&B\"</b> it's";
  SnippetQueries queries;
  EXPECT_EQ(to_html(queries.snippet(text, "b"), text),
            "&lt;<mark>b</mark>&gt;&quot;A&amp;<mark>B</mark>&quot;&lt;/<mark>b</mark>&gt; "
            "it&#39;s");
  index::AnalyzerConfig config = test::stemmed("none");
  config.tokenizer = "whitespace";
  const std::string tag = "x <script> y";
  EXPECT_EQ(to_html(SnippetQueries(config).snippet(tag, "<script>"), tag),
            "x <mark>&lt;script&gt;</mark> y");
}

TEST(RenderSnippet, HtmlMarkupIsTheCallersOwn) {
  const std::string text = "a gannet";
  EXPECT_EQ(
      to_html(SnippetQueries().snippet(text, "gannet"), text, {.open = "<em>", .close = "</em>"}),
      "a <em>gannet</em>");
}

TEST(RenderSnippet, HtmlKeepsWhiteSpaceButNoControlCharacters) {
  const std::string text = std::string("a\tb\nc\r\n") + '\0' + "\x1b[31m\x7f\xC2\x85z";
  EXPECT_EQ(to_html(marked_at(text, 0, 1), text),
            "<mark>a</mark>\tb\nc\r\n\uFFFD\uFFFD[31m\uFFFD\uFFFDz");
}

TEST(RenderSnippet, InvalidUtf8IsReplaced) {
  const std::string text = "a\xFF b\xC3 c\xE6\x9D d\xED\xA0\x80 e";
  const std::string line = to_plain_text(marked_at(text, 0, 1), text, {.open = "[", .close = "]"});
  EXPECT_EQ(line, "[a]\uFFFD b\uFFFD c\uFFFD d\uFFFD\uFFFD\uFFFD e");
  EXPECT_EQ(to_html(marked_at(text, 0, 1), text, {}), "a" + line.substr(3));
}

TEST(RenderSnippet, TextIsOneLineWithoutWhatTerminalsObey) {
  const std::string text =
      "a \n\t b\xE2\x80\xA8"
      "c\x1b[31m\x07 \xE2\x80\xAE"
      "d\xC2\x9B"
      "e\xC2\xA0 f";
  EXPECT_EQ(to_plain_text(marked_at(text, 0, 1), text), "a b c\uFFFD[31m\uFFFD \uFFFDd\uFFFDe f");
}

TEST(RenderSnippet, AnsiHasNoEscapesButItsOwn) {
  const std::string text = "evil \x1b]0;gannet\x07";
  EXPECT_EQ(to_ansi(SnippetQueries().snippet(text, "gannet"), text),
            "evil \uFFFD]0;\x1b[1;31mgannet\x1b[0m\uFFFD");
}

TEST(RenderSnippet, EllipsesStandWhereSomethingIsLeftOut) {
  Snippet snippet;
  const std::string text = "one two three four five six";
  snippet.fragments = {{4, 7, {{4, 7, 0}}}, {14, 18, {}}};
  snippet.starts_late = true;
  snippet.ends_early = true;
  EXPECT_EQ(to_plain_text(snippet, text), "… two … four …");
  EXPECT_EQ(to_plain_text(snippet, text, {.open = "<", .close = ">", .ellipsis = "..."}),
            "... <two> ... four ...");
  EXPECT_EQ(to_html(snippet, text), "… <mark>two</mark> … four …");
  EXPECT_EQ(to_html({}, text), "");
}

TEST(RenderSnippet, MarksSideBySideStayApart) {
  const std::string text = "中文";
  EXPECT_EQ(to_html(SnippetQueries().snippet(text, "中 文"), text),
            "<mark>中</mark><mark>文</mark>");
}

}  // namespace
}  // namespace gannet::query
