// TSV and TREC text.
#include "tests/support/corpora/documents.hpp"

#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using test::read_all;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

ReaderOptions skipping() {
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  return options;
}

class FormatTest : public ::testing::Test {
 protected:
  Documents read(DocumentFormat format, std::string_view text, const ReaderOptions& options = {}) {
    return read_all(format, {directory_.write("input", text)}, options);
  }
  TemporaryDirectory directory_;
};

using Tsv = FormatTest;

TEST_F(Tsv, SplitsAtTheFirstTab) {
  EXPECT_THAT(read(DocumentFormat::kTsv, "a\tone\r\nb\ttwo\tthree\n\nc\t").all,
              ElementsAre(Pair("a", "one"), Pair("b", "two\tthree"), Pair("c", "")));
}

TEST_F(Tsv, MalformedLines) {
  const char* text = "a\t1\nno tab here\n\tno id\nb\t2\n";
  const auto stop = [&] { read(DocumentFormat::kTsv, text); };
  EXPECT_THAT(message_of<InputError>(stop), HasSubstr("input:2: no tab"));
  const Documents documents = read(DocumentFormat::kTsv, text, skipping());
  EXPECT_THAT(documents.ids(), ElementsAre("a", "b"));
  EXPECT_EQ(documents.skipped, 2u);
}

TEST_F(Tsv, WhatIsNotUtf8IsMalformedOrRead) {
  const char* text = "a\tcaf\xc3\xa9\nb\tcaf\xe9 au\nc\tlait\n";
  EXPECT_THAT(message_of<InputError>([&] { read(DocumentFormat::kTsv, text); }),
              AllOf(HasSubstr("input:2: byte 6 (0xe9) is not UTF-8"), HasSubstr("--encoding")));
  const Documents documents = read(DocumentFormat::kTsv, text, skipping());
  EXPECT_THAT(documents.ids(), ElementsAre("a", "c"));
  EXPECT_EQ(documents.skipped, 1u);
  ReaderOptions options;
  options.encoding = "latin1";
  EXPECT_THAT(read(DocumentFormat::kTsv, "b\tcaf\xe9 au\n", options).all,
              ElementsAre(Pair("b", "caf\u00E9 au")));
  options.encoding = "klingon";
  EXPECT_THAT(message_of<UsageError>([&] { read(DocumentFormat::kTsv, text, options); }),
              HasSubstr("--encoding: 'klingon'"));
}

TEST_F(Tsv, IsReadInAnyEncodingAtEveryBatchSize) {
  std::string text;
  std::string sjis;
  for (int i = 0; i < 300; ++i) {
    text += std::to_string(i) + "\t\u65E5\u672C\n";
    sjis += std::to_string(i) + "\t\x93\xFA\x96\x7B\n";
  }
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("a\tone\nb\ttwo\n")) wide += {c, '\0'};
  ReaderOptions options;
  const Documents expected = read(DocumentFormat::kTsv, text);
  options.encoding = "shift_jis";
  for (const std::size_t batch : {1u, 7u, 64u, 1u << 20}) {
    options.batch_bytes = batch;
    EXPECT_EQ(read(DocumentFormat::kTsv, sjis, options), expected) << batch;
    // A mark counts more.
    EXPECT_THAT(read(DocumentFormat::kTsv, wide, options).all,
                ElementsAre(Pair("a", "one"), Pair("b", "two")));
  }
}

using TrecText = FormatTest;

TEST_F(TrecText, StripsTagsAndKeepsTheRest) {
  const char* text =
      "<DOC>\n<DOCNO> FT911-1 </DOCNO>\n<HEADLINE>Hot<b>el</b></HEADLINE>\n<TEXT a=\"1\">\n1 < 2 & "
      "3<4\n"
      "<!-- gone > --></TEXT>\n</DOC>\n";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text).all,
              ElementsAre(Pair("FT911-1", "\n\n Hot el  \n \n1 < 2 & 3<4\n  \n")));
}

TEST_F(TrecText, DecodesReferencesAndCdata) {
  const char* text =
      "<DOC><DOCNO>a</DOCNO>AT&amp;T &lt;b&gt; caf&#233; &#xE9; &quot;q&apos; &amp;lt; &hyph; &; & "
      "&#0; &#xD800; &#99999999999; &#x1F600;"
      "<![CDATA[1 < 2 &amp; <b>]]>end<![CDATA[]]>!</DOC>";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text).all,
              ElementsAre(Pair("a",
                               "AT&T <b> café é \"q' &lt; &hyph; &; & &#0; &#xD800; "
                               "&#99999999999; \xf0\x9f\x98\x80"
                               "1 < 2 &amp; <b>end!")));
  EXPECT_THAT(
      read(DocumentFormat::kTrecText, "<DOC><DOCNO>a</DOCNO>x<![CDATA[never ends</DOC>").all,
      ElementsAre(Pair("a", "xnever ends")));
}

