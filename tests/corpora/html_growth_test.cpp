// Pages that a parser takes long over: time in proportion to the page, and no less text for it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "corpora/markup/html/html_text.hpp"
#include "tests/support/growth.hpp"

namespace gannet {
namespace {

using test::expect_nearly_linear;
using test::repeated;

std::string text_of(std::string_view html) {
  std::string text;
  corpora::append_html_text(html, text);
  return text;
}

TEST(HtmlGrowth, NamesThatAreAllDifferentSlow) {
  struct Case {
    std::string before, after;
  };
  for (const Case& c : {Case{"<t", ">"}, Case{"</t", ">"}, Case{"&t", "; "}, Case{"&t", " "},
                        Case{"<div><t", "></div>"}}) {
    expect_nearly_linear(
        c.before + "NUMBER" + c.after, 40'000,
        [&](std::size_t n) {
          return repeated(n, [&](std::size_t i) { return c.before + std::to_string(i) + c.after; });
        },
        [](const std::string& page) { text_of(page); });
  }
}

TEST(HtmlGrowth, OneLongNameSlow) {
  for (const std::string before : {"<", "</", "&", "&#", "&#x", "<!", "<p ", "<p a="}) {
    expect_nearly_linear(
        before + "aaa...", 400'000,
        [&](std::size_t n) { return before + std::string(n, 'a') + ">text"; },
        [](const std::string& page) { text_of(page); });
  }
}

TEST(Html, LongNamesOfAnyLettersLeaveTheTextAlone) {
  const std::string text = "\u6771\u4EAC sch\u00F6n";
  for (std::size_t length = 1; length < 130; ++length) {
    const std::string name = std::string(length, 'x') + "\u00E9";
    ASSERT_EQ(text_of("<p>vor</p><a" + name + ">" + text), "vor\n" + text) << length;
    ASSERT_EQ(text_of("<p>vor</p><" + name + "\u6771>" + text + "</" + name + ">"), "vor\n" + text)
        << length;
  }
}

TEST(Html, ElementsThatNobodyKnowsNest) {
  EXPECT_EQ(text_of("<my-page><my-title>a</my-title><My-Text>b</my-text></my-page>c"), "abc");
  EXPECT_EQ(text_of("<my-page><svg><path d='x'/><g>no</g></svg>yes</my-page>"), "yes");
  EXPECT_EQ(text_of("a<mark>b</MARK>c<time>d</time>"), "abcd");
  EXPECT_EQ(text_of("<template><my-row>no</my-row></template>yes"), "yes");
}

TEST(Html, WhatIsNoEntityStays) {
  EXPECT_EQ(text_of("&xothing; &t1;&am &egrav&eacute; R&D; a&&amp;b &;"),
            "&xothing; &t1;&am &egrav\u00E9 R&D; a&&b &;");
  EXPECT_EQ(text_of("&thetasym;&#233;&#xe9;&Eacute;"), "\u03D1\u00E9\u00E9\u00C9");
  EXPECT_EQ(text_of("x&caf\u00E9; y"), "x&caf\u00E9; y");
  EXPECT_EQ(text_of("&am<b>p;</b>"), "&amp;");
  EXPECT_EQ(text_of("a&"), "a&");
  EXPECT_EQ(text_of("a&am"), "a&am");
}

}  // namespace
}  // namespace gannet
