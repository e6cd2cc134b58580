// gannet index without --format and --output, as people type it.
#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

#include "corpora/documents/sources/format_guess.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Guess : public ::testing::Test {
 protected:
  Output in_folder(const std::string& line) {
    return shell("unset GANNET_INDEX; cd '" + folder_.path().string() + "'; " + line);
  }
  void file(const std::string& name, std::string_view bytes) { write_file(folder_ / name, bytes); }
  /// The note about an input that has one document.
  std::string said_of(const std::string& words) {
    const Output made = in_folder("$GANNET index " + words + " --output out --overwrite --json");
    EXPECT_EQ(made.code, 0) << words << ": " << made.err;
    if (made.code == 0) {
      EXPECT_EQ(json_at(made.out, "/documents"), "1") << words;
    }
    return json_at(made.err, "/note");
  }
  void expect_unknown(const Output& output, const std::string& what) {
    EXPECT_EQ(output.code, 2) << output.err;
    EXPECT_TRUE(is_one_line(output.err)) << output.err;
    EXPECT_THAT(output.err, AllOf(HasSubstr(what), HasSubstr("jsonl, tsv, csv, trectext"),
                                  HasSubstr("ds2i, ciff")));
  }

  TemporaryDirectory folder_;
};

constexpr std::string_view kOne = "{\"id\": \"a\", \"contents\": \"cat\"}\n";
constexpr std::string_view kVector = "{\"id\": \"a\", \"vector\": {\"cat\": 2, \"dog\": 1}}\n";

TEST_F(Guess, TheNameOfAFileIsEnough) {
  file("docs.jsonl.zst", zstd(kAnimals));
  const Output made = in_folder("$GANNET index docs.jsonl.zst");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "gannet index: format jsonl, output docs.gannet\n");
  EXPECT_EQ(in_folder("$GANNET search docs.gannet --docids swim").out, "d-fish\n");
  const Output again = in_folder("$GANNET index docs.jsonl.zst");
  EXPECT_NE(again.code, 0) << "there is one already";
  EXPECT_EQ(in_folder("$GANNET index docs.jsonl.zst --overwrite -q").err, "");
}

TEST_F(Guess, EndingsSayTheFormatAndNothingElseDoes) {
  for (const auto& [name, text, format] :
       std::vector<std::array<std::string, 3>>{{"a.jsonl", std::string(kOne), "jsonl"},
                                               {"a.JSON", std::string(kOne), "jsonl"},
                                               {"a.ndjson", std::string(kOne), "jsonl"},
                                               {"b.json", std::string(kVector), "json-vectors"},
                                               {"a.tsv", "a\tcat\n", "tsv"},
                                               {"a.csv", "id,text\na,cat\n", "csv"},
                                               {"a.html", "<p>cat", "dir"}}) {
    file(name, text);
    EXPECT_THAT(said_of(name), HasSubstr("format " + format + "\"")) << name;
    file(name + ".gz", gzip(text));
    EXPECT_THAT(said_of(name + ".gz"), HasSubstr("format " + format + "\"")) << name;
  }
}

TEST_F(Guess, ElseTheFirstBytesDo) {
  const std::string trec = "<DOC>\n<DOCNO> a </DOCNO>\n<TEXT>cat</TEXT>\n</DOC>\n";
  const std::string web =
      "<DOC>\n<DOCNO>a</DOCNO>\n<DOCHDR>\nhttp://a.b/\nHTTP/1.1 200 OK\nContent-Type: "
      "text/html\n\n</DOCHDR>\n<p>cat\n</DOC>\n";
  for (const auto& [text, format] :
       std::vector<std::array<std::string, 2>>{{std::string(kOne), "jsonl"},
                                               {"\xef\xbb\xbf" + std::string(kOne), "jsonl"},
                                               {"[" + std::string(kOne) + "]", "jsonl"},
                                               {std::string(kVector), "json-vectors"},
                                               {"a\tcat\n", "tsv"},
                                               {"id,text\r\na,cat\r\n", "csv"},
                                               {"\"id\",\"text\"\na,\"cat, or dog\"\n", "csv"},
                                               {trec, "trectext"},
                                               {web, "trecweb"}}) {
    for (const std::string& bytes : {text, gzip(text), bzip2(text), zstd(text)}) {
      file("mystery", bytes);
      EXPECT_THAT(said_of("mystery"), HasSubstr("format " + format + "\"")) << text;
      EXPECT_THAT(said_of("- < mystery"), HasSubstr("format " + format + "\"")) << text;
      const Output piped = in_folder("cat mystery | $GANNET index - -o piped --overwrite");
      EXPECT_THAT(piped.err, HasSubstr("gannet index: format " + format + "\n")) << text;
      // Vectors are read twice, which no pipe allows.
      EXPECT_EQ(piped.code, format == "json-vectors" ? 2 : 0) << piped.err;
    }
  }
}

