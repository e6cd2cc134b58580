// The visible text of MediaWiki's markup.
#include "corpora/markup/wiki/wikitext.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/markup/html/references.hpp"
#include "corpora/synthetic/random.hpp"
#include "tests/support/growth.hpp"

namespace gannet {
namespace {

using test::expect_nearly_linear;
using test::repeated;
using ::testing::HasSubstr;

std::string plain_text(std::string_view wikitext, const corpora::WikiNames& names = {}) {
  std::string text;
  corpora::append_wikitext(wikitext, names, text);
  return text;
}

/// Markup and its text.
using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_texts(const Cases& cases) {
  for (const auto& [wikitext, text] : cases) EXPECT_EQ(plain_text(wikitext), text) << wikitext;
}

TEST(WikiText, QuotesHeadingsAndLists) {
  expect_texts({
      {"'''Bold''' and ''italic'', '''''both''''' and don't", "Bold and italic, both and don't"},
      {"== History ==\nText\n=== ''Early'' years===\nMore", "History\nText\nEarly years\nMore"},
      {"a = b\n\n\n\nc == d ==", "a = b\n\nc == d =="},
      {"* one\n** two\n# three\n; term : meaning\n:: said\n----\nrest",
       "one\ntwo\nthree\nterm : meaning\nsaid\n\nrest"},
      {"__NOTOC__\nsnake__case __init__ and __TOC__", "snake__case __init__ and"},
      {"  spaces   here  \n\tand tabs", "spaces   here\nand tabs"},
      {"", ""},
      {"\n\n \n", ""},
  });
}

TEST(WikiText, TemplatesAreLeftOut) {
  expect_texts({
      {"a {{cite|x={{y|z}}|[[b]]}} c", "a c"},
      {"{{Infobox\n| name = x\n| a = {{b\n|c}}\n}}\n'''Text'''", "Text"},
      {"a {{{1|{{{2|}}}}}} b", "a b"},
      {"a {{#if:{{{1|}}}|x|y}} b", "a b"},
      {"a {b} {c", "a {b} {c"},
      {"{{a}}{{b}}c", "c"},
      {"{{a\n{|\n| b\n}}c", "c"},
  });
}

TEST(WikiText, WhatIsNeverClosedLosesNothing) {
  expect_texts({
      {"before {{open and the rest\nof the text", "before open and the rest\nof the text"},
      {"a }} b ]] c |} d", "a }} b ]] c |} d"},
      {"a [[b and\nc | d", "a b and\nc | d"},
      {"a <ref>b\nc", "a b\nc"},
      {"a <!-- b\nc", "a b\nc"},
      {"a <nowiki>b {{c}} d", "a b d"},
      {"{|\n| cell\ntext", "cell\ntext"},
      {"a [http://x.org b\nc] d", "a b\nc] d"},
      {"{{a}} b {{c {{d}} e", "b c e"},
  });
}

TEST(WikiText, LinksShowTheirLabels) {
  expect_texts({
      {"[[London]]ers and [[Paris|the city]] and [[bus]]es", "Londoners and the city and buses"},
      {"[[:Category:Towns]] [[Help:Page|help]]", "Category:Towns help"},
      {"[[a|b ''c'' [http://x.org d] e]] f", "b c d e f"},
      {"x [[Category:Towns]] y [[category: Cities|key]]", "x y"},
      {"[[de:Stadt]] [[fr:Ville|the French]]", "the French"},
      {"[http://example.org label of it] [http://example.org] [//x.org y] [not one]",
       "label of it y [not one]"},
      {"see https://example.org/a_b for more", "see https://example.org/a_b for more"},
      {"array[1][2] and [[]] end", "array[1][2] and end"},
  });
}

TEST(WikiText, FilesShowTheirCaptions) {
  expect_texts({
      {"[[File:a.jpg|thumb|300px|A ''cat'' on [[Mat|a mat]].]]The cat", "A cat on a mat.\nThe cat"},
      {"[[Image:a.png|left|x120px]] [[File:b.png]] text", "text"},
      {"[[File:a.jpg|thumb|alt=A cat]]text", "text"},
      {"[[Media:a.ogg|listen]]", "listen"},
      {"<gallery mode=packed>\nFile:a.jpg|First ''one''\nFile:b.jpg\nFile:c.jpg|[[Third|3rd]]\n"
       "</gallery>after",
       "First one\n\n3rd\nafter"},
  });
  const corpora::WikiNames german{{"Datei", "Bild"}, {"Kategorie"}};
  EXPECT_EQ(plain_text("[[Datei:a.jpg|mini|Ein Bild]]x[[Kategorie:Orte]]", german), "Ein Bild\nx");
  EXPECT_EQ(plain_text("[[Datei:a.jpg|mini|Ein Bild]]x"), "mini|Ein Bildx");
}

TEST(WikiText, TheCaptionIsTheLastPartThatIsNoOption) {
  expect_texts({
      {"[[File:a.jpg|thumb|words here|right]]x", "words here\nx"},
      {"[[File:a.jpg|old|thumb|''new'' [[b|words]]|200px|alt=A cat|]]x", "new words\nx"},
      {"[[File:a.jpg|one|two|three]]x", "three\nx"},
      {"[[File:a.jpg|words|upright=1.2|x300 px|link=|lang=de|upright 2]]x", "words\nx"},
      {"[[File:a.jpg|thumb|right]]x", "x"},
      {"[[File:a.jpg|a [[File:b.jpg|thumb|inner|left]] c|thumb]]x", "a inner\nc\nx"},
      {"<gallery>\nFile:a.jpg|alt=A cat|words|link=B\nFile:b.jpg|link=C\nc.jpg|[[D]]|lang=de\n"
       "File:d.jpg|{{open\nFile:e.jpg|last</gallery>after",
       "words\n\nD\nopen\nlast\nafter"},
      {"{{x|<gallery>\nFile:a.jpg|b}}c</gallery>d", "c\nd"},
  });
  const corpora::WikiNames german{{"Datei", "Bild"}, {"Kategorie"}};
  EXPECT_EQ(plain_text("[[Datei:a.jpg|Ein Bild|hochkant=1.2|links]]x", german), "Ein Bild\nx");
}

TEST(WikiText, RowsOfATableThatATemplateBegan) {
  expect_texts({
      {"{{Table start}}\n|-\n| style=\"color:red\" | one || align=left | two\n|-valign=top\n"
       "| three\n|}\nafter",
       "one two\n\nthree\n\nafter"},
      {"{{Table start}}\n! scope=\"col\" | Name\n|-\n| x\n{{Table end}}\nafter | b",
       "Name\n\nx\n\nafter | b"},
      // No table at all.
      {"| a | b", "| a | b"},
      {"! a", "! a"},
      {"a\n|}\nb", "a\n\nb"},
  });
}

TEST(WikiText, WordsAroundWhatIsLeftOutAreTwo) {
  expect_texts({
      {"one<ref>x</ref>two", "one two"},
      {"one<ref name=a/><ref>b</ref>two", "one two"},
      {"one<ref>x</ref>. two<ref>y</ref>, (<ref>z</ref>three)", "one. two, (three)"},
      {"one <ref>x</ref>two<ref>y</ref> three", "one two three"},
      {"10{{nbsp}}km", "10 km"},
      {"one<math>x</math>\u00E9t\u00E9<ref/>&eacute;", "one \u00E9t\u00E9 \u00E9"},
      {"one<templatestyles src=x/>two<!-- x -->three", "onetwothree"},
  });
}

TEST(WikiText, TablesShowTheirCells) {
  EXPECT_EQ(
      plain_text("{| class=\"wikitable\" style=\"a\"\n|+ style=b | Towns\n|-\n! Name !! "
                 "align=left | People\n|- valign=top\n| [[Bonn|B.]] || 3\n| colspan=2 | a || b\n"
                 "|}\nafter"),
      "Towns\n\nName People\n\nB. 3\na b\n\nafter");
  EXPECT_EQ(plain_text("{|\n| {{x\n| y\n}} a\n{|\n| inner\n|}\n| b\n|}"), "a\n\ninner\n\nb");
  EXPECT_EQ(plain_text("a | b || c !! d"), "a | b || c !! d");
}

TEST(WikiText, ElementsAndReferences) {
  expect_texts({
      {"a<ref name=\"x\">{{cite}}</ref> b<ref name=x/> c<REF>d</Ref >e", "a b c e"},
      {"<nowiki>[[no]] ''link'' &amp; {{t}}</nowiki>", "[[no]] ''link'' & {{t}}"},
      {"<pre>a ''b''</pre> <syntaxhighlight lang=c>x &lt; y[[0]]</syntaxhighlight>",
       "a ''b'' x &lt; y[[0]]"},
      {"E<math>mc^2</math>!<sub>2</sub> H<sup>+</sup>", "E!2 H+"},
      {"a<br>b<br/>c<div class=x>d</div>e", "a\nb\nc\nd\ne"},
      {"a<!-- [[x]] \n {{ -->b", "ab"},
      {"x<includeonly>no</includeonly><noinclude>yes</noinclude>", "xyes"},
      {"1 < 2 and 3 > 2 <", "1 < 2 and 3 > 2 <"},
      {"caf&eacute; &ndash; &#8364; &#x20ac; a&nbsp;b &unknown; AT&T &#0;&#xD800;",
       "caf\u00E9 \u2013 \u20AC \u20AC a b &unknown; AT&T \uFFFD\uFFFD"},
      {"<td>a</td><td>b</td>", "a b"},
  });
}

TEST(WikiText, TextIsAppendedAndTheSameEachTime) {
  std::string text = "before ";
  corpora::append_wikitext(" {{x}} a", {}, text);
  EXPECT_EQ(text, "before a");
}

/// Random markup: never more text than markup, and a page is read alike behind another.
TEST(WikiText, AnyMarkupIsRead) {
  const std::vector<std::string> pieces{
      "{{",        "}}",         "{{{",        "}}}", "[[",        "]]",    "[",
      "]",         "|",          "||",         "!!",  "{|",        "|}",    "|-",
      "\n",        "\n\n",       "''",         "'''", "==",        "<ref>", "</ref>",
      "<",         ">",          "<!--",       "-->", "&amp;",     "&",     "#",
      "*",         "http://",    "[http://a ", "a ",  "word",      "File:", "\xc3\xa9",
      "<gallery>", "</gallery>", "_",          "__",  "Category:", ":"};
  corpora::Random random(20261124);
  for (int round = 0; round < 3000; ++round) {
    std::string wikitext;
    for (std::uint64_t i = 0, n = random.below(60); i < n; ++i) {
      wikitext += pieces[random.below(pieces.size())];
    }
    const std::string text = plain_text(wikitext);
    ASSERT_LE(text.size(), wikitext.size() + 1) << wikitext;
    std::string appended = "x";
    corpora::append_wikitext("y\n" + wikitext, {}, appended);
    ASSERT_THAT(appended, ::testing::StartsWith("xy")) << wikitext;
  }
}

TEST(WikiText, TimeIsInProportionToTheTextSlow) {
  for (const std::string unit : {"{{",
                                 "}}",
                                 "{{a}}",
                                 "{{{",
                                 "[[",
                                 "[[a|",
                                 "[[File:a|",
                                 "[",
                                 "[http://",
                                 "]]",
                                 "<",
                                 "<ref>",
                                 "<ref>x</ref>",
                                 "</ref>",
                                 "</ref ",
                                 "<math>",
                                 "<!--",
                                 "<!-- -->",
                                 "<gallery>",
                                 "<gallery>x</gallery>",
                                 "<gallery></gallery>|",
                                 "{|\n",
                                 "{|\n|",
                                 "|\n",
                                 "|-\n",
                                 "''",
                                 "'",
                                 "&",
                                 "&#1",
                                 "_",
                                 "__",
                                 "__A",
                                 "=",
                                 "\n=",
                                 "\n==a==",
                                 "-",
                                 "\n*",
                                 "!!",
                                 " ",
                                 "\n",
                                 "\n\n",
                                 "<a ",
                                 "<nowiki>",
                                 "<pre>a</pre>",
                                 "{{\n",
                                 "[[a\n",
                                 "</",
                                 "\n{|\n|a||b\n"}) {
    expect_nearly_linear(
        unit, 20'000, [&](std::size_t n) { return repeated(n, [&](std::size_t) { return unit; }); },
        [](const std::string& wikitext) { plain_text(wikitext); });
  }
}

/// The same with an end far behind, which is that of all of them.
TEST(WikiText, TimeIsInProportionToTheTextBeforeAnEndSlow) {
  for (const auto& [unit, end] : Cases{{"<gallery>|", "</gallery>"},
                                       {"<gallery>\n", "</gallery>"},
                                       {"<ref>", "</ref>"},
                                       {"<nowiki>&", "</nowiki>"},
                                       {"<!--", "-->"},
                                       {"{{", "}}"},
                                       {"[[a|", "]]"}}) {
    expect_nearly_linear(
        unit + end, 20'000,
        [&, unit = unit, end = end](std::size_t n) {
          return repeated(n, [&](std::size_t) { return unit; }) + end;
        },
        [](const std::string& wikitext) { plain_text(wikitext); });
  }
}

/// What lies behind a page in memory is none of it. (The address sanitizer sees that.)
TEST(WikiText, NothingBehindThePageIsRead) {
  for (const std::string_view page :
       {"{|\n*", "{|\n* ", "{|\n|", "{|\n|-", "{|\n!", "a [", "a {", "[[", "[[:", "''",
        "__",    "&",      "<",     "</",     "<!--",  "=",   "{|",  "|",  "a !", "[http:"}) {
    const std::vector<char> exact(page.begin(), page.end());
    std::string text;
    corpora::append_wikitext({exact.data(), exact.size()}, {}, text);
    EXPECT_EQ(text, plain_text(page)) << page;
  }
}

TEST(WikiText, DeepTemplatesAreClosedAllTheSame) {
  const std::size_t deep = 100'000;
  std::string wikitext = "a ";
  for (std::size_t i = 0; i < deep; ++i) wikitext += "{{x|";
  for (std::size_t i = 0; i < deep; ++i) wikitext += "}}";
  EXPECT_EQ(plain_text(wikitext + "b"), "a b");
}

TEST(WikiText, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  std::string text;
  EXPECT_THROW(corpora::append_wikitext(std::string(1 << 16, '\n'), {}, text, stop.get_token()),
               CancelledError);
}

TEST(CharacterReferences, TakeNoMoreThanTheirBytes) {
  for (const auto& [reference, taken, character] :
       std::vector<std::tuple<std::string, std::size_t, std::string>>{
           {"&lt;b", 4, "<"},
           {"&#65;", 5, "A"},
           {"&#x1F600;", 9, "\U0001F600"},
           {"&#x110000;", 10, "\uFFFD"},
           {"&;", 1, "&"},
           {"&", 1, "&"},
           {"&#;", 1, "&"},
           {"&#x;", 1, "&"},
           {"&#6a;", 1, "&"},
           {"&verylongnameofnothing;", 1, "&"}}) {
    std::string out;
    EXPECT_EQ(corpora::append_reference(reference, corpora::References::kWiki, out), taken)
        << reference;
    EXPECT_EQ(out, character) << reference;
  }
}

}  // namespace
}  // namespace gannet
