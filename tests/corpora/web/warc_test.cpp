// WARC: which records are pages, ids, encodings, codings, and files that lie.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/corpora/web_archives.hpp"
#include "tests/support/corpora/zstd_dictionary.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::Malformed;
using corpora::PageIds;
using corpora::ReaderOptions;
using test::Documents;
using test::http_response;
using test::kHtmlType;
using test::message_of;
using test::warc_page;
using test::warc_record;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Warc : public ::testing::Test {
 protected:
  Documents read(std::string_view file, const ReaderOptions& options = {}) {
    return test::read_all(DocumentFormat::kWarc, {directory_.write("a.warc", file)}, options);
  }
  Documents skip(std::string_view file) {
    ReaderOptions options;
    options.malformed = Malformed::kSkip;
    return read(file, options);
  }
  std::string complaint(std::string_view file) {
    return message_of<InputError>([&] { read(file); });
  }
  /// The text of the one page that a server answered with.
  std::string text_of(std::string_view response) {
    const Documents documents = read(warc_page("a", response));
    return documents.all.size() == 1 ? documents.all[0].second : "not one page";
  }
  test::TemporaryDirectory directory_;
};

std::string page_of_words(std::string_view id, std::string_view word) {
  return warc_page(id,
                   http_response("<title>T</title><p>" + std::string(word) + "</p>", kHtmlType));
}

TEST_F(Warc, PagesAreResponsesResourcesAndConversions) {
  const std::string id = "WARC-Record-ID: <urn:uuid:x>\r\nContent-Type: ";
  const std::string file =
      warc_record("warcinfo", "Content-Type: application/warc-fields\r\n", "software: x\r\n") +
      warc_record("request", id + "application/http\r\n", "GET / HTTP/1.1\r\n\r\n") +
      page_of_words("a", "one") + warc_record("metadata", id + "text/plain\r\n", "no") +
      warc_record("resource", "WARC-Record-ID: <urn:b>\r\nContent-Type: text/html\r\n", "<b>two") +
      warc_record("conversion", "WARC-Record-ID: <urn:c>\r\nContent-Type: text/plain\r\n", "<3\n") +
      warc_record("revisit", id + "application/http\r\n", "HTTP/1.1 200 OK\r\n\r\n");
  const Documents documents = read(file);
  EXPECT_THAT(documents.all, ElementsAre(Pair("urn:uuid:a", "T\none"), Pair("urn:b", "two"),
                                         Pair("urn:c", "<3\n")));
  EXPECT_EQ(documents.skipped, 0u);
}

TEST_F(Warc, WhatIsNoTextIsNoPage) {
  EXPECT_EQ(
      read(warc_page("a", http_response("<p>x", kHtmlType, "404 Not Found")) +
           warc_page("b", http_response("\x89PNG", "Content-Type: image/png\r\n")) +
           warc_page("c", http_response("\x89PNG")) +
           warc_record("response", "WARC-Record-ID: <d>\r\nContent-Type: text/dns\r\n", "dns")),
      Documents());
  EXPECT_EQ(text_of(http_response(" <p>x")), "x");
}

TEST_F(Warc, TypesMayBeCarelessOrMissing) {
  for (const char* type : {"text/html charset=utf-8", "\"text/html\"", "'text/html'; charset=utf-8",
                           "text/html, text/html", "unknown/unknown", "application/unknown", "*/*",
                           "TEXT/HTML;charset=utf-8"}) {
    const std::string header = "Content-Type: " + std::string(type) + "\r\n";
    EXPECT_EQ(text_of(http_response("<p>caf\u00E9", header)), "caf\u00E9") << type;
  }
  EXPECT_EQ(text_of(http_response("<p>\xD5", "Content-Type: text/html charset=koi8-r\r\n")),
            "\u0443");
  // Without a type: a mark before the markup, and text.
  EXPECT_EQ(text_of(http_response("\xEF\xBB\xBF <html><p>x")), "x");
  EXPECT_EQ(text_of(http_response(std::string("\xFF\xFE<\0p\0>\0x\0", 10))), "x");
  EXPECT_EQ(text_of(http_response("Words <p>first")), "Words <p>first");
  EXPECT_EQ(text_of(http_response("%PDF-1.4 text")), "not one page");
  EXPECT_EQ(text_of(http_response(std::string("x\0y", 3))), "not one page");
  EXPECT_EQ(text_of(http_response("")), "not one page");
  // ClueWeb22's pages alone, with a mark.
  EXPECT_EQ(text_of("\xEF\xBB\xBF<p>x"), "x");
}

