// ARC: both versions, ids, and files that lie.
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
using test::arc_head;
using test::arc_record;
using test::Documents;
using test::http_response;
using test::kHtmlType;
using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Arc : public ::testing::Test {
 protected:
  Documents read(std::string_view file, const ReaderOptions& options = {}) {
    return test::read_all(DocumentFormat::kArc, {directory_.write("a.arc", file)}, options);
  }
  test::TemporaryDirectory directory_;
};

std::string page(std::string_view url, std::string_view word) {
  return arc_record(url, "text/html", http_response("<p>" + std::string(word), kHtmlType));
}

TEST_F(Arc, PagesAreAnswersOfServers) {
  const std::string file = arc_head() +
                           arc_record("dns:example.org", "text/dns", "example.org. A 192.0.2.1\n") +
                           page("http://example.org/a", "one") +
                           arc_record("http://example.org/b", "text/html",
                                      http_response("<p>gone", kHtmlType, "404 Not Found")) +
                           arc_record("http://example.org/c", "image/png",
                                      http_response("\x89PNG", "Content-Type: image/png\r\n")) +
                           page("http://example.org/d with blanks", "two");
  const Documents plain = read(file);
  EXPECT_THAT(plain.all,
              ElementsAre(Pair("20261123010203/http://example.org/a", "one"),
                          Pair("20261123010203/http://example.org/d with blanks", "two")));
  EXPECT_EQ(plain.skipped, 0u);
  EXPECT_EQ(read(test::gzip(arc_head()) + test::gzip(file.substr(arc_head().size()))), plain);
  ReaderOptions options;
  options.page_ids = corpora::PageIds::kUrl;
  EXPECT_THAT(read(file, options).ids(),
              ElementsAre("http://example.org/a", "http://example.org/d with blanks"));
}

TEST_F(Arc, TheSecondVersionHasMoreFields) {
  const std::string body = http_response("<p>x", kHtmlType);
  const std::string file =
      "filedesc://test.arc 0.0.0.0 20261123010203 text/plain 200 - - 0 test.arc 7\n2 0 Test\n\n"
      "http://example.org/ 192.0.2.1 20261123010203 text/html 200 checksum - 1234 test.arc " +
      std::to_string(body.size()) + "\n" + body + "\n";
  // The description of the file says 7 bytes but has 9 and an empty line.
  EXPECT_THAT(read(file.substr(file.find("http:"))).ids(),
              ElementsAre("20261123010203/http://example.org/"));
  EXPECT_THAT(message_of<InputError>([&] { read(file); }), HasSubstr("byte 0 "));
}

TEST_F(Arc, LinesAsCrawlersWriteThem) {
  const std::string body = http_response("<p>x", kHtmlType);
  const auto record = [&](const std::string& fields) {
    return "http://example.org/ " + fields + ' ' + std::to_string(body.size()) + '\n' + body + '\n';
  };
  for (const char* date : {"200105041530", "2001050415", "20010504", "20010504153000123"}) {
    EXPECT_THAT(read(record("192.0.2.1 " + std::string(date) + " text/html")).ids(),
                ElementsAre(std::string(date) + "/http://example.org/"));
  }
  for (const char* type :
       {"text/html; charset=utf-8", "no type", "", "text/html;charset=\"a b c\""}) {
    EXPECT_EQ(read(record("192.0.2.1 20010504153000 " + std::string(type))).all.size(), 1u) << type;
  }
  EXPECT_EQ(read(record("2001:db8::1 20010504153000 text/html")).all.size(), 1u);
  EXPECT_EQ(read(record("- 20010504153000 text/html")).all.size(), 1u);
  // The first field that can be a date from the end is it.
  ReaderOptions options;
  options.schema = index::Schema({index::parse_field("date:time")});
  const std::string file =
      record("192.0.2.1 200105041530 text/html") + record("192.0.2.1 20010504 text/html");
  EXPECT_THAT(read(file, options).all,
              ElementsAre(Pair("200105041530/http://example.org/", "x\n#0=2001-05-04T15:30:00Z"),
                          Pair("20010504/http://example.org/", "x\n#0=2001-05-04T00:00:00Z")));
}

TEST_F(Arc, FieldsOfPages) {
  ReaderOptions options;
  options.schema =
      index::Schema({index::parse_field("date:time"), index::parse_field("host:keyword"),
                     index::parse_field("type:keyword")});
  EXPECT_THAT(read(page("http://u@Example.org:80/a", "one"), options).all,
              ElementsAre(Pair("20261123010203/http://u@Example.org:80/a",
                               "one\n#0=2026-11-23T01:02:03Z\n#1=example.org\n#2=text/html")));
}

TEST_F(Arc, AWrongLengthLosesNoNeighbours) {
  const std::string line = "http://example.org/bad 192.0.2.1 20261123010203 text/html 200\n<p>x\n";
  ReaderOptions options;
  options.malformed = corpora::Malformed::kSkip;
  const Documents documents = read(
      line + page("http://example.org/b", "two") + page("http://example.org/c", "three"), options);
  EXPECT_THAT(documents.ids(), ElementsAre("20261123010203/http://example.org/b",
                                           "20261123010203/http://example.org/c"));
  EXPECT_EQ(documents.skipped, 1u);
}

TEST_F(Arc, PagesMayBeginWithAByteOrderMark) {
  EXPECT_THAT(
      read(arc_record("http://example.org/a", "text/html", "\xEF\xBB\xBF<p>x") +
           arc_record("http://example.org/b", "text/html", http_response("\xEF\xBB\xBF<p>y")))
          .all,
      ElementsAre(Pair("20261123010203/http://example.org/a", "x"),
                  Pair("20261123010203/http://example.org/b", "y")));
}

TEST_F(Arc, MalformedRecordsStopOrAreSkipped) {
  const std::string good = page("http://example.org/a", "one");
  const std::string line = "http://example.org/bad 192.0.2.1 20261123010203 text/html ";
  for (const auto& [record, reason] : std::vector<std::pair<std::string, const char*>>{
           {line + "3\n<p>longer than three\n", "but no ARC record begins behind"},
           {line + "-3\n<p>\n", "no ARC record begins here"},
           {"rubbish\n\nmore rubbish\n", "begins"}}) {
    // A record in front: what follows it must be one.
    const std::string file = record + page("http://example.org/b", "two");
    EXPECT_THAT(message_of<InputError>([&] { read(file); }),
                AllOf(HasSubstr("a.arc: the record at byte 0 "), HasSubstr(reason)));
    ReaderOptions options;
    options.malformed = corpora::Malformed::kSkip;
    const Documents documents = read(file, options);
    EXPECT_THAT(documents.ids(), ElementsAre("20261123010203/http://example.org/b"));
    EXPECT_EQ(documents.skipped, 1u);
  }
  EXPECT_THAT(message_of<InputError>([&] { read(good + line + "1000000\n<p>"); }),
              AllOf(HasSubstr("byte " + std::to_string(good.size()) + ' '),
                    HasSubstr("the file ends after 3")));
}

}  // namespace
}  // namespace gannet
