// Run files, judgements, and measures against values worked out by hand and known identities.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/synthetic/random.hpp"
#include "corpora/topics/topics.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::evaluate;
using corpora::Evaluation;
using corpora::EvaluationOptions;
using corpora::parse_qrels;
using corpora::parse_run;
using corpora::Qrels;
using corpora::RunWriter;
using corpora::TieOrder;
using test::message_of;
using test::TemporaryDirectory;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> names(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(RunFile, HasSixFieldsALine) {
  const TemporaryDirectory directory;
  RunWriter writer(directory / "run", "bm25");
  writer.add("1", "d7", 1, 12.5f);
  writer.add("1", "a b\tc", 2, 1.0f / 3.0f);
  writer.close();
  EXPECT_EQ(test::read_file(directory / "run"),
            "1 Q0 d7 1 12.5 bm25\n1 Q0 a%20b%09c 2 0.33333334 bm25\n");
}

/// What RunLines promises: undoing the escapes of white space and of the percent sign.
std::string unescaped(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::string code(field.substr(i + 1, 2));
    const bool space = code == "20" || (code >= "09" && code <= "0D" && code.size() == 2);
    if (field[i] == '%' && (space || code == "25")) {
      text += static_cast<char>(std::stoi(code, nullptr, 16));
      i += 2;
    } else {
      text += field[i];
    }
  }
  return text;
}

TEST(RunFile, NoTwoIdsAreWrittenAlike) {
  const std::vector<std::string> ids{"a b",   "a%20b", "a%2520b", "a%25 b",  "a%0ab", "a%0Ab",
                                     "a\nb",  "%",     "100%",    "%%20",    "%2",    "% 20",
                                     "%2%20", "%2 20", "a%C3x",   "%25%25 ", "%2525", "\t%09"};
  std::set<std::string> written;
  for (const std::string& id : ids) {
    corpora::RunLines lines("t");
    lines.add("1", id, 1, 1.0f);
    const std::string line(lines.text());
    const std::string field = line.substr(5, line.find(" 1 1 t") - 5);
    EXPECT_EQ(field.find_first_of(" \t\n"), std::string::npos) << field;
    EXPECT_TRUE(written.insert(field).second) << field;
    EXPECT_EQ(unescaped(field), id) << field;
  }
  EXPECT_TRUE(written.count("a%C3x") != 0) << "what is no escape of ours stays, as in URLs";
}

TEST(RunFile, ControlCharactersOfIdsAreEscaped) {
  corpora::RunLines lines("t\x7fg");
  lines.add("1", std::string_view("a\x1b[31m\0b", 8), 1, 1);
  EXPECT_EQ(lines.text(), "1 Q0 a%1B[31m%00b 1 1 t%7Fg\n");
  lines.clear();
  lines.add("1", "é ü", 1, 1);
  EXPECT_EQ(lines.text(), "1 Q0 é%20ü 1 1 t%7Fg\n");
}

