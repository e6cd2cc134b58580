// gannet index, as a user types it.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/support/compression.hpp"
#include "tests/support/corpora/web_archives.hpp"
#include "tests/support/corpora/wiki_dump.hpp"
#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Index : public ::testing::Test {
 protected:
  Output index(const std::string& format, const std::string& input,
               std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"index", "--input", input, "--format", format, "--output", index_});
    return gannet(std::move(more));
  }
  std::string count(const std::string& query) {
    return gannet({"search", "--index", index_, "--count", query}).out;
  }
  /// Of the documents that are found.
  std::string ids(const std::string& query) {
    return gannet({"search", "--index", index_, "--docids", query}).out;
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string animals_ = folder_ / "animals.jsonl";
};

TEST_F(Index, SaysWhatItBuilt) {
  write_file(animals_, kAnimals);
  const Output made = index("jsonl", animals_);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("4 documents"));
  EXPECT_THAT(made.err, IsEmpty());  // no progress bar in a file
  EXPECT_EQ(count("cats"), "2\n");
}

TEST_F(Index, JsonAndQuiet) {
  write_file(animals_, kAnimals);
  const Output json = index("jsonl", animals_, {"--json"});
  EXPECT_EQ(json_at(json.out, "/documents"), "4");
  EXPECT_EQ(json_at(json.out, "/skipped"), "0");
  EXPECT_THAT(index("jsonl", animals_, {"--quiet", "--overwrite"}).out, IsEmpty());
}

TEST_F(Index, MoreThreadsThanCoresAreNoReasonToTalk) {
  write_file(animals_, kAnimals);
  const Output made = index("jsonl", animals_, {"--threads", "512", "--quiet"});
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.err, IsEmpty());
}

TEST_F(Index, EveryFormatIsRead) {
  write_file(folder_ / "a.tsv", "1\tthe cat\n2\ta dog\n");
  write_file(folder_ / "a.trec",
             "<DOC><DOCNO> 1 </DOCNO><TEXT>the cat</TEXT></DOC>\n"
             "<DOC>\n<DOCNO>2</DOCNO> a dog </DOC>\n");
  std::filesystem::create_directory(folder_ / "dir");
  write_file(folder_ / "dir/1.txt", "the cat");
  write_file(folder_ / "dir/2.html", "<html><title>a</title><p>dog</p></html>");
  write_file(folder_ / "a.warc",
             test::warc_page("1", test::http_response("<p>the cat")) +
                 test::warc_page("2", test::http_response("<title>a</title>dog")));
  write_file(folder_ / "a.arc",
             test::arc_record("http://a/", "text/html", test::http_response("<p>the cat")) +
                 test::arc_record("http://b/", "text/html", test::http_response("<p>a dog")));
  write_file(folder_ / "a.web", test::trec_web_document("1", "http://a/", "the cat") +
                                    test::trec_web_document("2", "http://b/", "<b>a dog"));
  write_file(folder_ / "a.xml", wiki_head() + wiki_page("1", "the", "[[File:a]] ''cat''") +
                                    wiki_page("2", "a", "[[x|dog]]") + wiki_end());
  const std::vector<std::pair<std::string, std::string>> inputs{
      {"tsv", folder_ / "a.tsv"},      {"trectext", folder_ / "a.trec"},
      {"dir", folder_ / "dir"},        {"warc", folder_ / "a.warc"},
      {"arc", folder_ / "a.arc"},      {"trecweb", folder_ / "a.web"},
      {"wikipedia", folder_ / "a.xml"}};
  for (const auto& [format, input] : inputs) {
    const Output made = index(format, input, {"--overwrite"});
    EXPECT_EQ(made.code, 0) << format << ": " << made.err;
    EXPECT_EQ(count("cat"), "1\n") << format;
    EXPECT_EQ(count("cat OR dog"), "2\n") << format;
  }
}