/// Batches are cut at marks, too.
TEST_F(TrecText, MarksInCommentsAndCdataAreNone) {
  const std::string text =
      "<DOC><DOCNO>a</DOCNO>x<![CDATA[ see </DOC> here ]]> tail</DOC>\n"
      "<DOC><DOCNO>b</DOCNO>y<!-- <DOC> -->z</DOC>\n<!-- between -->\n"
      "<DOC><DOCNO>c</DOCNO>w</DOC>\n";
  for (const std::size_t batch : {1u, 10u, 40u, 1u << 20}) {
    ReaderOptions options;
    options.batch_bytes = batch;
    EXPECT_THAT(read(DocumentFormat::kTrecText, text, options).all,
                ElementsAre(Pair("a", "x see </DOC> here  tail"), Pair("b", "y z"), Pair("c", "w")))
        << batch;
  }
}

TEST_F(TrecText, TagsMayBeInAnyCaseAndSpacing) {
  const char* text =
      "<root><doc><docno>a</docno>one</doc ><Doc id=\"7\">x<DocNo>\nb\n</DOCNO >two</DOC></root>";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text).all,
              ElementsAre(Pair("a", "one"), Pair("b", "xtwo")));
}

TEST_F(TrecText, WhatIsNotUtf8IsMalformedOrRead) {
  const char* text = "<DOC><DOCNO>a</DOCNO>x</DOC>\n<DOC><DOCNO>b</DOCNO>caf\xe9</DOC>\n";
  EXPECT_THAT(message_of<InputError>([&] { read(DocumentFormat::kTrecText, text); }),
              AllOf(HasSubstr("input:2: "), HasSubstr("(0xe9) is not UTF-8")));
  EXPECT_THAT(read(DocumentFormat::kTrecText, text, skipping()).ids(), ElementsAre("a"));
  ReaderOptions options;
  options.encoding = "windows-1252";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text, options).all,
              ElementsAre(Pair("a", "x"), Pair("b", "caf\u00E9")));
}

TEST_F(TrecText, DoesNotTakeOtherTagsForDoc) {
  const char* text = "<DOC><DOCNO>a</DOCNO><DOCTYPE>t</DOCTYPE></DOC>";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text).all, ElementsAre(Pair("a", " t ")));
}

struct BrokenTrec {
  const char* record;
  const char* reason;
};

class MalformedTrec : public FormatTest, public ::testing::WithParamInterface<BrokenTrec> {};