TEST_F(Warc, IdsAreThoseOfTheCollection) {
  const std::string file =
      warc_page("a", http_response("<p>x"), "WARC-TREC-ID: clueweb09-en0000-00-00000\r\n") +
      warc_page("b", http_response("<p>x"), "clueweb22-ID: clueweb22-en0000-00-00001\r\n") +
      warc_page("c", http_response("<p>x"));
  EXPECT_THAT(read(file).ids(),
              ElementsAre("clueweb09-en0000-00-00000", "clueweb22-en0000-00-00001", "urn:uuid:c"));
  ReaderOptions options;
  options.page_ids = PageIds::kRecord;
  EXPECT_THAT(read(file, options).ids(), ElementsAre("urn:uuid:a", "urn:uuid:b", "urn:uuid:c"));
  options.page_ids = PageIds::kUrl;
  EXPECT_THAT(
      read(file, options).ids(),
      ElementsAre("http://a.example.org/", "http://b.example.org/", "http://c.example.org/"));
}

TEST_F(Warc, LinesMayEndWithoutCarriageReturns) {  // ClueWeb09
  EXPECT_THAT(read("WARC/0.18\nWARC-Type: response\nWARC-TREC-ID: x\nContent-Length: 25\n\n"
                   "HTTP/1.1 200 OK\n\n<p>text\n\n")
                  .all,
              ElementsAre(Pair("x", "text")));
}