TEST_F(Index, PagesHaveIdsAndFieldsAsAsked) {
  const std::string file = folder_ / "a.warc";
  write_file(file, "rubbish\n" + warc_page("one", http_response("<title>cat</title>dog")) +
                       warc_page("two", http_response("<title>dog</title>cat")));
  const Output stopped = index("warc", file);
  EXPECT_NE(stopped.code, 0);
  EXPECT_THAT(stopped.err, HasSubstr("a.warc: the record at byte "));
  const Output made = index("warc", file,
                            {"--on-error", "skip", "--page-ids", "url", "--fields", "title",
                             "--field", "host:keyword", "--field", "date:date"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("1 malformed record skipped"));
  const auto hits = [&](const std::string& query) {
    return gannet({"search", "--index", index_, query}).out;
  };
  EXPECT_THAT(hits("cat"), HasSubstr("http://one.example.org/"));
  EXPECT_EQ(count("cat"), "1\n");
  EXPECT_EQ(count("dog host:two.example.org"), "1\n");
  EXPECT_THAT(index("warc", file, {"--page-ids", "name"}).err, HasSubstr("--page-ids: 'name'"));
}

TEST_F(Index, PagesOfAWikiAreChosenAndCounted) {
  const std::string file = folder_ / "dump.xml";
  write_file(file, wiki_head() + wiki_page("1", "New York", "a cat") +
                       wiki_page("2", "NYC", "#REDIRECT [[New York]]") +
                       wiki_page("3", "Kategorie:X", "a cat", "14") + wiki_end());
  const Output made = index("wikipedia", file, {"--page-ids", "title", "--field", "url:stored"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("2 records left out"));
  EXPECT_EQ(ids("cat"), "New_York\n");
  EXPECT_EQ(index("wikipedia", file, {"--namespaces", "0,14", "--overwrite"}).code, 0);
  EXPECT_EQ(count("cat"), "2\n");
  EXPECT_THAT(index("wikipedia", file, {"--namespaces", "x"}).err, HasSubstr("--namespaces: 'x'"));
}

/// As MS MARCO has them.
TEST_F(Index, ColumnsAndIdsUnderOtherNames) {
  write_file(folder_ / "docs.tsv", "D1\thttp://a/\tcat\ta dog\nD2\thttp://b/\tdog\tfish\n");
  const Output made = index(
      "tsv", folder_ / "docs.tsv",
      {"--columns", "docid,url,title,body", "--fields", "title,body", "--field", "url:stored"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(ids("cat"), "D1\n");
  write_file(folder_ / "p.jsonl", "{\"pid\": \"p1\", \"passage\": \"a cat\"}\n");
  EXPECT_EQ(index("jsonl", folder_ / "p.jsonl",
                  {"--id-field", "pid", "--fields", "passage", "--overwrite"})
                .code,
            0);
  EXPECT_EQ(ids("cat"), "p1\n");
  EXPECT_EQ(index("jsonl", folder_ / "p.jsonl", {"--columns", "a", "--overwrite"}).code, 2);
}

TEST_F(Index, ParquetIsReadByThePythonPackage) {
  write_file(folder_ / "a.parquet", "PAR1");
  const Output refused = index("parquet", folder_ / "a.parquet");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("gannet.Index.build("));
}

TEST_F(Index, CompressedInputIsRead) {
  write_file(animals_, kAnimals);
  ASSERT_EQ(shell("gzip -k '" + animals_ + "'").code, 0);
  EXPECT_EQ(index("jsonl", animals_ + ".gz").code, 0);
  EXPECT_EQ(count("cat"), "2\n");
  folder_.write("dir/1.txt.gz", gzip("a cat"));
  folder_.write("dir/2.html.bz2", bzip2("<p>a <b>cat"));
  folder_.write("dir/3.md.zst", zstd("a cat"));
  EXPECT_EQ(index("dir", folder_ / "dir", {"--overwrite"}).code, 0);
  EXPECT_EQ(count("cat NOT p"), "3\n");
}

TEST_F(Index, SeveralInputsMakeOneCollection) {
  write_file(folder_ / "1.tsv", "1\tcat\n");
  write_file(folder_ / "2.tsv", "2\tcat\n");
  const Output made = gannet({"index", "--input", folder_ / "1.tsv", folder_ / "2.tsv", "--format",
                              "tsv", "--output", index_});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(count("cat"), "2\n");
}

TEST_F(Index, EveryCodecGivesTheSameAnswers) {
  write_file(animals_, kAnimals);
  const Output version = gannet({"--version", "--json"});
  for (int i = 0; i < 6; ++i) {
    std::string codec = json_at(version.out, "/codecs/" + std::to_string(i));
    codec = codec.substr(1, codec.size() - 2);
    const Output made = index("jsonl", animals_, {"--codec", codec, "--overwrite"});
    EXPECT_EQ(made.code, 0) << codec << ": " << made.err;
    EXPECT_EQ(gannet({"search", "--index", index_, "--docids", "fish"}).out, "d-bird\nd-fish\n")
        << codec;
    EXPECT_EQ(json_at(gannet({"inspect", index_, "--json"}).out, "/docid_codec"),
              '"' + codec + '"');
  }
}

TEST_F(Index, AnalysisOptionsAreRememberedForQueries) {
  write_file(animals_, kAnimals);
  ASSERT_EQ(index("jsonl", animals_, {"--stemmer", "none", "--stop-words", "english"}).code, 0);
  EXPECT_EQ(count("cat"), "2\n");
  EXPECT_EQ(count("cats"), "1\n");
  EXPECT_EQ(count("the"), "0\n");
}

TEST_F(Index, FieldsChooseWhatIsIndexed) {
  write_file(folder_ / "f.jsonl",
             "{\"id\": \"1\", \"title\": \"cat\", \"body\": \"dog\", \"contents\": \"bird\"}\n");
  ASSERT_EQ(index("jsonl", folder_ / "f.jsonl", {"--fields", "title,body"}).code, 0);
  EXPECT_EQ(count("cat"), "1\n");
  EXPECT_EQ(count("dog"), "1\n");
  EXPECT_EQ(count("bird"), "0\n");
}

TEST_F(Index, AMalformedRecordStopsOrIsSkipped) {
  write_file(animals_, std::string(kAnimals) + "{\"id\": \"broken\", \n");
  const Output stopped = index("jsonl", animals_);
  EXPECT_EQ(stopped.code, 3);
  EXPECT_TRUE(is_one_line(stopped.err)) << stopped.err;
  EXPECT_THAT(stopped.err, StartsWith("gannet index: "));
  EXPECT_THAT(stopped.err, HasSubstr("animals.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(index_ + "/manifest.json"));

  const Output skipped = index("jsonl", animals_, {"--on-error", "skip"});
  EXPECT_EQ(skipped.code, 0);
  EXPECT_EQ(skipped.err, "gannet index: 1 malformed record skipped\n");
  EXPECT_EQ(count("cat"), "2\n");
}

TEST_F(Index, FilesOfOtherKindsAreNamedAndListed) {
  const std::filesystem::path docs = folder_ / "docs";
  std::filesystem::create_directory(docs);
  write_file(docs / "a.txt", "cat");
  for (char c = '0'; c < '8'; ++c) write_file(docs / (std::string{c} + ".pdf"), "%PDF");
  const std::string list = folder_ / "list.txt";
  const Output made = index("dir", docs, {"--skipped", list, "--json"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(json_at(made.out, "/documents"), "1");
  EXPECT_EQ(json_at(made.out, "/skipped"), "0");
  EXPECT_EQ(json_at(made.out, "/left_out"), "8");
  EXPECT_THAT(made.err, HasSubstr("left out files with endings that dir does not read: .pdf (8)"));
  EXPECT_THAT(made.err, Not(HasSubstr("malformed")));
  const std::string listed = read_file(list);
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 8);
  EXPECT_THAT(listed, HasSubstr((docs / "7.pdf").string() + ": left out for its ending"));
}

TEST_F(Index, TheEncodingOfTheInputIsNamed) {
  const std::string table = folder_ / "a.csv";
  write_file(table, "id,text\n1,caf\xe9\n");
  const Output stopped = index("csv", table);
  EXPECT_EQ(stopped.code, 3);
  EXPECT_THAT(stopped.err, HasSubstr("a.csv:2: column 'text': byte 4 (0xe9) is not UTF-8"));
  EXPECT_THAT(stopped.err, HasSubstr("--encoding"));
  EXPECT_EQ(index("csv", table, {"--encoding", "latin1"}).code, 0);
  EXPECT_EQ(count("caf\u00E9"), "1\n");
  EXPECT_EQ(index("csv", table, {"--encoding", "klingon", "--overwrite"}).code, 2);
  EXPECT_EQ(index("warc", table, {"--encoding", "latin1", "--overwrite"}).code, 2);
}

TEST_F(Index, AnIndexIsReplacedOnlyIfAsked) {
  write_file(animals_, kAnimals);
  ASSERT_EQ(index("jsonl", animals_).code, 0);
  const Output refused = index("jsonl", animals_);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(is_one_line(refused.err)) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("overwrite"));
  EXPECT_EQ(index("jsonl", animals_, {"--overwrite"}).code, 0);
}

TEST_F(Index, AFolderOfSomethingElseIsLeftAlone) {
  write_file(animals_, kAnimals);
  std::filesystem::create_directory(index_);
  for (const std::string name : {"holiday.mp4", "manifest.json", "segment-00000001.text"}) {
    const std::filesystem::path file = std::filesystem::path(index_) / name;
    write_file(file, "mine");
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--overwrite"}}) {
      const Output made = index("jsonl", animals_, more);
      EXPECT_EQ(made.code, 2) << name << made.err;
      EXPECT_THAT(made.err, HasSubstr(index_));
      EXPECT_EQ(read_file(file), "mine");
      EXPECT_EQ(names_in(index_), (std::set<std::string>{name}));
    }
    std::filesystem::remove(file);
  }
}

TEST_F(Index, WrongOptionsAreUsageErrors) {
  write_file(animals_, kAnimals);
  const std::vector<std::vector<std::string>> wrong{{"--codec", "gpu-bp182"},
                                                    {"--stemmer", "klingon"},
                                                    {"--memory", "lots"},
                                                    {"--on-error", "ignore"},
                                                    {"--tokenizer", "clever"},
                                                    {"--stop-words", "all"},
                                                    {"--k1=-1"},
                                                    {"--k1", "2e9"},
                                                    {"--k1", "nan"},
                                                    {"--b", "1.5"},
                                                    {"--fields", ","},
                                                    {"--freq-codec", "zip"}};
  for (const auto& options : wrong) {
    const Output refused = index("jsonl", animals_, options);
    EXPECT_EQ(refused.code, 2) << options[0];
    EXPECT_TRUE(is_one_line(refused.err)) << refused.err;
  }
  EXPECT_THAT(index("jsonl", animals_, {"--codec", "gpu-bp182"}).err,
              HasSubstr("did you mean 'gpu-bp1"));
  EXPECT_EQ(index("pdf", animals_).code, 2);
}

/// Needs no other option, and says what it leaves out.
TEST_F(Index, VerbatimTermsNeedNoOtherOption) {
  write_file(animals_, kAnimals);
  const Output made = index("jsonl", animals_, {"--tokenizer", "verbatim"});
  EXPECT_EQ(made.code, 0) << made.err;
  const std::vector<std::vector<std::string>> wrong{
      {"--stemmer", "english"}, {"--stop-words", "english"}, {"--fold-accents"}};
  for (std::vector<std::string> options : wrong) {
    const std::string name = options.front();
    options.insert(options.end(), {"--tokenizer", "verbatim", "--overwrite"});
    const Output refused = index("jsonl", animals_, options);
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_THAT(refused.err, AllOf(HasSubstr(name + ":"), HasSubstr("--tokenizer verbatim")));
  }
  EXPECT_THAT(gannet({"index", "--help"}).out, HasSubstr("so without phrases"));
}

TEST_F(Index, AMissingInputIsAnIoError) {
  const Output missing = index("jsonl", folder_ / "nowhere.jsonl");
  EXPECT_EQ(missing.code, 4);
  EXPECT_TRUE(is_one_line(missing.err)) << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("nowhere.jsonl"));
}

TEST_F(Index, ThreadsAndMemoryDoNotChangeTheBytes) {
  const std::string input = folder_ / "synthetic.jsonl";
  const std::string documents = std::to_string(long_work(20'000));
  ASSERT_EQ(gannet({"generate", "--documents", documents, "--output", input}).code, 0);
  ASSERT_EQ(index("jsonl", input, {"--threads", "1"}).code, 0);
  std::filesystem::rename(index_, folder_ / "one");
  ASSERT_EQ(index("jsonl", input, {"--threads", "4", "--memory", "64M"}).code, 0);
  EXPECT_EQ(shell("diff -r '" + (folder_ / "one").string() + "' '" + index_ + "'").code, 0);
}

/// Tests of builds that end early: an old index of four documents, and a big collection.
class Interruption : public Index {
 protected:
  void SetUp() override {
    write_file(animals_, kAnimals);
    ASSERT_EQ(index("jsonl", animals_).code, 0);
    ASSERT_EQ(gannet({"generate", "--documents", generated_, "--output", big_}).code, 0);
  }
  Process start() {
    return Process({test::kCommand, "index", "--input", big_, "--format", "jsonl", "--output",
                    index_, "--overwrite", "--threads", "1"},
                   {});
  }
  std::string documents() {
    return json_at(gannet({"inspect", index_, "--json"}).out, "/documents");
  }

  std::string generated_ = std::to_string(long_work(40'000));
  std::string big_ = folder_ / "big.jsonl";
};

std::size_t file_count(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    count += entry.is_regular_file() ? 1 : 0;
  }
  return count;
}

TEST_F(Interruption, KillLeavesAnIndexThatIsSound) {
  bool killed_in_time = false;
  for (const int milliseconds : {10, 50, 150, 300, 600}) {
    Process build = start();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    build.signal(SIGKILL);
    const bool killed = build.wait().code == 128 + SIGKILL;
    EXPECT_EQ(gannet({"verify", index_}).code, 0);
    const std::string now = documents();
    if (killed && now == "4") killed_in_time = true;
    if (now != "4") {
      EXPECT_EQ(now, generated_);  // it was quicker than the signal
      ASSERT_EQ(index("jsonl", animals_, {"--overwrite"}).code, 0);
    }
  }
  EXPECT_TRUE(killed_in_time);

  // What killed builds left behind does not stop the next one, and does not stay.
  ASSERT_EQ(index("jsonl", animals_, {"--overwrite"}).code, 0);
  const std::size_t files = file_count(index_);
  std::filesystem::remove_all(index_);
  ASSERT_EQ(index("jsonl", animals_).code, 0);
  EXPECT_EQ(files, file_count(index_));
}

TEST_F(Interruption, CtrlCLeavesTheOldIndex) {
  Process build = start();
  // A busy machine takes a while to start it, and until then a signal just ends it.
  while (build.running() && !std::filesystem::exists(index_ + "/gannet-scratch.tmp")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  build.signal(SIGINT);
  const Output ended = build.wait();
  EXPECT_EQ(ended.code, 130);
  EXPECT_EQ(ended.err, "gannet index: interrupted\n");
  EXPECT_EQ(documents(), "4");
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
}

}  // namespace
}  // namespace gannet::test
