// Parsing and planning take time in proportion to the query, and no stack that grows with it.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "codecs/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/growth.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class LinearTime : public ::testing::Test {
 protected:
  /// Plans a query of many units, or is refused.
  void expect_linear(const std::string& name, const std::function<std::string(std::size_t)>& unit,
                     const std::string& tail = "") {
    test::expect_nearly_linear(
        name, 4000, [&](std::size_t n) { return test::repeated(n, unit) + tail; },
        [this](const std::string& text) {
          Query query;
          query.text = text;
          try {
            searcher_.plan(query);
          } catch (const UsageError&) {
            // Refusing takes no longer either.
          }
        });
  }

 private:
  test::TemporaryDirectory directory_;
  Searcher searcher_{test::write_index(directory_ / "index", test::random_collection(100, 20, 1)),
                     {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}}};
};

TEST_F(LinearTime, ManyTerms) {
  const auto numbered = [](const std::string& before) {
    return [before](std::size_t i) { return before + "w" + std::to_string(i) + " "; };
  };
  expect_linear("words", numbered(""));
  expect_linear("must", numbered("+"));
  expect_linear("must not", numbered("-"));
  expect_linear("OR", numbered("OR "), "");
  expect_linear("the same word", [](std::size_t) { return std::string("t1 "); });
  expect_linear("known words", [](std::size_t i) { return "t" + std::to_string(i % 20) + " "; });
}

TEST_F(LinearTime, ManyOperators) {
  const auto always = [](const std::string& text) { return [text](std::size_t) { return text; }; };
  expect_linear("NOT", always("NOT "), "t1");
  expect_linear("signs", always("-"), "t1");
  expect_linear("signs apart", always("- "), "t1");
  expect_linear("AND", always("t1 AND "), "t2");
  expect_linear("OR", always("t1 OR "), "t2");
  expect_linear("pairs of parentheses", always("(t1 t2) "));
  expect_linear("open parentheses", always("("));
  expect_linear("closed parentheses", always(")"));
  expect_linear("quotation marks", always("\""));
}

TEST_F(LinearTime, ManyClausesOfTheirOwnTerms) {
  expect_linear("conjunctions", [](std::size_t i) {
    const std::string n = std::to_string(i);
    return "(+w" + n + " -v" + n + ") ";
  });
}

}  // namespace
}  // namespace gannet::query