TEST(RunFile, AppearsWhenClosedAndNotBefore) {
  const TemporaryDirectory directory;
  directory.write("run", "old");
  {
    RunWriter writer(directory / "run", "t");
    for (std::uint64_t i = 1; i < 10'000; ++i) writer.add("1", "d", i, 1.0f);
    EXPECT_EQ(test::read_file(directory / "run"), "old");
  }
  EXPECT_EQ(test::read_file(directory / "run"), "old");
  EXPECT_THAT(names(directory.path()), SizeIs(1));
  EXPECT_THROW(RunWriter(directory / "no/such/run", "t"), IoError);
}

TEST(RunFile, WritesDevices) {
  RunWriter writer("/dev/null", "");
  writer.add("1", "d", 1, 1.0f);
  EXPECT_NO_THROW(writer.close());
}

TEST(RunFile, GoesWhereItIsTold) {
  std::string lines;
  RunWriter writer([&](std::string_view text) { lines += text; }, "");
  writer.add("1", "d", 1, 1.0f);
  writer.close();
  EXPECT_EQ(lines, "1 Q0 d 1 1 gannet\n");
}

TEST(RunFile, TakesLinesThatWereMadeApart) {
  corpora::RunLines lines("a tag");
  lines.add("2", "d b", 1, 0.1f);
  lines.add("2", "e", 2, 0.0625f);
  std::string written;
  RunWriter writer([&](std::string_view text) { written += text; }, "a tag");
  writer.add("1", "d", 1, 1.0f);
  writer.append(lines.text());
  writer.add("3", "d", 1, 2.0f);
  writer.close();
  EXPECT_EQ(written,
            "1 Q0 d 1 1 a%20tag\n2 Q0 d%20b 1 0.1 a%20tag\n2 Q0 e 2 0.0625 a%20tag\n"
            "3 Q0 d 1 2 a%20tag\n");
  lines.clear();
  EXPECT_EQ(lines.text(), "");
}

TEST(RunFile, DistinctScoresStayDistinct) {
  const TemporaryDirectory directory;
  std::vector<float> scores;
  for (float score = 21.0f; scores.size() < 500; score = std::nextafter(score, 0.0f))
    scores.push_back(score);
  for (float score = 1e-3f; scores.size() < 1000; score = std::nextafter(score, 0.0f))
    scores.push_back(score);
  RunWriter writer(directory / "run", "t");
  for (std::size_t i = 0; i < scores.size(); ++i) writer.add("1", "d", i + 1, scores[i]);
  writer.close();
  const corpora::Run run = corpora::read_run(directory / "run");
  ASSERT_EQ(run.at(0).documents.size(), scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(static_cast<float>(run[0].documents[i].score), scores[i]);
    if (i > 0) {
      EXPECT_LT(run[0].documents[i].score, run[0].documents[i - 1].score);
    }
  }
}

TEST(RunFile, AFileThatAppearsMeanwhileMayBeKept) {
  const TemporaryDirectory directory;
  const std::string path = directory / "run";
  for (int i = 1; i <= 2; ++i) {
    std::filesystem::remove(path);
    RunWriter writer(path, "t", {}, corpora::RunLayout::kTrec, index::Existing::kKeep);
    writer.add("1", "d", 1, 2);
    directory.write("run", "precious");
    EXPECT_THAT(message_of<IoError>([&] { writer.close(); }),
                HasSubstr("the result is in " + path + "." + std::to_string(i)));
    EXPECT_EQ(test::read_file(path), "precious");
    EXPECT_EQ(test::read_file(path + "." + std::to_string(i)), "1 Q0 d 1 2 t\n");
  }
  std::filesystem::remove(path);
  RunWriter writer(path, "t", {}, corpora::RunLayout::kTrec, index::Existing::kKeep);
  writer.close();
  EXPECT_EQ(test::read_file(path), "");
}

TEST(RunFile, ReadsQueriesInAnyOrder) {
  const corpora::Run run =
      parse_run("2 Q0 a 1 9e-1 t\r\n1\tQ0\tb\t1\t+5\tt\n2 0 c 2 -0.5 t\n", "run");
  ASSERT_THAT(run, SizeIs(2));
  EXPECT_EQ(run[0].query, "2");
  EXPECT_THAT(run[0].documents, SizeIs(2));
  EXPECT_EQ(run[0].documents[1].score, -0.5);
  EXPECT_EQ(run[1].documents[0].score, 5);
}

/// trec_eval reads scores with atof().
TEST(RunFile, ScoresAreWhatStrtodTakes) {
  const std::vector<std::pair<std::string, double>> scores{
      {"inf", INFINITY}, {"-Infinity", -INFINITY}, {"1e400", INFINITY}, {"0x10", 16}, {"1e-400", 0},
      {"+.5", 0.5}};
  std::string text;
  for (const auto& [score, number] : scores) text += "1 Q0 a 1 " + score + " t\n";
  const corpora::Run run = parse_run(text, "run");
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(run[0].documents[i].score, scores[i].second) << scores[i].first;
  }
}

TEST(RunFile, MalformedLines) {
  for (const char* line : {"1 Q0 a 1 nan t", "1 Q0 a 1 0x t", "1 Q0 a 1 0.5", "1 Q0 a b 1 0.5 t",
                           "1 Q0 a 1 0.5x t", "1 Q0 a 1 x t", "nothing"}) {
    const auto read = [&] { parse_run(std::string("1 Q0 a 1 2 t\n") + line, "file.run"); };
    EXPECT_THAT(message_of<InputError>(read), HasSubstr("file.run:2: ")) << line;
  }
}

