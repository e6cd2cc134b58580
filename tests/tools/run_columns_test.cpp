// gannet run with the options about fields, as a user types it: its lines of JSON say of each topic
// what gannet search says of the query.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/shop.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunByColumns : public ::testing::Test {
 protected:
  using Arguments = std::vector<std::string>;

  Output run(Arguments more) const {
    more.insert(more.begin(),
                {"run", "--index", index_, "--backend", "cpu", "--topics", topics_, "--overwrite"});
    return gannet(std::move(more));
  }

  /// The lines that a run with these options writes.
  std::vector<std::string> answers(Arguments more) const {
    more.insert(more.end(), {"--results", results_, "--quiet"});
    const Output done = run(std::move(more));
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    std::vector<std::string> lines;
    std::string text = read_file(results_);
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      lines.push_back(text.substr(0, end));
      text.erase(0, end + 1);
    }
    EXPECT_EQ(text, "") << "the last line has no end";
    return lines;
  }

  /// Each line has what a search with the same options has.
  void expect_as_search(const Arguments& options, const std::vector<std::string>& members) const {
    const std::vector<std::string> lines = answers(options);
    ASSERT_EQ(lines.size(), queries_.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Arguments search{"search", "--index", index_, "--backend", "cpu", "--json"};
      search.insert(search.end(), options.begin(), options.end());
      search.push_back(queries_[i]);
      const Output found = gannet(search);
      ASSERT_EQ(found.code, 0) << found.err;
      EXPECT_EQ(json_at(lines[i], "/topic"), "\"q" + std::to_string(i) + "\"");
      EXPECT_EQ(json_at(lines[i], "/query"), "\"" + queries_[i] + "\"");
      for (const std::string& member : members) {
        EXPECT_EQ(json_at(lines[i], member), json_at(found.out, member)) << queries_[i];
      }
    }
  }

  TemporaryDirectory folder_;
  std::string index_ = index_shop(folder_);
  std::vector<std::string> queries_{"tiger", "lamp", "zebra", "tiger lamp", "light"};
  std::string topics_ = write_topics();
  std::string results_ = folder_ / "answers.jsonl";
  std::string run_ = folder_ / "out.run";

 private:
  std::string write_topics() const {
    std::string text;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      text += "q" + std::to_string(i) + "\t" + queries_[i] + "\n";
    }
    write_file(folder_ / "topics.tsv", text);
    return folder_ / "topics.tsv";
  }
};

TEST_F(RunByColumns, LinesOfJsonSayWhatSearchSays) {
  expect_as_search({"--k", "3"}, {"/hits"});
  expect_as_search({"--k", "3", "--fields", "year,tag,price,when,cost,new"}, {"/hits"});
  expect_as_search({"--k", "2", "--sort", "year:desc,price", "--fields", "tag"},
                   {"/hits", "/total"});
  expect_as_search({"--k", "2", "--sort", "year:desc,score"}, {"/hits", "/total"});
  expect_as_search({"--k", "1", "--facet", "tag:1,new", "--histogram", "price:5", "--histogram",
                    "when:month:nonempty", "--stats", "cost,tag"},
                   {"/hits", "/total", "/facets", "/histograms", "/stats"});
  expect_as_search({"--k", "3", "--group", "tag:2", "--sort", "price", "--fields", "year"},
                   {"/grouping", "/total"});
  expect_as_search({"--k", "3", "--filter", "year:2001 OR cost:<1", "--facet", "tag"},
                   {"/hits", "/total", "/facets"});
  expect_as_search({"--k", "0", "--facet", "tag"}, {"/facets", "/hits"});
}

TEST_F(RunByColumns, BatchesAndThreadsDoNotChangeTheLines) {
  const Arguments options{"--sort", "year,score", "--fields", "tag", "--facet", "tag"};
  const std::vector<std::string> lines = answers(options);
  for (const char* const batch : {"1", "2", "4096"}) {
    for (const char* const threads : {"1", "3"}) {
      Arguments more = options;
      more.insert(more.end(), {"--batch", batch, "--threads", threads});
      EXPECT_EQ(answers(more), lines) << batch;
    }
  }
}

TEST_F(RunByColumns, ARunKeepsTheOrderAndItsScoresCountDown) {
  ASSERT_EQ(run({"--output", run_, "--sort", "price", "--limit", "1"}).code, 0);
  EXPECT_EQ(read_file(run_),
            "q0 Q0 b 1 4 gannet\nq0 Q0 c 2 3 gannet\n"
            "q0 Q0 e 3 2 gannet\nq0 Q0 a 4 1 gannet\n");
  // Without an order by columns scores are scores, whatever else is asked for.
  ASSERT_EQ(run({"--output", run_}).code, 0);
  const std::string plain = read_file(run_);
  ASSERT_EQ(run({"--output", run_, "--results", results_, "--facet", "tag"}).code, 0);
  EXPECT_EQ(read_file(run_), plain);
  EXPECT_EQ(json_at(read_file(results_).substr(0, read_file(results_).find('\n')), "/total"), "4");
}

TEST_F(RunByColumns, TheSummaryCountsHitsOfGroupsToo) {
  const Output done = run({"--results", results_, "--group", "tag:1", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json_at(done.out, "/queries"), "5");
  EXPECT_EQ(json_at(done.out, "/queries_without_hits"), "1");
  EXPECT_EQ(json_at(done.out, "/output"), "null");
  // tiger: red, big, blue\tx; lamp: red, big, blue, blue\tx; both: all; light: blue\tx.
  EXPECT_EQ(json_at(done.out, "/hits"), "12");
}

TEST_F(RunByColumns, LinesGoToStdoutAndTheSummaryToStderr) {
  const Output done = run({"--results", "-", "--limit", "2"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, ::testing::StartsWith("{\"version\":1,\"topic\":\"q0\""));
  EXPECT_THAT(done.err, HasSubstr("2 queries"));
  EXPECT_THAT(done.out, Not(HasSubstr("queries/s")));
}

TEST_F(RunByColumns, OptionsThatWriteNothingAreRefused) {
  const auto error = [&](Arguments arguments) {
    const Output wrong = run(std::move(arguments));
    EXPECT_EQ(wrong.code, 2);
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    return wrong.err;
  };
  EXPECT_THAT(error({}), HasSubstr("--results"));
  EXPECT_THAT(error({"--output", run_, "--facet", "tag"}), HasSubstr("--facet: a run file has no"));
  EXPECT_THAT(error({"--output", run_, "--fields", "tag"}), HasSubstr("add --results"));
  EXPECT_THAT(error({"--output", run_, "--results", results_, "--group", "tag"}),
              HasSubstr("a run file has no groups"));
  EXPECT_THAT(error({"--output", "-", "--results", "-"}), HasSubstr("cannot both go to stdout"));
  EXPECT_THAT(error({"--results", results_, "--sort", "yaer"}),
              HasSubstr("no field is called 'yaer'"));
}

}  // namespace
}  // namespace gannet::test
