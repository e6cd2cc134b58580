// Dumps of Wikipedia: pages, fields, compression, and files that are broken.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/corpora/wiki_dump.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using test::wiki_end;
using test::wiki_head;
using test::wiki_page;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class Wikipedia : public ::testing::Test {
 protected:
  Documents read(std::string_view file) {
    left_out_ = 0;
    const auto path = directory_.write("dump.xml", file);
    const auto source = corpora::open_documents(DocumentFormat::kWikipedia, {path}, options_);
    Documents documents;
    while (auto raw = source->read()) {
      const auto batch = source->parse(std::move(raw));
      left_out_ += batch->left_out;
      documents.skipped += batch->skipped;
    }
    const Documents all = test::read_all(DocumentFormat::kWikipedia, {path}, options_);
    EXPECT_EQ(all.skipped, documents.skipped);
    return all;
  }
  std::string refused(std::string_view file) {
    return message_of<InputError>([&] { read(file); });
  }

  test::TemporaryDirectory directory_;
  ReaderOptions options_;
  std::uint64_t left_out_ = 0;
};

std::string small_dump() {
  return wiki_head() + wiki_page("1", "Bonn & K\u00F6ln", "'''Bonn''' liegt am [[Rhein]].") +
         wiki_page("2", "Rheinstadt", "#REDIRECT [[Bonn]]", "0",
                   "    <redirect title=\"Bonn\" />\n") +
         wiki_page("3", "Kategorie:Orte", "Orte", "14") +
         wiki_page("4", "Fluss", "Ein [[Datei:a.jpg|mini|Bild]]Fluss.[[Kategorie:Fluss]]") +
         wiki_page("5", "Leer", "{{Vorlage}}") + wiki_end();
}

TEST_F(Wikipedia, ArticlesAreDocuments) {
  EXPECT_THAT(read(small_dump()).all,
              ElementsAre(Pair("1", "Bonn & K\u00F6ln\nBonn liegt am Rhein."),
                          Pair("4", "Fluss\nEin Bild\nFluss."), Pair("5", "Leer")));
  EXPECT_EQ(left_out_, 2u);
  options_.namespaces = {14};
  EXPECT_THAT(read(small_dump()).ids(), ElementsAre("3"));
  EXPECT_EQ(left_out_, 4u);
}

TEST_F(Wikipedia, FieldsAndValues) {
  options_.fields = {"title", "body"};
  options_.schema = index::Schema(
      {index::parse_field("url:keyword"), index::parse_field("date:time"),
       index::parse_field("language:keyword"), index::parse_field("day:date:path=date")});
  EXPECT_THAT(read(wiki_head() + wiki_page("1", "Bonn & K\u00F6ln?", "x")).all,
              ElementsAre(Pair("1",
                               "Bonn & K\u00F6ln?\nx"
                               "\n#0=https://de.wikipedia.org/wiki/Bonn_%26_K%C3%B6ln%3F"
                               "\n#1=2026-11-23T01:02:03Z\n#2=de\n#3=2026-11-23")));
  options_.fields = {"author"};
  EXPECT_THAT(message_of<UsageError>([&] { read(small_dump()); }), HasSubstr("'author'"));
}

TEST_F(Wikipedia, Ids) {
  options_.page_ids = corpora::PageIds::kTitle;
  EXPECT_THAT(read(small_dump()).ids(), ElementsAre("Bonn_&_K\u00F6ln", "Fluss", "Leer"));
  options_.page_ids = corpora::PageIds::kUrl;
  EXPECT_THAT(
      read(small_dump()).ids(),
      ElementsAre("https://de.wikipedia.org/wiki/Bonn_%26_K%C3%B6ln",
                  "https://de.wikipedia.org/wiki/Fluss", "https://de.wikipedia.org/wiki/Leer"));
  EXPECT_THAT(refused(wiki_page("1", "a", "b")), HasSubstr("where the wiki is"));
  EXPECT_THAT(message_of<UsageError>([&] {
                ReaderOptions options;
                options.page_ids = corpora::PageIds::kTitle;
                test::read_all(DocumentFormat::kWarc, {directory_.write("a", "x")}, options);
              }),
              HasSubstr("--page-ids title"));
}