// Neither is read by trec_eval.
TEST(RunFile, RanksMayBeAnyWordAndTagsManyWords) {
  const corpora::Run run = parse_run(
      "1 Q0 a x 0.5 t\n1 Q0 b -1 0.4 t\n1 Q0 c 1.5 0.3 t\n1 Q0 d 7 0.2 my own run\n", "run");
  ASSERT_THAT(run, SizeIs(1));
  ASSERT_THAT(run[0].documents, SizeIs(4));
  for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(run[0].documents[i].rank, std::nullopt) << i;
  EXPECT_EQ(run[0].documents[3].rank, 7u);
  EXPECT_EQ(run[0].documents[3].score, 0.2);
  const auto in_two_pieces = [] { parse_run("1 Q0 a b 1 0.5 t\n", "file.run"); };
  EXPECT_THAT(message_of<InputError>(in_two_pieces), HasSubstr("ids may have no white space"));
}

TEST(QrelsFile, ReadsGrades) {
  const Qrels qrels = parse_qrels("1 0 a 2\n1\t0\tb\t-1\r\n\n2 Q0 a 0\n1 0 a 2\n", "q");
  EXPECT_EQ(qrels.at("1").at("a"), 2);
  EXPECT_EQ(qrels.at("1").at("b"), -1);
  EXPECT_EQ(qrels.at("2").at("a"), 0);
}

TEST(QrelsFile, MalformedLines) {
  for (const char* line :
       {"1 0 b", "1 0 b 1 2", "1 0 b x", "1 0 b 1.5", "1 0 b 99999999999", "1 0 a 2"}) {
    const auto read = [&] { parse_qrels(std::string("1 0 a 1\n") + line, "file.qrels"); };
    EXPECT_THAT(message_of<InputError>(read), HasSubstr("file.qrels:2: ")) << line;
  }
}

TEST(QrelsFile, ReadsCompressedFiles) {
  const TemporaryDirectory directory;
  EXPECT_THAT(corpora::read_qrels(directory.write("q", test::zstd("1 0 a 1\n"))), SizeIs(1));
  EXPECT_THAT(corpora::read_run(directory.write("r", test::gzip("1 Q0 a 1 1 t\n"))), SizeIs(1));
}

EvaluationOptions at(std::vector<std::uint32_t> cutoffs) {
  EvaluationOptions options;
  options.cutoffs = std::move(cutoffs);
  return options;
}

// Relevant: a (3), c (1), e (2, not retrieved). Ranked: a b c d.
TEST(Measures, WorkedOutByHand) {
  const Qrels qrels = parse_qrels("1 0 a 3\n1 0 b 0\n1 0 c 1\n1 0 d -2\n1 0 e 2\n", "q");
  const corpora::Run run =
      parse_run("1 Q0 a 1 4 t\n1 Q0 b 2 3 t\n1 Q0 c 3 2 t\n1 Q0 d 4 1 t\n", "r");
  const Evaluation evaluation = evaluate(run, qrels, at({1, 3, 10}));
  ASSERT_THAT(evaluation.queries, SizeIs(1));
  const auto& query = evaluation.queries[0];
  EXPECT_EQ(query.retrieved, 4u);
  EXPECT_EQ(query.relevant, 3u);
  EXPECT_EQ(query.relevant_retrieved, 2u);
  EXPECT_DOUBLE_EQ(query.measures.average_precision, (1.0 + 2.0 / 3.0) / 3.0);
  EXPECT_DOUBLE_EQ(query.measures.reciprocal_rank, 1.0);
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(1).precision, 1.0);
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(10).precision, 0.2);
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(1).recall, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(3).recall, 2.0 / 3.0);
  // Gains 3 0 1 against the ideal 3 2 1, discounts 1, log2(3), 2.
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(3).ndcg, 3.5 / (3 + 2 / std::log2(3.0) + 0.5));
  EXPECT_DOUBLE_EQ(query.measures.at_cutoff(1).ndcg, 1.0);
  EXPECT_THROW(query.measures.at_cutoff(7), UsageError);
}

TEST(Measures, AverageOverTopicsThatRunAndJudgementsHave) {
  const Qrels qrels = parse_qrels("1 0 a 1\n2 0 a 1\n3 0 a 0\n4 0 a -1\n", "q");
  const corpora::Run run =
      parse_run("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n3 Q0 a 1 1 t\n9 Q0 a 1 1 t\n", "r");
  EvaluationOptions options = at({10});
  const Evaluation evaluation = evaluate(run, qrels, options);
  ASSERT_THAT(evaluation.queries, SizeIs(2));  // 1, and 3, which has no relevant document: 0
  EXPECT_EQ(evaluation.topics_not_in_run, 2u);
  EXPECT_EQ(evaluation.topics_not_judged, 1u);
  EXPECT_EQ(evaluation.mean.average_precision, 0.25);
  EXPECT_EQ(evaluation.mean.reciprocal_rank, 0.25);
  EXPECT_EQ(evaluation.mean.at_cutoff(10).precision, 0.05);
  EXPECT_EQ(evaluation.mean.at_cutoff(10).recall, 0.5);
  EXPECT_DOUBLE_EQ(evaluation.mean.at_cutoff(10).ndcg, 0.5 / std::log2(3.0));
  options.complete = true;
  const Evaluation complete = evaluate(run, qrels, options);
  ASSERT_THAT(complete.queries, SizeIs(4));
  EXPECT_EQ(complete.topics_not_in_run, 2u);
  EXPECT_EQ(complete.mean.average_precision, 0.125);
}

