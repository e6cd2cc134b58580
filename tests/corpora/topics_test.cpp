// Topics in every shape that campaigns and logs gave them.
#include "corpora/topics/topics.hpp"

#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::parse_topics;
using corpora::Topic;
using corpora::TopicFormat;
using corpora::TopicOptions;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TopicLines, Tsv) {
  EXPECT_THAT(parse_topics("1\tpierson s twin lakes\r\n\n2\twhat is c++: a\tb\n3\t", "t"),
              ElementsAre(Topic{"1", "pierson s twin lakes"}, Topic{"2", "what is c++: a\tb"},
                          Topic{"3", ""}));
}

TEST(TopicLines, TsvIdsMayHoldColons) {
  EXPECT_THAT(parse_topics("trec:1\tone\n2\ttwo", "t"),
              ElementsAre(Topic{"trec:1", "one"}, Topic{"2", "two"}));
}

TEST(TopicLines, Colon) {
  EXPECT_THAT(parse_topics("701:oil industry\n702:pearl farming: how", "t"),
              ElementsAre(Topic{"701", "oil industry"}, Topic{"702", "pearl farming: how"}));
}

TEST(TopicLines, QueryLogsInDs2iFormHaveTabsBetweenTerms) {
  EXPECT_THAT(parse_topics("0:17\t4\t99\n1:5\n", "t"),
              ElementsAre(Topic{"0", "17 4 99"}, Topic{"1", "5"}));
}

TEST(TopicLines, TheFormatCanBeGiven) {
  TopicOptions options;
  options.format = TopicFormat::kTsv;
  EXPECT_THAT(parse_topics("a:1\tx", "t", options), ElementsAre(Topic{"a:1", "x"}));
  options.format = TopicFormat::kTrec;
  EXPECT_THROW(parse_topics("1\tx", "t", options), InputError);
}

TEST(TopicLines, Errors) {
  const auto error = [](std::string_view text) {
    return message_of<InputError>([&] { parse_topics(text, "queries.txt"); });
  };
  EXPECT_THAT(error("1\tx\nno separator"), HasSubstr("queries.txt:2: no tab"));
  EXPECT_THAT(error("\tx\n"), HasSubstr("queries.txt:1: the topic has no id"));
  EXPECT_THAT(error("1\tx\n1\ty\n"), HasSubstr("'1' occurs twice"));
  EXPECT_THAT(error("{\"id\":\"1\",\"vector\":{\"a\":1},\"vector\":{\"b\":1}}"),
              HasSubstr("queries.txt:1: 'vector' occurs twice"));
  for (const char* const none : {"", " \n\n", "[]"}) {
    EXPECT_THAT(error(none), HasSubstr("queries.txt: there is no topic in this file")) << none;
  }
}

TEST(TopicLines, WhatIsNotUtf8IsRefusedOrRead) {
  const std::string text = "1\tone\n2\tcaf\xE9\n";
  EXPECT_THAT(message_of<InputError>([&] { parse_topics(text, "q"); }),
              HasSubstr("q:2: byte 6 (0xe9) is not UTF-8; name the encoding"));
  std::string wide;
  for (const char c : std::string("1\tone\n2\ttwo\n")) wide += {c, '\0'};
  EXPECT_THAT(message_of<InputError>([&] { parse_topics(wide, "q"); }),
              HasSubstr("q: this looks like UTF-16LE"));
  const test::TemporaryDirectory directory;
  TopicOptions options;
  options.encoding = "latin1";
  EXPECT_THAT(corpora::read_topics(directory.write("t", text), options),
              ElementsAre(Topic{"1", "one"}, Topic{"2", "caf\u00E9"}));
  options.encoding = "utf-16le";
  EXPECT_EQ(corpora::read_topics(directory.write("t", wide), options).size(), 2u);
  EXPECT_EQ(corpora::read_topics(directory.write("t",
                                                 "\xEF\xBB\xBF"
                                                 "1\tx\n"),
                                 options)
                .size(),
            1u);
  options.encoding = "klingon";
  EXPECT_THROW(corpora::read_topics(directory / "t", options), UsageError);
}

TEST(JsonTopics, HaveTextsWhereverTheyStand) {
  const std::string a = R"({"_id": "a", "text": "one two", "metadata": {}})";
  const std::string b = R"({ "id": 7, "query": "three" })";
  const std::string c = R"({"id": -1, "title": "four", "vectors": 1})";
  for (const std::string& text : {a + "\n" + b + "\n" + c, "[" + a + ",\n" + b + "," + c + "]",
                                  "\n {\n" + a.substr(1) + "\n" + b + c}) {
    EXPECT_THAT(parse_topics(text, "t"),
                ElementsAre(Topic{"a", "one two"}, Topic{"7", "three"}, Topic{"-1", "four"}))
        << text;
  }
}

