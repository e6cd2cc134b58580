// Formulas in normal form, their postfix programs, and evaluation of many documents at once.
#include "query/plan/making/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "query/plan/making/clauses.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

using Kind = Node::Kind;

Formula term(std::uint32_t number) { return make_term(number); }

template <class... Parts>
Formula all_of(Parts... parts) {
  return make_chain(Kind::kAnd, {parts...});
}

template <class... Parts>
Formula any_of(Parts... parts) {
  return make_chain(Kind::kOr, {parts...});
}

std::string show(const Formula& formula) {
  if (formula.kind == Kind::kTerm) return std::to_string(formula.term);
  if (formula.kind == Kind::kNot) return "!" + show(formula.parts.front());
  std::string text;
  for (const Formula& part : formula.parts) {
    text += (text.empty() ? "" : formula.kind == Kind::kAnd ? "&" : "|") + show(part);
  }
  return "(" + text + ")";
}

bool value_of(const Formula& formula, std::uint32_t documents_terms) {
  switch (formula.kind) {
    case Kind::kNever:
    case Kind::kPredicate:
      return false;
    case Kind::kTerm:
      return (documents_terms >> formula.term & 1) != 0;
    case Kind::kNot:
      return !value_of(formula.parts.front(), documents_terms);
    case Kind::kAnd:
      for (const Formula& part : formula.parts) {
        if (!value_of(part, documents_terms)) return false;
      }
      return true;
    case Kind::kOr:
      for (const Formula& part : formula.parts) {
        if (value_of(part, documents_terms)) return true;
      }
      return false;
  }
  return false;
}

TEST(Formula, ChainsAreFlatAndHaveNoTermTwice) {
  EXPECT_EQ(show(all_of(term(0), all_of(term(1), term(2)), term(3))), "(0&1&2&3)");
  EXPECT_EQ(show(any_of(any_of(term(1), term(0)), term(1), any_of(term(0), term(2)))), "(1|0|2)");
  EXPECT_EQ(show(all_of(term(0), any_of(term(1), term(2)))), "(0&(1|2))");
  EXPECT_EQ(show(all_of(term(4), term(4))), "4");
  EXPECT_EQ(show(any_of(make_not(term(4)), make_not(term(4)), term(4))), "(!4|4)");
  EXPECT_EQ(show(all_of(term(7))), "7");
}

TEST(Formula, DoubleNegationVanishes) {
  EXPECT_EQ(show(make_not(make_not(term(3)))), "3");
  EXPECT_EQ(show(make_not(make_not(make_not(term(3))))), "!3");
  EXPECT_EQ(show(all_of(term(0), make_not(make_not(all_of(term(1), term(2)))))), "(0&1&2)");
}

/// `0 1|2 !`: the clauses, and a mark where they do not decide.
std::string clauses(const Formula& formula) {
  const FormulaClauses found = clauses_of(formula);
  std::string text;
  for (std::size_t i = 0; i < found.clauses.size(); ++i) {
    if (i > 0) text += ' ';
    const auto clause = found.clauses[i];
    for (std::size_t t = 0; t < clause.size(); ++t) {
      text += (t > 0 ? "|" : "") + std::to_string(clause[t]);
    }
  }
  return text + (found.decide ? "" : "!");
}

TEST(Formula, ClausesThatEveryMatchMeets) {
  EXPECT_EQ(clauses(term(5)), "5");
  EXPECT_EQ(clauses(make_not(term(5))), "!");
  EXPECT_EQ(clauses(any_of(term(1), term(0))), "0|1");
  EXPECT_EQ(clauses(all_of(term(2), term(1), make_not(term(0)))), "2 1!");
  EXPECT_EQ(clauses(all_of(any_of(term(0), term(1)), any_of(term(3), term(2)))), "0|1 2|3");
  EXPECT_EQ(clauses(all_of(term(1), any_of(term(0), term(1)))), "1");
  EXPECT_EQ(clauses(any_of(all_of(term(0), term(1)), term(2))), "0|2 1|2");
  EXPECT_EQ(clauses(any_of(all_of(term(0), term(1)), all_of(term(1), term(2)))), "0|2 1");
  EXPECT_EQ(clauses(all_of(term(3), any_of(all_of(term(0), term(1)), term(1)))), "3 1");
  EXPECT_EQ(clauses(any_of(term(0), make_not(term(1)))), "!");
  EXPECT_EQ(clauses(all_of(any_of(term(0), term(1)), make_predicate(0))), "0|1!");
  // Not ((not a) or b) is a and not b.
  EXPECT_EQ(clauses(make_not(any_of(make_not(term(0)), term(1)))), "0!");
  EXPECT_EQ(clauses(make_not(all_of(make_not(term(0)), make_not(term(1))))), "0|1");
}

TEST(Formula, AnOrOfManyAndsHasOneClauseOfTheirTerms) {
  std::vector<Formula> pairs;
  for (std::uint32_t i = 0; i < 4; ++i) pairs.push_back(all_of(term(2 * i), term(2 * i + 1)));
  EXPECT_EQ(clauses_of(make_chain(Kind::kOr, pairs)).clauses.size(), 16u);
  pairs.push_back(all_of(any_of(term(20), term(21)), term(22)));
  EXPECT_EQ(clauses(make_chain(Kind::kOr, pairs)), "0|2|4|6|22!");
  // What all of them require is still known.
  for (Formula& pair : pairs) pair = all_of(pair, term(30));
  EXPECT_EQ(clauses(make_chain(Kind::kOr, pairs)), "0|2|4|6|22 30!");
}