TEST_F(Wikipedia, TheSameHoweverItIsCompressedOrCut) {
  const std::string dump = small_dump();
  const Documents plain = read(dump);
  EXPECT_EQ(read(test::gzip(dump)), plain);
  EXPECT_EQ(read(test::zstd(dump)), plain);
  // Multistream: the head, the pages in several streams, the end.
  const std::size_t first = dump.find("  <page>");
  const std::size_t third = dump.find("  <page>", dump.find("<id>2</id>"));
  const std::string streams = test::bzip2(dump.substr(0, first)) +
                              test::bzip2(dump.substr(first, third - first)) +
                              test::bzip2(dump.substr(third));
  EXPECT_EQ(read(streams), plain);
  for (const std::size_t bytes : {1, 64, 700, 4096}) {
    options_.batch_bytes = bytes;
    EXPECT_EQ(read(dump), plain) << bytes;
    EXPECT_EQ(read(streams), plain) << bytes;
  }
}

TEST_F(Wikipedia, DamagedBzip2) {
  const std::string packed = test::bzip2(small_dump());
  const auto message = [&](const std::string& file) {
    return message_of<FormatError>([&] { read(file); });
  };
  EXPECT_THAT(message(packed.substr(0, packed.size() / 2)),
              AllOf(HasSubstr("dump.xml: "), HasSubstr("too early")));
  std::string damaged = packed;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  EXPECT_THAT(message(damaged), HasSubstr("damaged bzip2 data"));
  EXPECT_THAT(message(packed + "rest"), HasSubstr("other bytes follow the bzip2 data"));
  EXPECT_THAT(refused("BZh9 is no bzip2"), HasSubstr("there is no <page>"));
}

TEST_F(Wikipedia, OldDumpsAndOtherOnes) {
  // Without <ns>, <redirect/> and a head; with several revisions, of which the last one counts.
  const std::string old =
      "<page><title>A</title><id>1</id><revision><id>2</id><text>old</text></revision>"
      "<revision><id>3</id><timestamp>2001-01-01T00:00:00Z</timestamp><text>new</text></revision>"
      "</page><page><title>B</title><id>2</id><revision><text>#redirect [[A]]</text></revision>"
      "</page><page><title>Kategorie:C</title><id>3</id><revision><text/></revision></page>";
  EXPECT_THAT(read(old).all, ElementsAre(Pair("1", "A\nnew"), Pair("3", "Kategorie:C")));
  EXPECT_THAT(read(wiki_head() + old).ids(), ElementsAre("1"));
  // A program is text as it is.
  std::string program = wiki_page("1", "Modul:A", "local a = {{}}", "828");
  program.replace(program.find("text/x-wiki"), 11, "text/plain");
  options_.namespaces = {828};
  EXPECT_THAT(read(program).all, ElementsAre(Pair("1", "Modul:A\nlocal a = {{}}")));
  EXPECT_THAT(read("").all, IsEmpty());
  EXPECT_THAT(read(" \n").all, IsEmpty());
}