TEST(JsonTopics, Errors) {
  const auto error = [](std::string_view text) {
    return message_of<InputError>([&] { parse_topics(text, "q"); });
  };
  EXPECT_THAT(error("{ \"id\": \"1\" }"), HasSubstr("q:1: the topic has neither a 'vector'"));
  EXPECT_THAT(error("{\"text\": \"1\"}"), HasSubstr("the topic has no id"));
  EXPECT_THAT(error("{\"id\": 1, \"text\": [\"x\"]}"), HasSubstr("'text' is not a string"));
  EXPECT_THAT(error("[{\"id\": 1, \"text\": \"x\"}"), HasSubstr("does not end"));
  EXPECT_THAT(error("[1]\tx\n"), HasSubstr("--topic-format"));
  EXPECT_THAT(error("{a: b}\tx\n"), HasSubstr("not a valid JSON object"));
  TopicOptions options;
  options.format = TopicFormat::kTsv;
  EXPECT_THAT(parse_topics("[1]\tx\n", "q", options), ElementsAre(Topic{"[1]", "x"}));
}

TEST(TrecTopics, AdHocWithoutClosingTags) {
  const char* text = R"(
<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in <i>international</i> criminal activity.

<narr> Narrative:
A relevant document must as a minimum identify the organization.
</top>
<top>
<num> Number: 302
<title>
Poliomyelitis and
  Post-Polio

<desc> Description: Is the disease under control?
</top>
)";
  EXPECT_THAT(parse_topics(text, "t"), ElementsAre(Topic{"301", "International Organized Crime"},
                                                   Topic{"302", "Poliomyelitis and Post-Polio"}));
  TopicOptions all;
  all.description = all.narrative = true;
  EXPECT_EQ(parse_topics(text, "t", all)[0].text,
            "International Organized Crime Identify organizations that participate in "
            "international criminal "
            "activity. A relevant document must as a minimum identify the organization.");
  TopicOptions description;
  description.title = false;
  description.description = true;
  EXPECT_EQ(parse_topics(text, "t", description)[1].text, "Is the disease under control?");
}

TEST(TrecTopics, TheFirstYears) {
  const char* text =
      "<top>\r\n<head> Tipster Topic Description\r\n<num> Number:  051\r\n<dom> Domain:  "
      "International Economics\r\n"
      "<title> Topic:  Airbus Subsidies\r\n\r\n<desc> Description:\r\nDocument will discuss\r\n"
      "<smry> Summary:\r\nmore\r\n<con> Concept(s):\r\n1. Airbus\r\n<fac> Factor(s):\r\n<def> "
      "Definition(s):\r\n</top>\r\n";
  EXPECT_THAT(parse_topics(text, "t"), ElementsAre(Topic{"51", "Airbus Subsidies"}));
  TopicOptions description;
  description.title = false;
  description.description = true;
  EXPECT_THAT(parse_topics(text, "t", description),
              ElementsAre(Topic{"51", "Document will discuss"}));
}

TEST(TrecTopics, ClosingTagsAndAnyCase) {
  EXPECT_THAT(
      parse_topics("<TOP><NUM>701</NUM><TITLE>U.S. oil &amp; gas</TITLE><DESC>d</DESC></TOP>"
                   "<top><num>Number : MB001</num><title>x</title></top>",
                   "t"),
      ElementsAre(Topic{"701", "U.S. oil & gas"}, Topic{"MB001", "x"}));
}

TEST(TrecTopics, ATopicMayLackItsClosingTag) {
  EXPECT_THAT(parse_topics("<top><num> 1 <title> a\n<top><num> 2 <title> b", "t"),
              ElementsAre(Topic{"1", "a"}, Topic{"2", "b"}));
}

TEST(TrecTopics, WebTracks) {
  const char* text = R"(<?xml version="1.0" encoding="UTF-8"?>
<webtrack2009>
  <topic number="1" type="faceted">
    <query>obama family tree</query>
    <description>Find information.</description>
    <subtopic number="1" type="nav">Find the TIME magazine photo essay.</subtopic>
  </topic>
  <topic type='x' number = '20' ><query>the secret garden</query></topic>
</webtrack2009>)";
  EXPECT_THAT(parse_topics(text, "t"),
              ElementsAre(Topic{"1", "obama family tree"}, Topic{"20", "the secret garden"}));
  TopicOptions both;
  both.description = true;
  EXPECT_EQ(parse_topics(text, "t", both)[0].text, "obama family tree Find information.");
}