TEST(FormatsByContent, KnowsWhatArchivesAndListsBeginWith) {
  using corpora::formats_by_content;
  EXPECT_THAT(formats_by_content("WARC/1.0\r\nWARC-Type: warcinfo\r\n"), ElementsAre("warc"));
  EXPECT_THAT(formats_by_content("WARC/1.1\r\n"), ElementsAre("warc"));
  EXPECT_THAT(formats_by_content("filedesc://x.arc 0.0.0.0 2004"), ElementsAre("arc"));
  EXPECT_THAT(formats_by_content("<mediawiki xmlns=\"http://www.mediawiki.org/xml/\">"),
              ElementsAre("wikipedia"));
  EXPECT_THAT(formats_by_content("<?xml version=\"1.0\"?>\n<mediawiki>"), ElementsAre("wikipedia"));
  EXPECT_THAT(formats_by_content("{\"id\": 1, \"contents\": \"a\", \"vector\": {\"b\": 1}}"),
              ElementsAre("jsonl", "json-vectors"));
  // Members of other objects and texts are no members of the record.
  EXPECT_THAT(formats_by_content("{\"a\": {\"vector\": {}}, \"contents\": \"\\\"vector\\\": {\"}"),
              ElementsAre("jsonl"));
  EXPECT_THAT(formats_by_content("{\"contents\": \"cut in the mid"), ElementsAre("jsonl"));
}

TEST(FormatsByContent, KnowsNothingOfWhatIsNoFormat) {
  using corpora::formats_by_content;
  for (const std::string_view text :
       {"", " ", "\n\n", "a", "A sentence, as people write it.\n", "name,town\nx,y\n", "id\n",
        "<html><p>", "<?xml version=\"1.0\"?><rss>", "[1, 2]", "<", "\x80", "\xff\xff\xff",
        "\x7f"
        "ELF",
        "{", "[", "PK\x03\x04"}) {
    const auto formats = formats_by_content(text);
    if (text == "{") {
      EXPECT_THAT(formats, ElementsAre("jsonl"));
    } else {
      EXPECT_THAT(formats, IsEmpty()) << text;
    }
  }
}

TEST(FormatsByContent, AnyBeginningIsTaken) {
  const std::string text =
      "{\"id\": \"a\\\\\\\"\", \"x\": [1, {\"vector\": 2}], \"contents\": \"b\"}";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    corpora::formats_by_content(std::string_view(text).substr(0, size));
  }
  for (int byte = 0; byte < 256; ++byte) {
    corpora::formats_by_content(std::string(3, static_cast<char>(byte)));
  }
}

TEST_F(Guess, PostingListsAreFoundByWhatTheyAre) {
  index_animals(folder_);
  ASSERT_EQ(in_folder("$GANNET export idx -f ciff -o lists.bin -q").code, 0);
  ASSERT_EQ(in_folder("$GANNET export idx -f ds2i -o lists -q").code, 0);
  const Output ciff = in_folder("$GANNET index lists.bin -o a");
  EXPECT_THAT(ciff.err, HasSubstr("format ciff\n"));
  EXPECT_EQ(ciff.code, 0);
  const Output ds2i = in_folder("$GANNET index lists");
  EXPECT_EQ(ds2i.err, "gannet index: format ds2i, output lists.gannet\n");
  EXPECT_EQ(ds2i.code, 0);
}