TEST_F(Warc, TransferAndContentCodingsAreUndone) {
  const std::string html = "<p>" + std::string(100'000, 'w');
  const std::string text(100'000, 'w');
  const std::string chunks = "Transfer-Encoding: chunked\r\n" + std::string(kHtmlType);
  const std::string zip = "Content-Encoding: gzip\r\n" + std::string(kHtmlType);
  EXPECT_EQ(text_of(http_response(test::chunked(html, 999), chunks)), text);
  EXPECT_EQ(text_of(http_response(test::gzip(html), zip)), text);
  EXPECT_EQ(text_of(http_response(test::chunked(test::gzip(html), 7),
                                  chunks + "Content-Encoding: gzip\r\n")),
            text);
  EXPECT_EQ(text_of(http_response(test::zstd(html), "Content-Encoding: zstd\r\n")), text);
  // Raw deflate and zlib's: the stream of gzip without its header and trailer.
  const std::string gzip = test::gzip(html);
  EXPECT_EQ(text_of(http_response(gzip.substr(10), "Content-Encoding: deflate\r\n")), text);
  // As a coding of the transfer.
  for (const auto& [codings, body] : std::vector<std::pair<std::string, std::string>>{
           {"gzip, chunked", test::chunked(gzip, 99)}, {"gzip", gzip}, {"gzip,chunked", gzip}}) {
    EXPECT_EQ(text_of(http_response(
                  body, std::string(kHtmlType) + "Transfer-Encoding: " + codings + "\r\n")),
              text)
        << codings;
  }
  // Two codings, the last one outside.
  EXPECT_EQ(text_of(http_response(test::zstd(gzip), "Content-Encoding: gzip, zstd\r\n")), text);
}

TEST_F(Warc, BodiesThatWereDecodedAlreadyStayAsTheyAre) {
  for (const char* header : {"Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n",
                             "Content-Encoding: deflate\r\n", "Content-Encoding: zstd\r\n"}) {
    EXPECT_EQ(text_of(http_response("<p>plain", header)), "plain") << header;
  }
}

TEST_F(Warc, WhatIsNoCodingChangesNothing) {
  for (const char* coding : {"utf-8", "UTF-8", "iso-8859-1", "none", "text/html", "8bit", "", ",",
                             "identity, utf-8", "rot13"}) {
    const std::string header = "Content-Encoding: " + std::string(coding) + "\r\n";
    EXPECT_EQ(text_of(http_response("<p>caf\u00E9", std::string(kHtmlType) + header)), "caf\u00E9")
        << coding;
  }
  EXPECT_EQ(text_of(http_response(test::gzip("<p>x"), "Content-Encoding: utf-8, gzip\r\n")), "x");
}

TEST_F(Warc, HeadersMayBeFoldedAndHaveBlanksBeforeColons) {
  EXPECT_EQ(text_of(http_response(test::gzip("<p>\xD5"),
                                  "Content-Encoding : gzip\r\n"
                                  "Content-Type: text/html;\r\n\tcharset=koi8-r\r\n")),
            "\u0443");
  EXPECT_EQ(text_of(http_response("<p>\xD5",
                                  "X-A: 1\n b\nCONTENT-TYPE:text/html;\n  "
                                  "charset=\n \"koi8-r\"\n")),
            "\u0443");
}

TEST_F(Warc, RecordsAsToolsWriteThem) {
  // wget: brackets around the URL. ArchiveSpark: one line end between records, or none.
  std::string wget = page_of_words("a", "one");
  wget.replace(wget.find("http://a.example.org/"), 21, "<http://a.example.org/>");
  const std::string tight = wget.substr(0, wget.size() - 2) + page_of_words("b", "two");
  ReaderOptions options;
  options.page_ids = PageIds::kUrl;
  EXPECT_THAT(read(tight, options).ids(),
              ElementsAre("http://a.example.org/", "http://b.example.org/"));
  EXPECT_EQ(read(wget.substr(0, wget.size() - 4) + page_of_words("b", "two")).all.size(), 2u);
  // Bodies that were cut off, and padding behind members of gzip.
  const std::string cut =
      warc_page("c", http_response("<p>three <b", kHtmlType), "WARC-Truncated: length\r\n");
  EXPECT_THAT(
      read(test::gzip(page_of_words("a", "one")) + std::string(512, '\0') + test::gzip(cut)).all,
      ElementsAre(Pair("urn:uuid:a", "T\none"), Pair("urn:uuid:c", "three ")));
}

TEST_F(Warc, BodiesThatEndEarlyGiveWhatIsThere) {
  const std::string html = "<p>" + std::string(100'000, 'w');
  const std::string chunks = test::chunked(html, 60'000);
  // Two lines with sizes, one line end between the chunks, <p>.
  EXPECT_EQ(text_of(http_response(chunks.substr(0, 70'000), "Transfer-Encoding: chunked\r\n")),
            std::string(70'000 - 6 - 2 - 6 - 3, 'w'));
  const std::string gzip = test::gzip(html);
  const std::string half =
      text_of(http_response(gzip.substr(0, gzip.size() / 2), "Content-Encoding: gzip\r\n"));
  EXPECT_GT(half.size(), 1000u);
  EXPECT_EQ(half.find_first_not_of('w'), std::string::npos);
}

TEST_F(Warc, DamagedAndUnknownCodingsAreMalformed) {
  std::string gzip = test::gzip("<p>" + std::string(1000, 'w'));
  gzip[gzip.size() - 6] ^= 1;  // the checksum
  const std::string zip = "Content-Encoding: gzip\r\n";
  EXPECT_THAT(complaint(warc_page("a", http_response(gzip, zip))),
              AllOf(HasSubstr("a.warc: the record at byte 0 "), HasSubstr("damaged")));
  EXPECT_THAT(complaint(warc_page(
                  "a", http_response("x", std::string(kHtmlType) + "Content-Encoding: br\r\n"))),
              HasSubstr("'br'; known are gzip, deflate and zstd"));
  EXPECT_EQ(skip(warc_page("a", http_response(gzip, zip))).skipped, 1u);
}

TEST_F(Warc, BombsAreBounded) {
  ReaderOptions options;
  options.max_record_bytes = 100'000;
  std::string bomb(10'000'000, 'w');
  for (const std::string& packed : {test::gzip(bomb), test::zstd(bomb)}) {
    const std::string name = packed[0] == '\x1f' ? "gzip" : "zstd";
    const std::string file = warc_page(
        "a", http_response(packed, std::string(kHtmlType) + "Content-Encoding: " + name + "\r\n"));
    EXPECT_THAT(message_of<InputError>([&] { read(file, options); }),
                HasSubstr("more than 100000 bytes when it is decompressed"));
  }
}

TEST_F(Warc, WhatOneRecordUnfoldsToRefusesNoOther) {
  ReaderOptions options;
  options.max_record_bytes = 100'000;
  std::string file;
  for (const std::string id : {"a", "b", "c"}) {
    file += warc_page(id, http_response(test::gzip(std::string(80'000, 'w')),
                                        "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n"));
  }
  const Documents whole = read(file, options);
  EXPECT_EQ(whole.all.size(), 3u);
  options.batch_bytes = 1;
  EXPECT_EQ(read(file, options), whole);
}

TEST_F(Warc, CharsetsComeFromTheServerFirst) {
  const std::string word = "caf\xC3\xA9";
  const auto with = [](std::string_view charset) {
    return "Content-Type: text/html; charset=" + std::string(charset) + "\r\n";
  };
  EXPECT_EQ(text_of(http_response("<meta charset=utf-8>\xD5", with("\"koi8-r\""))), "\xD1\x83");
  EXPECT_EQ(text_of(http_response("<meta charset=koi8-r>\xD5", with("klingon"))), "\xD1\x83");
  EXPECT_EQ(text_of(http_response("\xEF\xBB\xBF" + word, with("koi8-r"))), word);
  EXPECT_EQ(text_of(http_response("caf\xE9", "Content-Type: text/plain; charset=latin1\r\n")),
            word);
  EXPECT_EQ(text_of(http_response("<meta charset=koi8-r> caf\xE9", "Content-Type: text/plain\r\n")),
            "<meta charset=koi8-r> " + word);
}

TEST_F(Warc, CompressedFilesAndTheirDictionary) {
  const std::string a = page_of_words("a", "one");
  const std::string b = page_of_words("b", "two");
  const Documents plain = read(a + b);
  EXPECT_EQ(plain.all.size(), 2u);
  EXPECT_EQ(read(test::gzip(a) + test::gzip(b)), plain);
  EXPECT_EQ(read(test::zstd(a) + test::zstd(b)), plain);
  // The file's first frame has the dictionary, plain or compressed.
  for (const bool packed : {false, true}) {
    const auto made = test::with_dictionary({a, b}, packed);
    const std::string head = made.first;
    const std::string frames = made.second;
    EXPECT_EQ(read(head + frames), plain) << packed;
    EXPECT_THAT(message_of<FormatError>([&] { read(frames); }), HasSubstr("damaged zstd data"));
    EXPECT_THAT(message_of<FormatError>([&] { read(head.substr(0, head.size() - 9)); }),
                HasSubstr("ends too early"));
  }
  const std::string gzip = test::gzip(a + b);
  EXPECT_THAT(message_of<FormatError>([&] { read(gzip.substr(0, gzip.size() / 2)); }),
              HasSubstr("ends too early"));
}

TEST_F(Warc, FieldsOfPages) {
  ReaderOptions options;
  options.fields = {"title", "body"};
  options.schema = index::Schema(
      {index::parse_field("url:keyword"), index::parse_field("site:keyword:path=host"),
       index::parse_field("date:time"), index::parse_field("day:date:path=date"),
       index::parse_field("type:keyword"), index::parse_field("language:keyword:multi")});
  const std::string response = http_response("<title> T </title><p>x", kHtmlType);
  EXPECT_THAT(
      read(warc_page("A", response, "WARC-Identified-Content-Language: eng,deu\r\n"), options).all,
      ElementsAre(Pair("urn:uuid:A",
                       "T\nx\n#0=http://A.example.org/\n#1=a.example.org\n"
                       "#2=2026-11-23T01:02:03Z\n#3=2026-11-23\n#4=text/html\n#5=eng\n"
                       "#5=deu")));
  options.fields = {"author"};
  EXPECT_THAT(message_of<UsageError>([&] { read("", options); }), HasSubstr("'author'"));
}

TEST_F(Warc, ADateThatIsNoneIsMissing) {  // ClueWeb09 has the 65th of March
  ReaderOptions options;
  options.schema = index::Schema({index::parse_field("date:time")});
  const std::string record = warc_record("resource",
                                         "WARC-Record-ID: <x>\r\nContent-Type: text/plain\r\n"
                                         "WARC-Date: 2009-03-65T08:43:19-0800\r\n",
                                         "text");
  EXPECT_THAT(read(record, options).all, ElementsAre(Pair("x", "text")));
}

struct BadRecord {
  const char* name;
  std::string record;
  const char* reason;
};

class MalformedWarc : public Warc, public ::testing::WithParamInterface<BadRecord> {};

TEST_P(MalformedWarc, StopsOrSkips) {
  const std::string before = page_of_words("a", "one");
  const std::string file = before + GetParam().record + page_of_words("b", "two");
  EXPECT_THAT(complaint(file),
              AllOf(HasSubstr("a.warc: the record at byte " + std::to_string(before.size()) + ' '),
                    HasSubstr(GetParam().reason)));
  const Documents documents = skip(file);
  EXPECT_THAT(documents.ids(), ElementsAre("urn:uuid:a", "urn:uuid:b"));
  EXPECT_EQ(documents.skipped, 1u);
}

std::string wrong_length(const char* length) {
  return "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: " + std::string(length) +
         "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>text\r\n\r\n";
}

INSTANTIATE_TEST_SUITE_P(
    Records, MalformedWarc,
    ::testing::Values(
        BadRecord{"TooShort", wrong_length("20"), "no WARC record begins behind them"},
        BadRecord{"Negative", wrong_length("-1"), "'-1' is no Content-Length"},
        BadRecord{"Huge", wrong_length("99999999999999999999"), "is no Content-Length"},
        BadRecord{"None", "WARC/1.1\r\nWARC-Type: response\r\n\r\nx\r\n\r\n",
                  "has no Content-Length"},
        BadRecord{"LongLine",
                  "WARC/1.1\r\nX: " + std::string(70'000, 'x') + "\r\nContent-Length: 0\r\n\r\n",
                  "a line of a record's header"},
        BadRecord{"NoId", warc_record("resource", "Content-Type: text/html\r\n", "<p>x"),
                  "no WARC-Record-ID"},
        BadRecord{
            "NoHttp",
            warc_record("response", "WARC-Record-ID: <x>\r\nContent-Type: application/http\r\n",
                        "gopher"),
            "does not begin with HTTP/"}),
    [](const auto& record) { return std::string(record.param.name); });

TEST_F(Warc, ALengthBeyondTheEndOfTheFile) {
  for (const char* type : {"response", "request"}) {
    const std::string record = "WARC/1.1\r\nWARC-Type: " + std::string(type) +
                               "\r\nContent-Length: 1000000000000\r\n\r\nHTTP/1.1 200 OK";
    EXPECT_THAT(complaint(page_of_words("a", "one") + record),
                HasSubstr("but the file ends after 15"));
    const Documents documents = skip(page_of_words("a", "one") + record);
    EXPECT_THAT(documents.ids(), ElementsAre("urn:uuid:a"));
    EXPECT_EQ(documents.skipped, 1u);
  }
}

/// A length that covers other records, or parts of them, costs its own record alone.
TEST_F(Warc, AWrongLengthLosesNoNeighbours) {
  const auto with_length = [](std::string record, std::size_t more) {
    const std::size_t at = record.find("Content-Length: ") + 16;
    const std::size_t end = record.find("\r\n", at);
    const std::size_t length = std::stoul(record.substr(at, end - at)) + more;
    return record.replace(at, end - at, std::to_string(length));
  };
  const std::string request = warc_record("request", "", "GET / HTTP/1.1\r\n\r\n");
  const std::string page = page_of_words("x", "x");
  const std::string rest = page_of_words("b", "two") + page_of_words("c", "three");
  for (const std::string& record : {request, page}) {
    for (std::size_t more = 5; more < rest.size() + 100; more += 7) {
      // A record's end confirms any length.
      const std::string behind = rest + page_of_words("d", "four");
      const std::string next = behind.substr(std::min(more - 4, behind.size()));
      if (next.substr(std::min(next.find_first_not_of("\r\n"), next.size())).starts_with("WARC/"))
        continue;
      const std::string file =
          page_of_words("a", "one") + with_length(record, more) + rest + page_of_words("d", "four");
      const Documents documents = skip(file);
      EXPECT_THAT(documents.ids(),
                  ElementsAre("urn:uuid:a", "urn:uuid:b", "urn:uuid:c", "urn:uuid:d"))
          << more;
      EXPECT_EQ(documents.skipped, 1u) << more;
    }
  }
}

/// What is too large to be kept is lost, and counted.
TEST_F(Warc, RecordsThatAHugeLengthCoversAreCounted) {
  const std::string huge =
      "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 1000000000000\r\n\r\nx\r\n\r\n";
  const std::string file =
      page_of_words("a", "one") + huge + page_of_words("b", "two") + page_of_words("c", "three");
  EXPECT_THAT(complaint(file), HasSubstr("; 2 that begin in them are lost"));
  const Documents documents = skip(file);
  EXPECT_THAT(documents.ids(), ElementsAre("urn:uuid:a"));
  EXPECT_EQ(documents.skipped, 3u);
}

/// To read the same bytes again and again would take quadratic time.
TEST_F(Warc, ManyWrongLengthsTakeLinearTime) {
  const std::string record =
      "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 200000\r\n\r\nx\r\n\r\n";
  std::string file;
  for (int i = 0; i < 20'000; ++i) file += record;
  EXPECT_EQ(skip(file).skipped, 20'000u);
}

TEST_F(Warc, RecordsBeyondTheLimitArePassedOver) {
  ReaderOptions options;
  options.max_record_bytes = 1000;
  options.malformed = Malformed::kSkip;
  const std::string large(100'000, 'x');
  const Documents documents =
      read(page_of_words("a", "one") + warc_page("b", http_response(large)) +
               warc_record("metadata", "", large) + page_of_words("c", "three"),
           options);
  EXPECT_THAT(documents.ids(), ElementsAre("urn:uuid:a", "urn:uuid:c"));
  EXPECT_EQ(documents.skipped, 1u);  // the metadata are nobody's business
}

TEST_F(Warc, WhatIsNoArchive) {
  EXPECT_THAT(complaint("{\"id\": 1}\n"), HasSubstr("byte 0 "));
  EXPECT_THAT(complaint(std::string(1'000'000, 'x')), HasSubstr("no WARC record begins here"));
  EXPECT_THAT(complaint("WARC/1.1\r\nWARC-Type: resp"), HasSubstr("ends within"));
  EXPECT_EQ(read("\r\n\r\n"), Documents());
  // A first line that has no end: the file's, or none for long.
  for (const std::string& line : {std::string("WARC/1."), "WARC/" + std::string(200'000, 'x')}) {
    EXPECT_EQ(skip(page_of_words("a", "one") + line).skipped, 1u);
    EXPECT_THAT(skip(page_of_words("a", "one") + line + "\n" + page_of_words("b", "two")).ids(),
                ElementsAre("urn:uuid:a", "urn:uuid:b"));
  }
}

TEST_F(Warc, BatchesDoNotMatter) {
  std::string file;
  for (int i = 0; i < 300; ++i) {
    file += page_of_words(std::to_string(i), "text" + std::to_string(i));
    if (i % 50 == 0) file += "rubbish\n" + warc_record("metadata", "", "x");
  }
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  const Documents whole = read(file, options);
  EXPECT_EQ(whole.all.size(), 294u);  // rubbish leaves the length before it unconfirmed
  EXPECT_EQ(whole.skipped, 6u);
  for (const std::size_t batch : {1u, 100u, 1000u}) {
    options.batch_bytes = batch;
    EXPECT_EQ(read(file, options), whole) << batch;
  }
}

}  // namespace
}  // namespace gannet