/// Clinical trials: text without any element. Decision support, precision medicine, CLEF.
TEST(TrecTopics, WithoutTitlesHaveTheirTextElsewhere) {
  EXPECT_THAT(parse_topics(
                  "<topics task=\"2021 TREC Clinical Trials\">\n<topic number=\"1\">\nPatient is a "
                  "45-year-old man &lt; 50\n</topic>\n<topic number=\"2\">b</topic></topics>",
                  "t"),
              ElementsAre(Topic{"1", "Patient is a 45-year-old man < 50"}, Topic{"2", "b"}));
  EXPECT_THAT(parse_topics("<topics><topic number=\"1\" type=\"diagnosis\"><note>n</note>"
                           "<description>long text</description><summary>short</summary></topic>",
                           "t"),
              ElementsAre(Topic{"1", "short"}));
  EXPECT_THAT(
      parse_topics("<topic number=\"1\"><disease>Liposarcoma</disease>\n<gene>CDK4 "
                   "Amplification</gene><demographic>38-year-old male</demographic></topic>",
                   "t"),
      ElementsAre(Topic{"1", "Liposarcoma CDK4 Amplification 38-year-old male"}));
  EXPECT_THAT(parse_topics("<topic number=\"3\" template=\"glaucoma\"><field name=\"a\">focal"
                           "</field><field name=\"b\">left</field></topic>",
                           "t"),
              ElementsAre(Topic{"3", "focal left"}));
  EXPECT_THAT(parse_topics("<top> <num> C041 </num> <EN-title> Pesticides </EN-title> <EN-desc> "
                           "Find. </EN-desc> <EN-narr> All. </EN-narr> </top>",
                           "t"),
              ElementsAre(Topic{"C041", "Pesticides"}));
  TopicOptions description;
  description.title = false;
  description.description = true;
  EXPECT_THAT(parse_topics("<top><num>C1</num><C-EN-title>P</C-EN-title><C-EN-desc>Find</C-EN-desc>"
                           "</top>",
                           "t", description),
              ElementsAre(Topic{"C1", "Find"}));
}

/// As in TREC-4, which had descriptions alone.
TEST(TrecTopics, InWhichNothingWasUnderstoodAreAnError) {
  const char* text =
      "<top>\n<num> Number: 202\n<desc> Description:\nStatus of treaties\n</top>\n"
      "<top>\n<num> Number: 203\n<desc> Description:\nTires\n</top>\n";
  const std::string message = message_of<InputError>([&] { parse_topics(text, "topics.201-250"); });
  EXPECT_THAT(message, HasSubstr("topics.201-250: no topic has a text that was asked for"));
  EXPECT_THAT(message, HasSubstr("'202' being the first"));
  EXPECT_THAT(message, HasSubstr("--topic-fields"));
  EXPECT_THAT(message_of<InputError>([] { parse_topics("1\t\n2\t \n", "q"); }),
              HasSubstr("no topic has a text"));
  EXPECT_THAT(message_of<InputError>([] { parse_topics("{\"id\":\"1\",\"vector\":{}}", "q"); }),
              HasSubstr("no topic has a text"));
}

TEST(Topics, WithoutTextAreCountedAndNamed) {
  EXPECT_EQ(corpora::empty_topics_warning(parse_topics("1\tx\n2\ty", "q"), "q"), "");
  EXPECT_EQ(corpora::empty_topics_warning(parse_topics("1\tx\n2\t\n3\t", "q"), "q.tsv"),
            "q.tsv: 2 of 3 topics have no text and find nothing; the first is '2'");
  EXPECT_EQ(corpora::empty_topics_warning(parse_topics("1\tx\n2\t", "q"), "q.tsv"),
            "q.tsv: 1 of 2 topics has no text and finds nothing; the first is '2'");
}

TEST(TrecTopics, AttributesAndCommentsAreNotTakenForOthers) {
  EXPECT_THAT(parse_topics("<!-- <topic id=\"0\">no</topic> -->\n<topic pid=\"7\" id=\"9\">a"
                           "<!-- <top> --></topic><topic a='id=3' ID = 4>b</topic>",
                           "t"),
              ElementsAre(Topic{"9", "a"}, Topic{"4", "b"}));
}

TEST(TrecTopics, WordsLikeTheLabelAreKept) {
  EXPECT_THAT(parse_topics("<top><num>1<title>topic maps</top>", "t"),
              ElementsAre(Topic{"1", "topic maps"}));
}

TEST(TrecTopics, Errors) {
  const auto error = [](std::string_view text) {
    return message_of<InputError>([&] { parse_topics(text, "topics.301"); });
  };
  EXPECT_THAT(error("\n<top>\n<title> a </top>"),
              HasSubstr("topics.301:2: the topic has no number"));
  EXPECT_THAT(error("<top><num>1<title>a</top><top><num>01<title>b</top>"),
              HasSubstr("'1' occurs twice"));
  TopicOptions none;
  none.title = false;
  EXPECT_THROW(parse_topics("1\tx", "t", none), UsageError);
}

TEST(TopicFiles, PlainAndCompressed) {
  const test::TemporaryDirectory directory;
  const std::string text =
      "\xef\xbb\xbf"
      "1\tone\n";
  for (const std::string& contents : {text, test::gzip(text), test::zstd(text)}) {
    EXPECT_THAT(corpora::read_topics(directory.write("t", contents)),
                ElementsAre(Topic{"1", "one"}));
  }
  EXPECT_THROW(corpora::read_topics(directory / "missing"), IoError);
}

TEST(TopicFiles, RealQueryLogs) {
  const auto data = test::data_folder();
  if (data.empty()) GTEST_SKIP() << "no test data: set GANNET_DATA";
  EXPECT_EQ(corpora::read_topics(data / "queries/terabyte05.efficiency.tsv").size(), 50'000u);
  EXPECT_EQ(corpora::read_topics(data / "queries/msmarco-passage.dev-subset.tsv").size(), 6'980u);
  EXPECT_EQ(corpora::read_topics(data / "queries/robust04.titles.tsv").size(), 250u);
}

}  // namespace
}  // namespace gannet