TEST_F(Guess, NoByteOfAPipeIsLost) {
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many += "{\"id\": \"" + std::to_string(i) + "\", \"contents\": \"cat number " +
            std::to_string(i) + "\"}\n";
  }
  file("many.jsonl", many);  // more than a pipe holds, and than is looked at
  file("many.gz", gzip(many));
  ASSERT_EQ(in_folder("$GANNET index many.jsonl -o told -f jsonl -q").code, 0);
  for (const std::string from : {"cat many.jsonl", "cat many.gz", "cat many.jsonl | tail -n +1"}) {
    const Output made = in_folder("rm -rf piped; " + from + " | $GANNET index - -o piped");
    EXPECT_EQ(made.err, "gannet index: format jsonl\n");
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(in_folder("diff -r told piped").out, "") << from;
  }
  EXPECT_EQ(in_folder("printf '' | $GANNET index - -o empty").code, 2) << "nothing to tell by";
  EXPECT_EQ(in_folder("$GANNET index - -o folder < .").code, 4);
}

/// What a shell makes of <(command): a pipe that is called /dev/fd/63.
TEST_F(Guess, PipesThatTheShellNamesAreToldByTheirFirstBytes) {
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many += "{\"id\": \"" + std::to_string(i) + "\", \"contents\": \"cat number " +
            std::to_string(i) + "\"}\n";
  }
  file("many.jsonl", many);
  file("a.csv", "id,text\na,cat\n");
  ASSERT_EQ(in_folder("$GANNET index many.jsonl -o told -q").code, 0);
  const auto bash = [&](const std::string& words) {
    return in_folder("export GANNET; bash -c '\"$GANNET\" index " + words + "'");
  };
  const Output made = bash("<(cat many.jsonl) -o piped");
  EXPECT_EQ(made.err, "gannet index: format jsonl\n");
  EXPECT_EQ(made.code, 0);
  EXPECT_EQ(in_folder("diff -r told piped").out, "");
  const Output two = bash("<(head -n 10 many.jsonl) <(tail -n +11 many.jsonl | gzip) -o two");
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(in_folder("diff -r told two").out, "");
  EXPECT_THAT(bash("<(cat a.csv) -o table").err, HasSubstr("format csv\n"));
  expect_unknown(bash("<(echo A sentence.) -o x"), "neither its name nor its first bytes");
  expect_unknown(bash("<(cat a.csv) many.jsonl -o x"), "in several formats");
  const Output nameless = bash("<(cat many.jsonl)");
  EXPECT_EQ(nameless.code, 2);
  EXPECT_THAT(nameless.err, HasSubstr("--output is missing"));
}

TEST_F(Guess, WhatIsUnknownOrAmbiguousListsTheFormats) {
  file("prose.txt", "A sentence, as people write it.\n");
  expect_unknown(in_folder("$GANNET index prose.txt"), "prose.txt: neither its name nor");
  expect_unknown(in_folder("cat prose.txt | $GANNET index - -o x"), "stdin: neither");
  file("empty", "");
  expect_unknown(in_folder("$GANNET index empty"), "empty: neither");
  file("both.jsonl", "{\"id\": \"a\", \"contents\": \"\", \"vector\": {\"b\": 1}}\n");
  expect_unknown(in_folder("$GANNET index both.jsonl"), "may be jsonl or json-vectors");
  EXPECT_EQ(in_folder("$GANNET index both.jsonl -f json-vectors -q").code, 0);
  file("a.tsv", "a\tcat\n");
  file("b.jsonl", kOne);
  expect_unknown(in_folder("$GANNET index a.tsv b.jsonl"), "a.tsv is tsv, b.jsonl is jsonl");
  expect_unknown(in_folder("mkdir mixed; cp a.tsv b.jsonl mixed; $GANNET index mixed"), "several");
  expect_unknown(in_folder("mkfifo pipe; $GANNET index pipe"), "pipe: what a pipe or a device");
  EXPECT_EQ(names_in(folder_.path()).count("prose.gannet"), 0u);
}