TEST_F(Wikipedia, MalformedPagesStopOrAreSkipped) {
  const std::string good = wiki_page("1", "A", "one");
  const std::string last = wiki_page("9", "Z", "last");
  for (const auto& [page, reason] : std::vector<std::pair<std::string, const char*>>{
           {"<page><title>B</title><id>2</id></page>\n", "no <revision>"},
           {"<page><id>2</id><revision><text/></revision></page>\n", "no <title>"},
           {"<page><title>B</title><revision><id>1</id><text/></revision></page>\n", "no <id>"},
           {"<page><title>B</title><ns>x</ns><id>2</id><revision><text/></revision></page>\n",
            "namespace <ns>"},
           {"<page><title>B</title>\n", "<page> without </page>"},
           {"<page><title>B</titel></page>\n", "not well-formed XML: "},
           {"<page><title>&nbsp;</title></page>\n", "not well-formed XML: "},
           {"<page><title>\xff</title></page>\n", "not well-formed XML: "},
           {"<page><title a=\"" + std::string(5000, 'x') + "\"/></page>\n", "4,096 bytes"},
           {"<page>" + test::repeated(300, [](std::size_t) { return "<a>"; }) + "</page>\n",
            "nested deeper"}}) {
    options_ = {};
    const std::string file = wiki_head() + good + page + last + wiki_end();
    const auto before = wiki_head() + good;
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    EXPECT_THAT(refused(file), AllOf(HasSubstr("dump.xml:" + std::to_string(line) + ": "),
                                     HasSubstr(reason), HasSubstr("--on-error skip")))
        << page;
    std::vector<std::string> told;
    options_.malformed = corpora::Malformed::kSkip;
    options_.on_skipped = [&](std::string_view problem) { told.emplace_back(problem); };
    const Documents documents = read(file);
    EXPECT_THAT(documents.ids(), ElementsAre("1", "9")) << page;
    EXPECT_EQ(documents.skipped, 1u) << page;
    ASSERT_EQ(told.size(), 2u);  // it is read twice
    EXPECT_THAT(told[0],
                AllOf(HasSubstr("dump.xml:" + std::to_string(line) + ": "), HasSubstr(reason)));
  }
  options_ = {};
  EXPECT_THAT(refused("{\"id\": 1}\n"), HasSubstr("there is no <page> in this file"));
  EXPECT_THAT(refused("<mediawiki>\n<a></b>\n" + good), HasSubstr("before the first <page>"));
}

/// What stands before the first page is one thing, and is complained of once, also where the end of
/// a page is in it, at which batches might be cut.
TEST_F(Wikipedia, TheEndOfAPageBeforeTheFirstOne) {
  options_.malformed = corpora::Malformed::kSkip;
  for (const std::string head : {"<me></page>\n", "</page>\n</page>\n"}) {
    for (const std::string& pages :
         {wiki_page("1", "A", "one") + wiki_page("2", "B", "two"), std::string("none\n")}) {
      options_.batch_bytes = ReaderOptions{}.batch_bytes;
      const Documents whole = read(head + pages);
      EXPECT_EQ(whole.skipped, 1u);
      for (const std::size_t bytes : {1, 8, 64}) {
        options_.batch_bytes = bytes;
        EXPECT_EQ(read(head + pages), whole) << head << pages << bytes;
      }
    }
  }
}

/// Entities that expand to others, and files outside, are not known.
TEST_F(Wikipedia, NothingIsExpanded) {
  const std::string file =
      "<!DOCTYPE mediawiki [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">"
      "<!ENTITY c SYSTEM \"file:///etc/passwd\">]>\n<mediawiki>\n" +
      std::string(
          "<page><title>A</title><id>1</id><revision><text>&b;&c;</text></revision></page>");
  EXPECT_THAT(refused(file), HasSubstr("not well-formed XML: "));
}

TEST_F(Wikipedia, TimeIsInProportionToTheDumpSlow) {
  options_.malformed = corpora::Malformed::kSkip;
  options_.on_skipped = [](std::string_view) {};
  struct Case {
    std::string head, unit, tail;
  };
  for (const Case& c :
       {Case{"", "<page>", ""}, Case{"", "</page>", ""}, Case{"", "<page></page>\n", ""},
        Case{"<page>", "<a>", "</page>"}, Case{"<page>", "<a b='c'/>", "</page>"},
        Case{"<page><title>", "&amp;", "</title></page>"},
        Case{"<page><title>", "\xc3\xa9", "</title></page>"},
        Case{"<page><title>", "<!--", "</title></page>"},
        Case{"<page><title>", "<![CDATA[", "</title></page>"}, Case{"<page>", "<", "</page>"},
        Case{"<mediawiki>", "<x>a</x>", "<page>"}}) {
    test::expect_nearly_linear(
        c.head + c.unit, 20'000,
        [&](std::size_t n) {
          return directory_.write(
              "dump.xml", c.head + test::repeated(n, [&](std::size_t) { return c.unit; }) + c.tail);
        },
        [&](const std::filesystem::path& path) {
          test::read_all(DocumentFormat::kWikipedia, {path}, options_);
        });
  }
}

}  // namespace
}  // namespace gannet
