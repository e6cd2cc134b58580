// Readers take time in proportion to their input, also where the input is made to hurt.
#include <gtest/gtest.h>

#include <string>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/evaluate.hpp"
#include "corpora/topics/topics.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::corpora {
namespace {

using test::expect_nearly_linear;
using test::repeated;

constexpr std::size_t kUnits = 3000;

TEST(LinearTime, RunsOfManyQueriesAndOfOneSlow) {
  const auto evaluate_itself = [](const std::string& text) {
    const corpora::Run run = parse_run(text, "run");
    Qrels qrels;
    for (const RankedList& list : run) {
      for (const RankedDocument& document : list.documents) {
        qrels[list.query][document.document] = 1;
      }
    }
    evaluate(run, qrels);
  };
  expect_nearly_linear(
      "a line a query", kUnits,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) { return std::to_string(i) + " Q0 d 1 2.5 t\n"; });
      },
      evaluate_itself);
  expect_nearly_linear(
      "queries in turn", kUnits,
      [](std::size_t n) {
        return repeated(n, [n](std::size_t i) {
          return std::to_string(i % (n / 2)) + " Q0 d" + std::to_string(i) + " 1 2.5 t\n";
        });
      },
      evaluate_itself);
  expect_nearly_linear(
      "one query", kUnits,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) { return "q Q0 d" + std::to_string(i) + " 1 1 t\n"; });
      },
      evaluate_itself);
}

TEST(LinearTime, JudgementsSlow) {
  expect_nearly_linear(
      "a line a query", kUnits,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) { return std::to_string(i) + " 0 d 1\n"; });
      },
      [](const std::string& text) { parse_qrels(text, "qrels"); });
}

TEST(LinearTime, TopicsSlow) {
  const auto parse_trec = [](const std::string& text) {
    try {
      parse_topics(text, "topics", {TopicFormat::kTrec, true, true, true});
    } catch (const InputError&) {
      // Refusing takes no longer either.
    }
  };
  expect_nearly_linear(
      "a table", kUnits,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) { return std::to_string(i) + "\tquery text\n"; });
      },
      [](const std::string& text) { parse_topics(text, "topics"); });
  expect_nearly_linear(
      "topics", kUnits,
      [](std::size_t n) {
        return repeated(n, [](std::size_t i) {
          return "<top><num> Number: " + std::to_string(i) + " <title> x </top>\n";
        });
      },
      parse_trec);
  for (const std::string unit : {"<top>", "<num>", "<title>", "</top", "<"}) {
    expect_nearly_linear(
        unit, 4 * kUnits,
        [&](std::size_t n) {
          return "<top><num> 1 <title>" + repeated(n, [&](std::size_t) { return unit; });
        },
        parse_trec);
  }
}

TEST(LinearTime, DocumentsSlow) {
  struct Case {
    DocumentFormat format;
    std::string name, head, unit, tail;
  };
  const Case cases[] = {
      {DocumentFormat::kTsv, "lines", "", "id\ttext of it\n", ""},
      {DocumentFormat::kTsv, "empty lines", "", "\n", "a\tb\n"},
      {DocumentFormat::kJsonl, "objects", "", "{\"id\": \"a\", \"contents\": \"b\"}\n", ""},
      {DocumentFormat::kJsonl, "escapes", "{\"id\": \"a\", \"contents\": \"", "\\u00e9", "\"}\n"},
      {DocumentFormat::kJsonl, "an array", "[", "{\"id\": \"a\", \"contents\": \"b\"},\n",
       "{\"id\": \"z\", \"contents\": \"b\"}]"},
      {DocumentFormat::kJsonl, "brackets", "{\"id\": \"a\", \"x\": ", "[", "\n"},
      {DocumentFormat::kTrecText, "documents", "",
       "<DOC><DOCNO>a</DOCNO><TEXT>some text</TEXT></DOC>\n", ""},
      {DocumentFormat::kTrecText, "ends that are none", "<DOC><DOCNO>a</DOCNO>", "</doc", "</DOC>"},
      {DocumentFormat::kTrecText, "open tags", "<DOC><DOCNO>a</DOCNO>", "<", "</DOC>"},
      {DocumentFormat::kTrecText, "documents in documents", "", "<DOC>", ""},
      {DocumentFormat::kTrecText, "comments", "<DOC><DOCNO>a</DOCNO>", "<!--", "</DOC>"},
  };
  const test::TemporaryDirectory directory;
  ReaderOptions options;
  options.malformed = Malformed::kSkip;
  for (const Case& c : cases) {
    expect_nearly_linear(
        c.name, 4 * kUnits,
        [&](std::size_t n) {
          return directory.write(
              "input", c.head + repeated(n, [&](std::size_t) { return c.unit; }) + c.tail);
        },
        [&](const std::filesystem::path& path) {
          try {
            test::read_all(c.format, {path}, options);
          } catch (const InputError&) {
          }
        });
  }
}

}  // namespace
}  // namespace gannet::corpora