TEST_F(Guess, AFolderIsWhatItsFilesAre) {
  ASSERT_EQ(in_folder("mkdir news pages").code, 0);
  file("news/a.jsonl", kOne);
  file("news/b.jsonl.gz", gzip("{\"id\": \"b\", \"contents\": \"dog\"}\n"));
  file("pages/a.txt", "cat");
  file("pages/b.html", "<p>dog");
  EXPECT_EQ(in_folder("$GANNET index news/").err,
            "gannet index: format jsonl, output news.gannet\n");
  EXPECT_EQ(in_folder("$GANNET index pages").err,
            "gannet index: format dir, output pages.gannet\n");
  ASSERT_EQ(in_folder("cd pages; $GANNET index ../news/a.jsonl").code, 0);
  EXPECT_EQ(names_in(folder_ / "pages").count("a.gannet"), 1u) << "in the current folder";
  EXPECT_EQ(in_folder("mkdir none; $GANNET index none").code, 2);
}

TEST_F(Guess, NamesWithoutANameAreRefused) {
  file(".jsonl", kOne);
  const Output hidden = in_folder("$GANNET index .jsonl");
  EXPECT_EQ(hidden.code, 2);
  EXPECT_THAT(hidden.err, HasSubstr("--output is missing"));
  const Output piped = in_folder("cat .jsonl | $GANNET index -");
  EXPECT_EQ(piped.code, 2);
  EXPECT_THAT(piped.err, HasSubstr("--output is missing: stdin has no name"));
}

TEST_F(Guess, OddNamesOfFilesAreNames) {
  for (const std::string name : {"search", "help", "index", "a b.jsonl", "x.v2"}) file(name, kOne);
  EXPECT_THAT(in_folder("$GANNET index search").err, HasSubstr("output search.gannet"));
  EXPECT_THAT(in_folder("$GANNET index help").err, HasSubstr("output help.gannet"));
  EXPECT_THAT(in_folder("$GANNET index index").err, HasSubstr("output index.gannet"));
  EXPECT_THAT(in_folder("$GANNET index 'a b.jsonl'").err, HasSubstr("output a b.gannet"));
  EXPECT_THAT(in_folder("$GANNET index x.v2").err, HasSubstr("output x.v2.gannet"));
  file("-dash.jsonl", kOne);
  const Output dash = in_folder("$GANNET index -- -dash.jsonl");
  EXPECT_EQ(dash.code, 0) << dash.err;
  EXPECT_THAT(dash.err, HasSubstr("output ./-dash.gannet"));
  EXPECT_EQ(in_folder("$GANNET index -dash.jsonl").code, 2) << "no option";
}

TEST_F(Guess, UnreadableInputIsAnErrorThatNamesIt) {
  for (const std::string words : {"nowhere.jsonl", "nowhere", "a.jsonl nowhere.jsonl"}) {
    file("a.jsonl", kOne);
    const Output missing = in_folder("$GANNET index " + words + " -o x");
    EXPECT_EQ(missing.code, 4) << words << missing.err;
    EXPECT_THAT(missing.err, HasSubstr("nowhere"));
  }
  EXPECT_EQ(in_folder("$GANNET index - - -o x < a.jsonl").code, 2);
  EXPECT_THAT(in_folder("$GANNET index - --input - -o x < a.jsonl").err, HasSubstr("named twice"));
  file("cut.gz", gzip(kAnimals).substr(0, 12));
  EXPECT_EQ(in_folder("$GANNET index cut.gz -o x").code, 3);
}

TEST_F(Guess, WhatIsAddedIsGuessedToo) {
  file("a.jsonl", kOne);
  file("b.tsv", "b\tdog\n");
  file("c.tsv", "c\tdog\n");
  ASSERT_EQ(in_folder("$GANNET index a.jsonl -o idx").code, 0);
  const Output added = in_folder("$GANNET add idx b.tsv c.tsv");
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(added.err, "gannet add: format tsv\n");
  EXPECT_EQ(in_folder("printf 'a\\tcow\\n' | GANNET_INDEX=idx $GANNET update -").code, 0);
  EXPECT_EQ(in_folder("$GANNET search idx --docids cow OR dog").out, "b\nc\na\n");
}

}  // namespace
}  // namespace gannet::test
