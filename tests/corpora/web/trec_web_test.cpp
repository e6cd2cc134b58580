// TREC's collections of pages.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/corpora/web_archives.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using test::trec_web_document;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class TrecWeb : public ::testing::Test {
 protected:
  Documents read(std::string_view file, const ReaderOptions& options = {}) {
    return test::read_all(DocumentFormat::kTrecWeb, {directory_.write("00", file)}, options);
  }
  test::TemporaryDirectory directory_;
};

constexpr const char* kHeader = "http://example.gov/a\nHTTP/1.1 200 OK\nServer: x";

TEST_F(TrecWeb, PagesBehindTheirHeaders) {
  const std::string file =
      trec_web_document("GX000-00-0000000", kHeader,
                        "<html><title>T</title><script>no</script><p>a &amp; b</DOCNO><doc>") +
      trec_web_document(" GX000-00-0000001 ",
                        "http://example.gov/b 192.0.2.1 19970101 text/html 12\n"
                        "Content-Type: text/html; charset=koi8-r",
                        "<p>\xD5") +
      trec_web_document("GX000-00-0000002", "http://example.gov/c\nContent-Type: application/pdf",
                        "made <i>text</i>");
  const Documents plain = read(file);
  EXPECT_THAT(plain.all, ElementsAre(Pair("GX000-00-0000000", "T\na & b"),
                                     Pair("GX000-00-0000001", "\xD1\x83"),
                                     Pair("GX000-00-0000002", "made text")));
  EXPECT_EQ(read(test::gzip(file)), plain);
  for (const std::size_t batch : {1u, 30u, 200u}) {
    ReaderOptions options;
    options.batch_bytes = batch;
    EXPECT_EQ(read(file, options), plain) << batch;
  }
}

/// Pages have tags of all names, also those of the collection.
TEST_F(TrecWeb, APageMayHaveTagsCalledDoc) {
  const std::string file = trec_web_document("a", kHeader, "<p>one</doc>two<doc>three</DOC> four") +
                           trec_web_document("b", kHeader, "five");
  for (const std::size_t batch : {1u, 30u, 200u, 1u << 20}) {
    ReaderOptions options;
    options.batch_bytes = batch;
    EXPECT_THAT(read(file, options).all,
                ElementsAre(Pair("a", "onetwothree four"), Pair("b", "five")))
        << batch;
  }
}

TEST_F(TrecWeb, WhatLacksItsEndIsCountedInAnyCase) {
  const auto lower = [](std::string text) {
    for (const char* tag : {"DOC>", "DOCNO>", "DOCHDR>"}) {
      for (std::size_t at; (at = text.find(tag)) != std::string::npos;) {
        for (; text[at] != '>'; ++at) text[at] = static_cast<char>(text[at] - 'A' + 'a');
      }
    }
    return text;
  };
  std::string open = trec_web_document("x", kHeader, "lost");
  open.resize(open.find("</DOC>"));
  const std::string file = lower(open + trec_web_document("b", kHeader, "two"));
  ReaderOptions options;
  options.malformed = corpora::Malformed::kSkip;
  const Documents documents = read(file, options);
  EXPECT_THAT(documents.ids(), ElementsAre("b"));
  EXPECT_EQ(documents.skipped, 1u);
}

TEST_F(TrecWeb, UrlsAndTitles) {
  ReaderOptions options;
  options.page_ids = corpora::PageIds::kUrl;
  options.fields = {"title"};
  options.schema =
      index::Schema({index::parse_field("url:keyword"), index::parse_field("host:keyword")});
  EXPECT_THAT(read("<DOC>\n<DOCNO>W-1</DOCNO>\n<DOCOLDNO>I-2</DOCOLDNO>\n<DOCHDR>\n" +
                       std::string(kHeader) + "\n</DOCHDR>\n<title>The title</title>text</DOC>",
                   options)
                  .all,
              ElementsAre(Pair("http://example.gov/a",
                               "The title\n#0=http://example.gov/a\n#1=example.gov")));
}

TEST_F(TrecWeb, MalformedDocumentsStopOrAreSkipped) {
  const std::string a = trec_web_document("a", kHeader, "one");
  const std::string b = trec_web_document("b", kHeader, "two");
  const auto line = std::count(a.begin(), a.end(), '\n') + 1;
  for (const auto& [record, reason] : std::vector<std::pair<std::string, const char*>>{
           {"<DOC>\n<DOCHDR>x</DOCHDR>y</DOC>\n", "does not begin with <DOCNO>"},
           {"<DOC>\n<DOCNO>x</DOCNO>y</DOC>\n", "not followed by <DOCHDR>"},
           {"<DOC>\n<DOCNO> </DOCNO><DOCHDR></DOCHDR>y</DOC>\n", "<DOCNO> is empty"},
           {"<DOC>\n<DOCNO>x</DOCNO><DOCHDR></DOCHDR>y\n", "without </DOC>"}}) {
    const std::string all = a + record + b;
    EXPECT_THAT(message_of<InputError>([&] { read(all); }),
                AllOf(HasSubstr("00:" + std::to_string(line) + ": "), HasSubstr(reason)));
    ReaderOptions options;
    options.malformed = corpora::Malformed::kSkip;
    const Documents documents = read(a + record + b, options);
    EXPECT_THAT(documents.ids(), ElementsAre("a", "b")) << record;
    EXPECT_EQ(documents.skipped, 1u) << record;
  }
  EXPECT_THAT(message_of<InputError>([&] { read("<p>page"); }), HasSubstr("no <DOC>"));
}

}  // namespace
}  // namespace gannet