TEST(Measures, NothingToAverage) {
  const Evaluation evaluation = evaluate({}, {});
  EXPECT_TRUE(evaluation.queries.empty());
  EXPECT_EQ(evaluation.mean.average_precision, 0);
  EXPECT_EQ(evaluation.mean.at_cutoff(10).ndcg, 0);
}

TEST(Measures, ListsWithoutDocumentsAreNotInTheRun) {
  const Qrels qrels = parse_qrels("1 0 a 1\n2 0 a 1\n", "q");
  corpora::Run run = parse_run("1 Q0 a 1 2 t\n", "r");
  run.push_back({"2", {}});
  run.push_back({"9", {}});
  const Evaluation evaluation = evaluate(run, qrels);
  EXPECT_EQ(evaluation.mean.average_precision, 1);
  EXPECT_EQ(evaluation.topics_not_in_run, 1u);
  EXPECT_EQ(evaluation.topics_not_judged, 0u);
}

// R = 3, of which one is not retrieved; 4 documents judged not relevant; u has no judgement, n one
// below 0: both are passed over. Before r1 there is 1, before r2 are 4, of which 3 count.
TEST(Measures, BprefByHand) {
  const Qrels qrels = parse_qrels(
      "1 0 r1 1\n1 0 r2 2\n1 0 r3 1\n1 0 a 0\n1 0 b 0\n1 0 c 0\n1 0 d 0\n1 0 n -1\n", "q");
  const corpora::Run run = parse_run(
      "1 Q0 u 1 9 t\n1 Q0 n 1 8 t\n1 Q0 a 1 7 t\n1 Q0 r1 1 6 t\n1 Q0 b 1 5 t\n1 Q0 c 1 4 t\n"
      "1 Q0 d 1 3 t\n1 Q0 r2 1 2 t\n",
      "r");
  const Evaluation evaluation = evaluate(run, qrels);
  EXPECT_DOUBLE_EQ(evaluation.mean.bpref, (1 - 1.0 / 3 + 0) / 3);
  EXPECT_EQ(evaluation.queries[0].judged_retrieved, 7u);
}

TEST(Measures, RankByScoreAndTiesAsAsked) {
  const Qrels qrels = parse_qrels("1 0 b 1\n", "q");
  const corpora::Run run = parse_run("1 Q0 c 3 1 t\n1 Q0 b 2 5 t\n1 Q0 a 1 5 t\n", "r");
  EvaluationOptions options;
  EXPECT_DOUBLE_EQ(evaluate(run, qrels, options).mean.reciprocal_rank, 1);  // b, a by id
  options.ties = TieOrder::kRank;
  EXPECT_DOUBLE_EQ(evaluate(run, qrels, options).mean.reciprocal_rank, 0.5);  // a, b by rank
}

// One float, two doubles.
TEST(Measures, TiesAreThoseOfFloatsUnlessRanksOrderThem) {
  const Qrels qrels = parse_qrels("1 0 b 1\n", "q");
  const corpora::Run run = parse_run("1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1 t\n", "r");
  EvaluationOptions options;
  EXPECT_EQ(evaluate(run, qrels, options).mean.reciprocal_rank, 1);
  options.ties = TieOrder::kRank;
  EXPECT_EQ(evaluate(run, qrels, options).mean.reciprocal_rank, 0.5);
}

TEST(Measures, RunsThatMakeNoSense) {
  const Qrels qrels = parse_qrels("1 0 a 1\n", "q");
  EXPECT_THROW(evaluate(parse_run("1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", "r"), qrels), InputError);
  EXPECT_THROW(evaluate({}, qrels, at({0})), UsageError);
  EvaluationOptions by_rank;
  by_rank.ties = TieOrder::kRank;
  const corpora::Run words = parse_run("1 Q0 a first 2 t\n", "r");
  EXPECT_EQ(evaluate(words, qrels).mean.average_precision, 1);
  EXPECT_THAT(message_of<InputError>([&] { evaluate(words, qrels, by_rank); }),
              HasSubstr("the rank of document 'a' for query '1' is no number"));
  corpora::Run twice = parse_run("1 Q0 a 1 2 t\n", "r");
  twice.push_back(twice.front());
  EXPECT_THROW(evaluate(twice, qrels), InputError);
}

