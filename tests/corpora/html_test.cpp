// Text of HTML pages: what is visible, encodings, and pages made to hang a parser.
#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "codecs/base/error.hpp"
#include "corpora/markup/html/html_text.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/growth.hpp"

namespace gannet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string visible_text(std::string_view html) {
  std::string text;
  corpora::append_html_text(html, text);
  return text;
}

/// The title's place cut out of the text, which throws where it goes beyond.
std::string title_of(std::string_view html) {
  std::string text = "before";
  const corpora::TitlePlace title = corpora::append_html_text(html, text);
  EXPECT_LE(title.size, text.size());
  return std::string(text.substr(title.begin, title.size));
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

TEST(Html, DropsWhatNobodySees) {
  EXPECT_EQ(visible_text("a<script>if (b<c) d('</div>')</script>e"), "a\ne");
  EXPECT_EQ(visible_text("<style>p > a {}</style>x<!-- <p>no --><template>no</template>"), "x");
  EXPECT_EQ(visible_text("<svg/>x<svg><desc>no</desc></svg><noscript>no</noscript>y"), "x\ny");
  EXPECT_EQ(visible_text("<iframe><p>no</iframe>yes"), "yes");
  EXPECT_EQ(visible_text("<SCRIPT SRC=x>no</SCRIPT >yes"), "yes");
  EXPECT_EQ(visible_text("a<!DOCTYPE html>b<?php no ?>c"), "abc");
}

TEST(Html, TitleStandsInTheText) {
  EXPECT_EQ(title_of("<title>A b</title><p>c"), "A b");
  EXPECT_EQ(title_of("<p>c</p><title>A b</title>"), "A b");
  EXPECT_EQ(title_of("<title>A b</title><title>c</title>"), "A b");
  EXPECT_EQ(title_of("<p>c</p>"), "");
  // The line end that is taken away at the end of a page stands before, or in, the title.
  EXPECT_EQ(title_of("<p>c</p><title></title>"), "");
  EXPECT_EQ(title_of("<p>c</p><title>"), "");
  EXPECT_EQ(title_of("<title>A\n</title>"), "A");
}

TEST(Html, DecodesEntities) {
  EXPECT_EQ(visible_text("caf&eacute; &amp; &#x4e2d;&#25991; a&lt;b 1 < 2 & 3"),
            "caf\xC3\xA9 & \xE4\xB8\xAD\xE6\x96\x87 a<b 1 < 2 & 3");
}

TEST(Html, ReferencesAreThoseOfHtml5) {
  EXPECT_EQ(visible_text("caf&eacute au AT&ampT &ampamp; &notit; &notin;"),
            "caf\u00E9 au AT&T &amp; \u00ACit; \u2209");
  EXPECT_EQ(visible_text("&lstrok;&rcaron;&NotEqualTilde;&CounterClockwiseContourIntegral;"),
            "\u0142\u0159\u2242\u0338\u2233");
  EXPECT_EQ(visible_text("1&#150;2 &#x80;&#146;&#129;"), "1\u20132 \u20AC\u2019\u0081");
  EXPECT_EQ(visible_text("&#65 &#x41b &#X42;&#0;&#xD800;&#1114112;&#99999999999999;&#;&#x;&#xg"),
            "A \u041B B\uFFFD\uFFFD\uFFFD\uFFFD&#;&#x;&#xg");
  EXPECT_EQ(visible_text("a&nbsp;b&nbspc&#160;d&#xa0e"), "a b c d\u0A0E");
  EXPECT_EQ(visible_text("&nGt;&nLt;"), "\u226B\u20D2\u226A\u20D2");
}

TEST(Html, ElementsThatAreNoBlocksMayStandInsideAWord) {
  EXPECT_EQ(visible_text("un<ins>believ</ins>able a<del>b</del>c<bdi>d</bdi>e<bdo>f</bdo>g"),
            "unbelievable abcdefg");
  EXPECT_EQ(
      visible_text("<nobr>a</nobr>b<acronym>c</acronym>d<label>e</label>f<data>g</data>h"
                   "<output>i</output>j<my-element-of-any-length>k</my-element-of-any-length>l"
                   "<o:p>m</o:p>n"),
      "abcdefghijklmn");
  EXPECT_EQ(visible_text("a<dialog>b</dialog>c<blockquote>d</blockquote><option>e<option>f"),
            "a\nb\nc\nd\ne\nf");
  EXPECT_EQ(visible_text("<ruby>\u6F22<rt>kan</rt></ruby>"), "\u6F22\nkan");
}

TEST(Html, LineEndsAreLineFeeds) { EXPECT_EQ(visible_text("a\r\nb\rc\n\rd"), "a\nb\nc\n\nd"); }

TEST(Html, TagsEndWhereBrowsersEndThem) {
  EXPECT_EQ(visible_text("<a title=\"x > y\" href='<b>'>link</a>"), "link");
  EXPECT_EQ(visible_text("<a b=\"c\"d=e>link</a>"), "link");
  EXPECT_EQ(visible_text("<a =\"x>y"), "y");
  EXPECT_EQ(visible_text("x<a href=\"never closed>text</a>"), "x");
  // The standard ignores zero bytes.
  EXPECT_EQ(visible_text(std::string_view("a\0b", 3)), "ab");
  EXPECT_EQ(visible_text(std::string_view("<xmp>a\0b</xmp>", 14)), "a\uFFFDb");
}

TEST(Html, EncodingsAreFound) {
  const std::string word = "caf\xC3\xA9";
  EXPECT_EQ(visible_text("<p>caf\xC3\xA9"), word);  // valid UTF-8
  EXPECT_EQ(visible_text("caf\xE9"), word);         // windows-1252
  EXPECT_EQ(visible_text("<meta charset=ISO-8859-1>\x93"
                         "caf\xE9"),
            "\xE2\x80\x9C" + word);
  EXPECT_EQ(
      visible_text("<meta http-equiv='content-type' content='text/html; charset=koi8-r'>\xD5"),
      "\xD1\x83");
  EXPECT_EQ(visible_text("<?xml version='1.0' encoding='Shift_JIS'?><p>\x93\xFA\x96{"),
            "\xE6\x97\xA5\xE6\x9C\xAC");
  EXPECT_EQ(visible_text(std::string_view("\xFF\xFE"
                                          "c\0a\0f\0\xE9\0",
                                          10)),
            word);  // UTF-16
  EXPECT_EQ(visible_text("\xEF\xBB\xBF" + word), word);
  EXPECT_EQ(visible_text("<meta charset=utf-8>caf\xE9 x"), "caf\xEF\xBF\xBD x");
  EXPECT_EQ(visible_text("<meta charset=klingon>caf\xE9"), word);
}

TEST(Html, NothingIsLostAroundTheEndsOfADocument) {
  EXPECT_EQ(visible_text("<html><body><p>one</p></body></html><p>two</p>"), "one\ntwo");
  EXPECT_EQ(visible_text("<body>one</html>two<!-- no --></body>three"), "one\ntwo\nthree");
  const std::string page = "<html><body><p>one</p></body></html>";
  for (const std::string first :
       {"</div>", "</p>", "</script><!DOCTYPE html>", "<!-- x --></b>", "<!DOCTYPE html></form>",
        "</html>", "</body></html>", "</ >", "\n\n</td>"}) {
    EXPECT_EQ(visible_text(first + page), "one") << first;
  }
  EXPECT_EQ(visible_text("</p>one"), "one");
  EXPECT_EQ(visible_text("<html></html><html><body>one"), "one");
}

TEST(Html, CommentsEndWhereBrowsersEndThem) {
  EXPECT_EQ(visible_text("a<!-->b"), "ab");
  EXPECT_EQ(visible_text("a<!--->b"), "ab");
  EXPECT_EQ(visible_text("a<!-- x --!>b"), "ab");
  EXPECT_EQ(visible_text("a<!---->b<!-- - -- > x --->c<!----!>d"), "abcd");
  EXPECT_EQ(visible_text("a<!-- never"), "a");
  EXPECT_EQ(visible_text("a<!x>b</ x>c</>d<?php x > y"), "abcd y");
}

TEST(Html, ContentsThatAreNoMarkupEndWithTheirOwnTag) {
  EXPECT_EQ(visible_text("<script>'</scripting>'</script >a"), "a");
  EXPECT_EQ(visible_text("<script><!-- <script>no</script> no --></script>a"), "a");
  EXPECT_EQ(visible_text("<script><!--> <script></script>a"), "a");
  EXPECT_EQ(visible_text("<textarea><b>a</b> &lt;</textarea>c"), "<b>a</b> <\nc");
  EXPECT_EQ(visible_text("<xmp><b>&lt;</b></xmp>c"), "<b>&lt;</b>\nc");
  EXPECT_EQ(visible_text("a<plaintext><b>c</plaintext>"), "a\n<b>c</plaintext>");
  EXPECT_EQ(title_of("<title>a <b> &amp; c</b></title>"), "a <b> & c</b>");
  EXPECT_EQ(visible_text("<style>no"), "");
}

TEST(Html, OfDrawingsTheTextsAreSeen) {
  EXPECT_EQ(visible_text("<svg><title>no</title><text>a</text><g>no</g></svg>b"), "a\nb");
  EXPECT_EQ(visible_text("<svg><foreignObject><p>a</p></foreignObject>no</svg>b"), "a\nb");
  EXPECT_EQ(visible_text("<template><svg><text>no</text></svg></template>b"), "b");
  EXPECT_EQ(visible_text("<math><mi>a</mi><mo><![CDATA[<]]></mo></math><![CDATA[no]]>b"),
            "a\n<\nb");
  EXPECT_EQ(title_of("<svg><title>no</title></svg><title>a</title>"), "a");
}

TEST(Html, MarkupOfHtmlEndsADrawing) {
  EXPECT_EQ(visible_text("<svg><path d='x'><p>a</p>"), "a");
  EXPECT_EQ(visible_text("<svg>no<b>a</b>"), "a");
  EXPECT_EQ(visible_text("<svg><font>no</font><font color=red>a</font>"), "a");
  EXPECT_EQ(visible_text("<svg>no</p>a"), "a");
  EXPECT_EQ(visible_text("<template><svg><p>no</p></template>a"), "a");
}

TEST(Html, HiddenElementsOfAnyDepthStayHidden) {
  const std::string deep = repeated("<div>", 5000);
  EXPECT_EQ(visible_text(deep + "<script>no</script><svg><g>no</g></svg>yes"), "yes");
  EXPECT_EQ(visible_text(deep + "<template>no" + repeated("<template>", 8000) + "no"), "");
  std::string templates = repeated("<template>", 100'000);
  templates += "no" + repeated("</template>", 110'000) + "yes";
  EXPECT_EQ(visible_text(templates), "yes");
  // More changes than are kept.
  EXPECT_EQ(visible_text(repeated("<template><math><svg>", 100'000) + "no"), "");
}

TEST(Html, FallbackContentsAreSeen) {
  // Of pages that are not shown themselves.
  EXPECT_EQ(visible_text("<object data=x><p>a</p></object><noframes>b</noframes>"), "a\nb");
}

// Each of these takes quadratic time, or more, in some parser.
class HostileHtml : public ::testing::TestWithParam<const char*> {};

TEST_P(HostileHtml, TakesLinearTimeSlow) {
  const auto pages = [](std::size_t bytes) { return repeated(GetParam(), bytes) + "end"; };
  test::expect_nearly_linear("a page", 300'000, pages, visible_text);
  const auto below_elements = [&](std::size_t bytes) {
    return repeated("<div>", bytes / 2) + pages(bytes / 2);
  };
  test::expect_nearly_linear("deep in a page", 300'000, below_elements, visible_text);
}

INSTANTIATE_TEST_SUITE_P(Pages, HostileHtml,
                         ::testing::Values("<div>", "<b>", "</b>", "<table><tr><td>", "<a b='",
                                           "<!--", "<svg>", "<font><p>", "&#", "<", "</",
                                           "<svg><text>", "<template>", "<math><svg></math>",
                                           "<title>", "<script>", "<script><!--", "<![CDATA[",
                                           "</template>", "<svg><![CDATA[", "<a =", "&a", "<!----",
                                           "<template><svg>", "</svg>"));

TEST(Html, ManyAttributesTakeLinearTimeSlow) {
  const auto page = [](std::size_t attributes) {
    return "<p " +
           test::repeated(attributes,
                          [](std::size_t i) { return "a" + std::to_string(i) + "=1 "; }) +
           ">x";
  };
  EXPECT_EQ(visible_text(page(1000)), "x");
  test::expect_nearly_linear("attributes", 50'000, page, visible_text);
}

TEST(Html, WhatStandsBeforeDoesNotMatter) {
  std::string text = "before";
  corpora::append_html_text("<p>a<p>b", text);
  EXPECT_EQ(text, "beforea\nb");
}

TEST(Html, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  std::string text;
  EXPECT_THROW(corpora::append_html_text("<p>x", text, stop.get_token()), CancelledError);
}

}  // namespace
}  // namespace gannet
