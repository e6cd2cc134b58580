// TSV, TREC text, and directories of text and HTML.
#include "tests/support/corpora/documents.hpp"

#include <gmock/gmock.h>

#include "codecs/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::ReaderOptions;
using test::bzip2;
using test::Documents;
using test::gzip;
using test::message_of;
using test::read_all;
using test::TemporaryDirectory;
using test::zstd;
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

TEST_F(Tsv, LetsInvalidUtf8Through) {
  EXPECT_THAT(read(DocumentFormat::kTsv, "a\tcaf\xe9 b\n").all,
              ElementsAre(Pair("a", "caf\xe9 b")));
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

TEST_F(TrecText, TagsMayBeInAnyCaseAndSpacing) {
  const char* text =
      "<root><doc><docno>a</docno>one</doc ><Doc id=\"7\">x<DocNo>\nb\n</DOCNO >two</DOC></root>";
  EXPECT_THAT(read(DocumentFormat::kTrecText, text).all,
              ElementsAre(Pair("a", "one"), Pair("b", "xtwo")));
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

INSTANTIATE_TEST_SUITE_P(Records, MalformedTrec,
                         ::testing::Values(BrokenTrec{"<DOC>text</DOC>", "no <DOCNO>"},
                                           BrokenTrec{"<DOC><DOCNO>  </DOCNO>x</DOC>", "is empty"},
                                           BrokenTrec{"<DOC><DOCNO>x</DOC>", "without </DOCNO>"},
                                           BrokenTrec{"<DOC><DOCNO>x</DOCNO>text",
                                                      "without </DOC>"}));

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

TEST_F(TrecText, CommentsThatNeverEndTakeLinearTime) {
  std::string text = "<DOC><DOCNO>a</DOCNO>";
  for (int i = 0; i < 300'000; ++i) text += "<!--";
  EXPECT_EQ(read(DocumentFormat::kTrecText, text + "</DOC>").all.size(), 1u);
}

TEST_F(TrecText, ClosingTagsThatNeverEndTakeLinearTime) {
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

using Directory = FormatTest;

TEST_F(Directory, ReadsTextAndHtmlSortedByPath) {
  directory_.write("docs/b.txt", "bee");
  directory_.write("docs/a/z.MD", "# zed");
  directory_.write("docs/a/page.html",
                   "<title>T&amp;t</title><p>one<b>two</b><p>three<script>no()</script>");
  directory_.write("docs/image.png", "\x89PNG");
  directory_.write("docs/.git/config.txt", "hidden");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  EXPECT_THAT(documents.all, ElementsAre(Pair("a/page.html", "T&t\nonetwo\nthree"),
                                         Pair("a/z.MD", "# zed"), Pair("b.txt", "bee")));
  EXPECT_EQ(documents.skipped, 1u);
}

TEST_F(Directory, IdsNameTheInputWhereThereAreSeveral) {
  directory_.write("x/a.txt", "1");
  directory_.write("y/a.txt", "2");
  directory_.write("z.log", "3");
  const Documents documents = read_all(DocumentFormat::kDirectory,
                                       {directory_ / "y/", directory_ / "x", directory_ / "z.log"});
  EXPECT_THAT(documents.ids(), ElementsAre("y/a.txt", "x/a.txt", "z.log"));
}

TEST_F(Directory, ReadsCompressedAndInvalidFiles) {
  directory_.write("docs/a.txt.gz", gzip("packed"));
  directory_.write("docs/b.html.zst", zstd("<p>page"));
  directory_.write("docs/c.txt", "caf\xe9 \xff");
  directory_.write("docs/d.txt", "");
  directory_.write("docs/e.htm.bz2", bzip2("<p>block"));
  EXPECT_THAT(
      read_all(DocumentFormat::kDirectory, {directory_ / "docs"}).all,
      ElementsAre(Pair("a.txt.gz", "packed"), Pair("b.html.zst", "page"),
                  Pair("c.txt", "caf\xe9 \xff"), Pair("d.txt", ""), Pair("e.htm.bz2", "block")));
}

TEST_F(Directory, TakesTheExtensionsGiven) {
  directory_.write("docs/a.txt", "1");
  directory_.write("docs/b.rst", "2");
  ReaderOptions options;
  options.extensions = {".rst"};
  EXPECT_THAT(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options).ids(),
              ElementsAre("b.rst"));
  options.extensions = {".adoc"};
  const auto none = [&] { read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options); };
  EXPECT_THAT(message_of<UsageError>(none), HasSubstr(".adoc"));
}

TEST_F(Directory, RefusesFilesBeyondTheLimit) {
  directory_.write("docs/a.txt", std::string(10'000, 'x'));
  ReaderOptions options;
  options.max_record_bytes = 9'999;
  EXPECT_THROW(read_all(DocumentFormat::kDirectory, {directory_ / "docs"}, options), InputError);
}

TEST_F(Directory, SurvivesDeepAndBrokenHtml) {
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "<div>";
  directory_.write("docs/deep.html", deep + "bottom");
  directory_.write("docs/broken.html", "<p <b>x</i></table><td>y&nosuch; &#0; \xff<");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  ASSERT_EQ(documents.all.size(), 2u);
  EXPECT_THAT(documents.all[1].second, HasSubstr("bottom"));
}

TEST_F(Directory, SeparatesBlocksAndJoinsInlineElements) {
  directory_.write("docs/a.html",
                   "<html><head><style>p{}</style></head><body><h1>Head</h1><ul><li>a<li>b</ul>"
                   "<table><tr><td>c<td>d</table>e<br>f <!-- no --> H<sub>2</sub>O</body></html>");
  const Documents documents = read_all(DocumentFormat::kDirectory, {directory_ / "docs"});
  EXPECT_EQ(documents.all[0].second, "Head\na\nb\nc\nd\ne\nf  H2O");
}

}  // namespace
}  // namespace gannet
