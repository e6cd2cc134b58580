// MS MARCO's and BEIR's layouts: collections, judgements and runs.
#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/topics/topics.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::DocumentFormat;
using corpora::ReaderOptions;
using test::Documents;
using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class MsMarco : public ::testing::Test {
 protected:
  Documents read(DocumentFormat format, std::string_view file) {
    return test::read_all(format, {directory_.write("file", file)}, options_);
  }
  std::string refused(DocumentFormat format, std::string_view file) {
    return message_of<InputError>([&] { read(format, file); });
  }
  std::string misused(DocumentFormat format, std::string_view file = "a\tb\n") {
    return message_of<UsageError>([&] { read(format, file); });
  }

  test::TemporaryDirectory directory_;
  ReaderOptions options_;
};

TEST_F(MsMarco, PassagesOfTheFirstVersion) {
  EXPECT_THAT(read(DocumentFormat::kTsv, "0\tThe \"presence\" of\n1\tA b\tc\n").all,
              ElementsAre(Pair("0", "The \"presence\" of"), Pair("1", "A b\tc")));
}

TEST_F(MsMarco, DocumentsOfTheFirstVersion) {
  options_.columns = {"docid", "url", "title", "body"};
  const std::string file =
      "D1\thttp://a.org/\tA \"title\nD2\thttp://b.org/\t\tbody\nD3\thttp://c.org/\tC\ttext\n";
  EXPECT_THAT(refused(DocumentFormat::kTsv, file),
              AllOf(HasSubstr("file:1: 3 values, but --columns names 4 columns")));
  options_.malformed = corpora::Malformed::kSkip;
  EXPECT_THAT(
      read(DocumentFormat::kTsv, file).all,
      ElementsAre(Pair("D2", "http://b.org/\n\nbody"), Pair("D3", "http://c.org/\nC\ntext")));
  options_.fields = {"title", "body"};
  options_.schema = index::Schema({index::parse_field("url:stored")});
  const Documents chosen = read(DocumentFormat::kTsv, file);
  EXPECT_THAT(chosen.all, ElementsAre(Pair("D2", "\nbody\n#0=http://b.org/"),
                                      Pair("D3", "C\ntext\n#0=http://c.org/")));
  EXPECT_EQ(chosen.skipped, 1u);
  for (const std::size_t bytes : {1, 10, 40}) {
    options_.batch_bytes = bytes;
    EXPECT_EQ(read(DocumentFormat::kTsv, file), chosen) << bytes;
  }
  options_.id_field = "url";
  options_.schema = {};
  EXPECT_THAT(read(DocumentFormat::kTsv, file).ids(),
              ElementsAre("http://b.org/", "http://c.org/"));
  options_.id_field = "link";
  EXPECT_THAT(refused(DocumentFormat::kTsv, file), HasSubstr("--columns names no column 'link'"));
}

TEST_F(MsMarco, CsvWithoutAHeader) {
  options_.columns = {"n", "id", "text"};
  const std::string file = "1,a,\"x, y\nz\"\n2,b,plain\n";
  EXPECT_THAT(read(DocumentFormat::kCsv, file).all,
              ElementsAre(Pair("a", "1\nx, y\nz"), Pair("b", "2\nplain")));
  options_.batch_bytes = 1;
  options_.id_field = "n";
  EXPECT_THAT(read(DocumentFormat::kCsv, file).ids(), ElementsAre("1", "2"));
  options_.columns = {};
  options_.id_field = "b";
  EXPECT_THAT(read(DocumentFormat::kCsv, "a,b\nx,y\n").all, ElementsAre(Pair("y", "x")));
  EXPECT_THAT(refused(DocumentFormat::kCsv, "a,c\nx,y\n"),
              HasSubstr("the first line names no column 'b'"));
}

TEST_F(MsMarco, PassagesAndDocumentsOfTheSecondVersion) {
  options_.id_field = "pid";
  options_.fields = {"passage"};
  options_.schema = index::Schema({index::parse_field("doc:keyword:path=docid")});
  const std::string passage =
      R"x({"pid": "msmarco_passage_00_0", "passage": "Text", "spans": "(0,4)", "docid": "d0"})x";
  EXPECT_THAT(read(DocumentFormat::kJsonl, passage).all,
              ElementsAre(Pair("msmarco_passage_00_0", "Text\n#0=d0")));
  options_.schema = index::Schema({index::parse_field("key:keyword:path=pid")});
  EXPECT_THAT(read(DocumentFormat::kJsonl, passage).all,
              ElementsAre(Pair("msmarco_passage_00_0", "Text\n#0=msmarco_passage_00_0")));
  options_ = {};
  options_.id_field = "docid";
  options_.fields = {"title", "headings", "body", "docid"};
  EXPECT_THAT(read(DocumentFormat::kJsonl,
                   R"({"url": "u", "title": "T", "headings": "H", "body": "B", "docid": "d0"})")
                  .all,
              ElementsAre(Pair("d0", "T\nH\nB\nd0")));
  EXPECT_THAT(refused(DocumentFormat::kJsonl, R"({"id": "1", "body": "B"})"),
              HasSubstr("the object has no 'docid'"));
  options_ = {};
  for (const char* const format : {R"({"docid": "1", "contents": "B"})",
                                   R"({"contents": "B", "n": {"_id": 2}, "\u0064ocid": "1"})"}) {
    EXPECT_THAT(refused(DocumentFormat::kJsonl, format),
                HasSubstr("has no 'id', but 'docid'; --id-field docid takes that for the id"));
  }
  EXPECT_THAT(refused(DocumentFormat::kJsonl, R"({"key": "1", "contents": "B"})"),
              HasSubstr("has no 'id' (--id-field names another member)"));
  EXPECT_THAT(refused(DocumentFormat::kJsonVectors, R"({"DocNo": "1", "vector": {"a": 1}})"),
              HasSubstr("has no 'id', but 'DocNo'; --id-field DocNo takes"));
  options_.id_field = "name";
  EXPECT_THAT(read(DocumentFormat::kJsonVectors, R"({"name": "v", "vector": {"a": 2}})").all,
              ElementsAre(Pair("v", "a^2\n")));
}