/// Random judgements of 50 documents, and runs made from them.
struct Judged {
  Qrels qrels;
  corpora::Run ideal;     // all relevant documents, by descending grade
  corpora::Run shuffled;  // all documents
};

Judged judged(std::uint64_t seed) {
  corpora::Random random(seed);
  Judged judged;
  corpora::RankedList shuffled{"1", {}};
  std::vector<std::pair<int, std::string>> graded;
  for (int i = 0; i < 50; ++i) {
    const std::string document(1 + static_cast<std::size_t>(i), 'd');
    const int grade = static_cast<int>(random.below(4)) - 1;
    judged.qrels["1"][document] = grade;
    if (grade > 0) graded.emplace_back(-grade, document);
    shuffled.documents.push_back({document, 1, static_cast<double>(random.below(1'000'000))});
  }
  std::sort(graded.begin(), graded.end());
  corpora::RankedList ideal{"1", {}};
  for (std::size_t i = 0; i < graded.size(); ++i)
    ideal.documents.push_back({graded[i].second, i + 1, 100.0 - static_cast<double>(i)});
  judged.ideal = {ideal};
  judged.shuffled = {shuffled};
  return judged;
}

TEST(Measures, Identities) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const Judged data = judged(seed);
    const auto ideal = evaluate(data.ideal, data.qrels, at({1, 7, 50})).mean;
    EXPECT_DOUBLE_EQ(ideal.average_precision, 1);
    EXPECT_DOUBLE_EQ(ideal.reciprocal_rank, 1);
    for (const auto& measures : ideal.at) EXPECT_DOUBLE_EQ(measures.ndcg, 1) << measures.k;
    EXPECT_DOUBLE_EQ(ideal.at_cutoff(50).recall, 1);

    const auto evaluation = evaluate(data.shuffled, data.qrels, at({1, 7, 50}));
    const auto& mean = evaluation.mean;
    const double relevant = static_cast<double>(evaluation.queries.at(0).relevant);
    EXPECT_DOUBLE_EQ(mean.at_cutoff(50).recall, 1);
    EXPECT_DOUBLE_EQ(mean.at_cutoff(7).precision * 7, mean.at_cutoff(7).recall * relevant);
    EXPECT_LE(mean.average_precision, 1);
    EXPECT_LE(mean.at_cutoff(7).ndcg, 1);
    EXPECT_EQ(mean.reciprocal_rank == 1, mean.at_cutoff(1).precision == 1);
  }
}

TEST(Tiny, TheBundledCollectionFitsTogether) {
  const std::filesystem::path folder = std::filesystem::path(test::kSourceFolder) / "corpora/tiny";
  const auto documents = test::read_all(corpora::DocumentFormat::kJsonl, {folder / "docs.jsonl"});
  const auto ids = documents.ids();
  EXPECT_THAT(ids, SizeIs(20));
  const auto topics = corpora::read_topics(folder / "topics.tsv");
  const Qrels qrels = corpora::read_qrels(folder / "qrels.txt");
  EXPECT_EQ(topics.size(), qrels.size());
  for (const auto& topic : topics) EXPECT_TRUE(qrels.contains(topic.id)) << topic.id;
  for (const auto& [query, judgements] : qrels) {
    for (const auto& [document, grade] : judgements)
      EXPECT_THAT(ids, ::testing::Contains(document));
  }
}

TEST(RealData, JudgementsRead) {
  const auto data = test::data_folder();
  if (data.empty()) GTEST_SKIP() << "no test data: set GANNET_DATA";
  const std::pair<const char*, std::size_t> sets[] = {
      {"cranfield", 225}, {"cisi", 76}, {"cacm", 52}, {"med", 29}, {"medquad", 1000}};
  for (const auto& [name, queries] : sets) {
    const Qrels qrels = corpora::read_qrels(data / name / "qrels.txt");
    EvaluationOptions complete;
    complete.complete = true;
    EXPECT_GE(evaluate({}, qrels, complete).queries.size(), queries) << name;
  }
}

}  // namespace
}  // namespace gannet