Formula random_formula(std::mt19937& random, std::uint32_t terms, int depth) {
  const auto kind = random() % (depth == 0 ? 1 : 4);
  if (kind == 0) return term(static_cast<std::uint32_t>(random() % terms));
  if (kind == 1) return make_not(random_formula(random, terms, depth - 1));
  std::vector<Formula> parts;
  for (auto n = 1 + random() % 4; n > 0; --n) {
    parts.push_back(random_formula(random, terms, depth - 1));
  }
  return make_chain(kind == 2 ? Kind::kAnd : Kind::kOr, std::move(parts));
}

std::uint32_t stack_depth(const std::vector<Node>& expression) {
  std::uint32_t depth = 0;
  std::uint32_t deepest = 0;
  for (const Node& node : expression) {
    if (node.kind == Kind::kTerm) ++depth;
    if (node.kind == Kind::kAnd || node.kind == Kind::kOr) depth -= node.operand - 1;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

bool meets_all(const Clauses& clauses, std::uint32_t documents_terms) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const auto has = [&](std::uint32_t term) { return (documents_terms >> term & 1) != 0; };
    if (std::ranges::none_of(clauses[i], has)) return false;
  }
  return true;
}

TEST(Formula, PostfixEvaluatesToTheSameForAllDocuments) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const Formula formula = random_formula(random, 6, 5);
    const std::vector<Node> nodes = to_postfix(formula);
    // Document d of the word has the terms that are the bits of d.
    const auto word = [](std::uint32_t term_number) {
      std::uint64_t documents = 0;
      for (std::uint32_t d = 0; d < 64; ++d) documents |= std::uint64_t{d >> term_number & 1} << d;
      return documents;
    };
    const auto matching = evaluate(nodes.data(), static_cast<std::uint32_t>(nodes.size()),
                                   WordStack<std::uint64_t>(), word);
    const FormulaClauses found = clauses_of(formula);
    for (std::uint32_t d = 0; d < 64; ++d) {
      ASSERT_EQ((matching >> d & 1) != 0, value_of(formula, d)) << show(formula);
      ASSERT_EQ(holds(nodes, [d](std::uint32_t t) { return (d >> t & 1) != 0; }),
                value_of(formula, d));
      const bool meets = meets_all(found.clauses, d);
      ASSERT_TRUE(meets || !value_of(formula, d)) << show(formula);
      if (found.decide) {
        ASSERT_EQ(meets, value_of(formula, d)) << show(formula);
      }
    }
    for (std::uint32_t d = 0; d < 64; ++d) {
      ASSERT_EQ(value_of(from_postfix(nodes), d), value_of(formula, d));
    }
  }
}

TEST(Formula, StackGrowsWithTheLogarithmOfTheTerms) {
  std::vector<Formula> many;
  for (std::uint32_t i = 0; i < 10000; ++i) many.push_back(term(i));
  EXPECT_EQ(stack_depth(to_postfix(make_chain(Kind::kOr, many))), 2u);
  // A tree with 2^n leaves needs 1 + n, whatever its shape.
  Formula balanced = term(0);
  for (std::uint32_t level = 0; level < 8; ++level) {
    const auto kind = level % 2 == 0 ? Kind::kAnd : Kind::kOr;
    balanced = make_chain(kind, {balanced, make_chain(kind, {balanced, term(level + 1)})});
  }
  EXPECT_LE(stack_depth(to_postfix(balanced)), kMaxStack);
  Formula right = term(0);
  for (std::uint32_t i = 1; i <= 150; ++i) {
    right = make_chain(i % 2 == 0 ? Kind::kAnd : Kind::kOr, {term(i), right});
  }
  EXPECT_EQ(stack_depth(to_postfix(right)), 2u);
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const auto nodes = to_postfix(random_formula(random, 50, 7));
    const auto leaves = std::count_if(nodes.begin(), nodes.end(),
                                      [](const Node& node) { return node.kind == Kind::kTerm; });
    ASSERT_LE(1u << (stack_depth(nodes) - 1), static_cast<std::uint32_t>(leaves));
  }
}

TEST(Formula, FromPostfixTakesOperatorsOfManyOperands) {
  const std::vector<Node> given = {{Kind::kTerm, 0}, {Kind::kTerm, 1}, {Kind::kTerm, 2},
                                   {Kind::kOr, 3},   {Kind::kTerm, 3}, {Kind::kNot, 1},
                                   {Kind::kAnd, 2},  {Kind::kAnd, 1}};
  const std::vector<Node> nodes = to_postfix(from_postfix(given));
  for (std::uint32_t d = 0; d < 16; ++d) {
    const bool expected = (d & 7) != 0 && (d & 8) == 0;
    EXPECT_EQ(holds(nodes, [d](std::uint32_t t) { return (d >> t & 1) != 0; }), expected);
  }
  EXPECT_FALSE(holds({}, [](std::uint32_t) { return true; }));
}

}  // namespace
}  // namespace gannet::query
