// Parsing and planning take time in proportion to the query, and no stack that grows with it.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "codecs/base/error.hpp"
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

TEST_F(LinearTime, ManyTermsSlow) {
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

TEST_F(LinearTime, ManyOperatorsSlow) {
  const auto always = [](const std::string& text) { return [text](std::size_t) { return text; }; };
  // Ten at a time: what the parser alone does with one takes nanoseconds.
  const auto ten = [&](const std::string& text) {
    return always(test::repeated(10, [&](std::size_t) { return text; }));
  };
  expect_linear("NOT", ten("NOT "), "t1");
  expect_linear("signs", ten("-"), "t1");
  expect_linear("signs apart", ten("- "), "t1");
  expect_linear("AND", ten("t1 AND "), "t2");
  expect_linear("OR", ten("t1 OR "), "t2");
  expect_linear("pairs of parentheses", ten("(t1 t2) "));
  expect_linear("open parentheses", ten("("));
  expect_linear("closed parentheses", ten(")"));
  expect_linear("quotation marks", ten("\""));
}

TEST_F(LinearTime, ManyClausesOfTheirOwnTermsSlow) {
  expect_linear("conjunctions", [](std::size_t i) {
    const std::string n = std::to_string(i);
    return "(+w" + n + " -v" + n + ") ";
  });
}

/// Plans made by hand, of chains that are nested to either side.
TEST_F(LinearTime, ExpressionsOfManyOperatorsSlow) {
  const auto parts_of = [](std::size_t n) {
    Plan::Parts parts;
    parts.collection = {10, 70};
    for (std::size_t i = 0; i < n; ++i) parts.terms.push_back({"w" + std::to_string(i), 1, 1});
    return parts;
  };
  const auto term = [](std::size_t i) {
    return Node{Node::Kind::kTerm, static_cast<std::uint32_t>(i)};
  };
  const auto plan = [](const Plan::Parts& parts) { const Plan made(parts); };
  const auto to_the_left = [&](std::size_t n) {
    Plan::Parts parts = parts_of(n);
    for (std::size_t i = 0; i < n; ++i) {
      parts.expression.push_back(term(i));
      if (i > 0) parts.expression.push_back({Node::Kind::kOr, 2});
    }
    return parts;
  };
  const auto to_the_right = [&](std::size_t n) {
    Plan::Parts parts = parts_of(n);
    for (std::size_t i = 0; i < n; ++i) parts.expression.push_back(term(i));
    parts.expression.insert(parts.expression.end(), n - 1, {Node::Kind::kOr, 2});
    return parts;
  };
  test::expect_nearly_linear("nested to the left", 4000, to_the_left, plan);
  test::expect_nearly_linear("nested to the right", 4000, to_the_right, plan);
}

}  // namespace
}  // namespace gannet::query