TEST_P(MalformedTrec, StopsOrSkips) {
  const std::string text = std::string("<DOC><DOCNO>a</DOCNO>1</DOC>\n\n") + GetParam().record +
                           "\n<DOC><DOCNO>b</DOCNO>2</DOC>";
  const auto stop = [&] { read(DocumentFormat::kTrecText, text); };
  EXPECT_THAT(message_of<InputError>(stop),
              AllOf(HasSubstr("input:3: "), HasSubstr(GetParam().reason)));
  const Documents documents = read(DocumentFormat::kTrecText, text, skipping());
  EXPECT_THAT(documents.ids(), ElementsAre("a", "b"));
  EXPECT_EQ(documents.skipped, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Records, MalformedTrec,
    ::testing::Values(BrokenTrec{"<DOC>text</DOC>", "no <DOCNO>"},
                      BrokenTrec{"<DOC><DOCNO>  </DOCNO>x</DOC>", "is empty"},
                      BrokenTrec{"<DOC><DOCNO>x</DOC>", "without </DOCNO>"},
                      BrokenTrec{"<DOC><DOCNO>x</DOCNO>text", "without </DOC>"},
                      BrokenTrec{"<DOC>\n<HEAD>h</HEAD><DOCNO>x</DOCNO>text", "without </DOC>"},
                      BrokenTrec{"<DOCNO>x</DOCNO>text</DOC>", "<DOCNO> without <DOC>"},
                      BrokenTrec{"text", "outside of <DOC> and </DOC>"}));

TEST_F(TrecText, AFileThatEndsInsideADocument) {
  const char* text = "<DOC><DOCNO>a</DOCNO>1</DOC>\n<DOC><DOCNO>b</DOCNO>2";
  EXPECT_THROW(read(DocumentFormat::kTrecText, text), InputError);
  const Documents documents = read(DocumentFormat::kTrecText, text, skipping());
  EXPECT_THAT(documents.ids(), ElementsAre("a"));
  EXPECT_EQ(documents.skipped, 1u);
}

TEST_F(TrecText, AFileWithoutDocuments) {
  const auto stop = [&] { read(DocumentFormat::kTrecText, "{\"id\": 1}"); };
  EXPECT_THAT(message_of<InputError>(stop), HasSubstr("no <DOC>"));
  EXPECT_EQ(read(DocumentFormat::kTrecText, " \n"), Documents());
}

TEST_F(TrecText, CommentsThatNeverEndTakeLinearTimeSlow) {
  std::string text = "<DOC><DOCNO>a</DOCNO>";
  for (int i = 0; i < 300'000; ++i) text += "<!--";
  EXPECT_EQ(read(DocumentFormat::kTrecText, text + "</DOC>").all.size(), 1u);
}

TEST_F(TrecText, ClosingTagsThatNeverEndTakeLinearTimeSlow) {
  std::string text = "<DOC><DOCNO>a</DOCNO>";
  for (int i = 0; i < 300'000; ++i) text += "x </doc\n";
  EXPECT_EQ(read(DocumentFormat::kTrecText, text + "</DOC>").all.size(), 1u);
  EXPECT_EQ(read(DocumentFormat::kTrecText, text, skipping()).skipped, 1u);
}

class TsvTable : public FormatTest {
 protected:
  TsvTable() { options_.header = true; }
  ReaderOptions options_;
};

TEST_F(TsvTable, TheFirstLineNamesTheColumns) {
  const char* text = "title\tid\tbody\n\nOne\ta\tfirst\nTwo\tb\t\n";
  EXPECT_THAT(read(DocumentFormat::kTsv, text, options_).all,
              ElementsAre(Pair("a", "One\nfirst"), Pair("b", "Two\n")));
  options_.fields = {"body", "title"};
  EXPECT_THAT(read(DocumentFormat::kTsv, text, options_).all,
              ElementsAre(Pair("a", "first\nOne"), Pair("b", "\nTwo")));
  options_.fields = {"author"};
  EXPECT_THAT(message_of<InputError>([&] { read(DocumentFormat::kTsv, text, options_); }),
              AllOf(HasSubstr("input"), HasSubstr("'author'")));
}

TEST_F(TsvTable, FieldsHaveTheNamesOfTheirColumns) {
  const auto file = directory_.write("t.tsv", "docno\ttitle\tbody\nx\tT\tB\n");
  const auto source = corpora::open_documents(DocumentFormat::kTsv, {file}, options_);
  const auto batch = source->parse(source->read());
  ASSERT_EQ(batch->size(), 1u);
  const index::Document document = (*batch)[0];
  EXPECT_EQ(document.id, "x");
  ASSERT_EQ(document.fields.size(), 2u);
  EXPECT_EQ(document.fields[0].name, "title");
  EXPECT_EQ(document.fields[1].name, "body");
  EXPECT_EQ(document.fields[1].text, "B");
}

TEST_F(TsvTable, EveryFileHasItsHeaderWhateverTheBatches) {
  std::string rows;
  for (int i = 0; i < 500; ++i) rows += std::to_string(i) + "\ttext " + std::to_string(i) + "\n";
  const auto a = directory_.write("a.tsv", "\n\nid\tbody\n" + rows);
  const auto b = directory_.write("b.tsv", "body\tid\nlast\tb\n");
  for (const std::size_t batch : {1u, 2u, 50u, 1u << 20}) {
    options_.batch_bytes = batch;
    const Documents documents = read_all(DocumentFormat::kTsv, {a, b}, options_);
    ASSERT_EQ(documents.all.size(), 501u) << batch;
    EXPECT_THAT(documents.all[7], Pair("7", "text 7"));
    EXPECT_THAT(documents.all[500], Pair("b", "last"));
  }
}

TEST_F(TsvTable, RowsOfOtherLengthsAreMalformed) {
  const char* text = "id\tbody\na\tx\ty\nb\n\tx\nc\tfine\n";
  EXPECT_THAT(message_of<InputError>([&] { read(DocumentFormat::kTsv, text, options_); }),
              AllOf(HasSubstr("input:2"), HasSubstr("3 values"), HasSubstr("2 columns")));
  options_.malformed = Malformed::kSkip;
  const Documents documents = read(DocumentFormat::kTsv, text, options_);
  EXPECT_THAT(documents.ids(), ElementsAre("c"));
  EXPECT_EQ(documents.skipped, 3u);
}

TEST_F(TsvTable, FieldsWithoutAHeaderAreRefused) {
  options_.header = false;
  options_.fields = {"body"};
  EXPECT_THROW(read(DocumentFormat::kTsv, "a\tb\n", options_), UsageError);
}

}  // namespace
}  // namespace gannet