TEST_F(MsMarco, OptionsThatDoNotFit) {
  options_.columns = {"id", "text"};
  EXPECT_THAT(misused(DocumentFormat::kJsonl), HasSubstr("--columns"));
  options_.header = true;
  EXPECT_THAT(misused(DocumentFormat::kTsv), HasSubstr("--header"));
  options_ = {};
  options_.id_field = "a";
  EXPECT_THAT(misused(DocumentFormat::kTsv), HasSubstr("--id-field"));
  EXPECT_THAT(misused(DocumentFormat::kTrecText), HasSubstr("--id-field"));
  options_ = {};
  options_.schema = index::Schema({index::parse_field("a:i32")});
  EXPECT_THAT(misused(DocumentFormat::kTsv), HasSubstr("--columns"));
}

TEST_F(MsMarco, SkippedRecordsAreTold) {
  options_.malformed = corpora::Malformed::kSkip;
  std::vector<std::string> told;
  options_.on_skipped = [&](std::string_view problem) { told.emplace_back(problem); };
  read(DocumentFormat::kTsv, "1\ta\nnothing\n2\tb\n\tc\n");
  read(DocumentFormat::kJsonl, "{\"id\": 1, \"contents\": \"a\"}\n{\"id\": 2}\nx\n");
  read(DocumentFormat::kTrecText, "<DOC>\n</DOC>\n\n<DOC><DOCNO>1</DOCNO></DOC>\n<DOC>");
  ASSERT_EQ(told.size(), 6u);
  EXPECT_THAT(told[0], HasSubstr("file:2: no tab"));
  EXPECT_THAT(told[1], HasSubstr("file:4: the id"));
  EXPECT_THAT(told[2], HasSubstr("file:2: the object has no 'contents'"));
  EXPECT_THAT(told[3], HasSubstr("file:3: not a valid JSON"));
  EXPECT_THAT(told[4], HasSubstr("file:1: the document has no <DOCNO>"));
  EXPECT_THAT(told[5], HasSubstr("file:5: <DOC> without </DOC>"));
}

TEST(MsMarcoFiles, QueriesAndJudgements) {
  const auto topics = corpora::parse_topics("1048585\twhat is paula\n2\tandro\n", "queries.tsv");
  ASSERT_EQ(topics.size(), 2u);
  EXPECT_EQ(topics[0].id, "1048585");
  const auto trec = corpora::parse_qrels("1185869\t0\t0\t1\n1185868\t0\t16\t1\n", "qrels.tsv");
  EXPECT_EQ(trec.at("1185869").at("0"), 1);
}

TEST(MsMarcoFiles, JudgementsOfBeir) {
  const auto beir = corpora::parse_qrels("query-id\tcorpus-id\tscore\n1\td7\t2\n1\td8\t0\n", "q");
  EXPECT_EQ(beir, corpora::parse_qrels("1 0 d7 2\n1 0 d8 0\n", "q"));
  for (const char* file : {"query-id\tcorpus-id\tscore\n1\t0\td7\t2\n", "1\td7\t2\n"}) {
    EXPECT_THROW(corpora::parse_qrels(file, "q"), InputError) << file;
  }
}

TEST(MsMarcoFiles, RunsGoThereAndBack) {
  const std::string text = "1048585\t7187158\t1\n1048585\t7187157\t2\n2\t9\t1\n";
  const corpora::Run run = corpora::parse_run(text, "run");
  ASSERT_EQ(run.size(), 2u);
  EXPECT_EQ(run[0].documents[1].score, 0.5);
  corpora::RunLines lines("", corpora::RunLayout::kMsMarco);
  corpora::RunLines trec("t");
  for (const corpora::RankedList& list : run) {
    for (const auto& document : list.documents) {
      lines.add(list.query, document.document, document.rank.value(),
                static_cast<float>(document.score));
      trec.add(list.query, document.document, document.rank.value(),
               static_cast<float>(document.score));
    }
  }
  EXPECT_EQ(lines.text(), text);
  const corpora::Qrels qrels = corpora::parse_qrels("1048585 0 7187157 1\n", "q");
  EXPECT_EQ(corpora::evaluate(run, qrels).mean.reciprocal_rank, 0.5);
  EXPECT_EQ(corpora::evaluate(corpora::parse_run(trec.text(), "run"), qrels).mean.reciprocal_rank,
            0.5);
  lines.clear();
  lines.add_ranked("q", "a b", 3, 5);
  EXPECT_EQ(lines.text(), "q\ta%20b\t3\n");
  for (const char* file : {"1\td\t0\n", "1\td\tx\n", "1\td\t1\n1 Q0 d 1 2 t\n"}) {
    EXPECT_THROW(corpora::parse_run(file, "run"), InputError) << file;
  }
}

}  // namespace
}  // namespace gannet
