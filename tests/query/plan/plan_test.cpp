// From query text to plans: terms and weights, what decides a match, flags, errors. Plans made by
// hand: plan_parts_test.cpp.
#include "query/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "query/plan/making/expression.hpp"
#include "query/scoring/scorer.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PlanTest : public testing::Test {
 protected:
  /// 10 documents; "f" is in 5 of them, "g" in 4, "h" in 3, "j" in 2, "k" in 1. (No stop words: "a"
  /// is one.)
  void SetUp() override {
    test::Collection collection;
    collection.lengths.assign(10, 7);
    for (std::uint32_t t = 0; t < 5; ++t) {
      std::vector<std::uint32_t> list(10, 0);
      for (std::uint32_t d = 0; d < 5 - t; ++d) list[d * 2] = d + 1;
      collection.frequencies[std::string(1, "fghjk"[t])] = list;
    }
    index::WriteOptions options;
    options.analyzer.stopwords = "english";
    index_ = test::write_index(directory_.path() / "index", collection, options);
    analyzer_ = std::make_unique<index::Analyzer>(index_->analyzer());
  }

  Plan plan(const std::string& text, Mode mode = Mode::kOr, bool plain = false) {
    Query query;
    query.text = text;
    query.mode = mode;
    return make_plan(*index_, *analyzer_, query, plain);
  }

  /// The matching part of to_string() in one line: NOT x as !x, operands in parentheses.
  std::string matching(const std::string& text, Mode mode = Mode::kOr) {
    const Plan planned = plan(text, mode);
    std::vector<std::string> stack;
    for (const Node& node : planned.expression()) {
      if (node.kind == Node::Kind::kTerm) {
        stack.push_back(planned.terms()[node.operand].text);
      } else if (node.kind == Node::Kind::kNot) {
        stack.back() = "!" + stack.back();
      } else {
        const std::string right = stack.back();
        stack.pop_back();
        stack.back() =
            "(" + stack.back() + (node.kind == Node::Kind::kAnd ? "&" : "|") + right + ")";
      }
    }
    return stack.empty() ? "" : stack.back();
  }

  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<index::Analyzer> analyzer_;
};

std::vector<std::string> texts(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlanTerm& term : plan.terms()) all.push_back(term.text);
  return all;
}

/// The stack that evaluating the plan's expression needs.
std::uint32_t stack_of(const Plan& plan) {
  std::uint32_t depth = 0;
  std::uint32_t deepest = 0;
  for (const Node& node : plan.expression()) {
    if (node.kind == Node::Kind::kTerm) ++depth;
    if (node.kind == Node::Kind::kAnd || node.kind == Node::Kind::kOr) --depth;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

std::vector<std::string> required(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlanTerm& term : plan.terms()) {
    if (term.required) all.push_back(term.text);
  }
  return all;
}

TEST_F(PlanTest, TermsAreDistinctInOrderOfFirstOccurrence) {
  const Plan planned = plan("h F g f H h");
  EXPECT_THAT(texts(planned), ElementsAre("h", "f", "g"));
  EXPECT_EQ(planned.terms()[1].document_frequency, 5u);
  ASSERT_EQ(planned.binding().first_of(*index_), 0u);
  EXPECT_EQ(index_->segments()[0]->term(planned.binding().ids(0)[0]), "h");
}

TEST_F(PlanTest, WeightsCountOccurrences) {
  const Plan planned = plan("h f h h");
  const double idf_h = std::log(1 + (10 - 3 + 0.5) / (3 + 0.5));
  const double idf_f = std::log(1 + (10 - 5 + 0.5) / (5 + 0.5));
  EXPECT_FLOAT_EQ(planned.terms()[0].constants.factor, static_cast<float>(3 * idf_h * 1.9));
  EXPECT_FLOAT_EQ(planned.terms()[1].constants.factor, static_cast<float>(idf_f * 1.9));
  // Under an even number of negations an occurrence counts, under an odd number it does not.
  EXPECT_EQ(plan("h -(f -h) f -h").terms()[0].weight, plan("h h").terms()[0].weight);
}

TEST_F(PlanTest, WeightsMultiplyAndAdd) {
  const auto weights = [&](const std::string& text) {
    const Plan planned = plan(text);
    std::vector<float> all;
    for (const PlanTerm& term : planned.terms()) all.push_back(term.weight);
    return all;
  };
  EXPECT_THAT(weights("f^2.5 g"), ElementsAre(2.5f, 1));
  EXPECT_THAT(weights("f^2.5 g f^.25 f"), ElementsAre(3.75f, 1));
  EXPECT_THAT(weights("f-g^3"), ElementsAre(3, 3)) << "both terms of the word";
  EXPECT_THAT(weights("(f^2 +g (h j)^0.5)^4"), ElementsAre(8, 4, 2, 2));
  EXPECT_THAT(weights("f^2 -f^8 NOT g^3"), ElementsAre(2, 0));
  EXPECT_THAT(weights("-(f -g^3)^2"), ElementsAre(0, 6));
  // Contributions are proportional to the weight.
  const auto factor = [&](const std::string& text) {
    return plan(text).terms()[0].constants.factor;
  };
  EXPECT_EQ(factor("f^4"), 4 * factor("f"));
  EXPECT_EQ(factor("f^4"), factor("f f f f"));
  EXPECT_THAT(to_string(plan("f^2.5 g")), HasSubstr("  f^2.5: in 5 documents, factor 3.29"));
  EXPECT_THROW(plan("f^1e9 f^1e9"), UsageError);
  EXPECT_THROW(plan("(f^1e-6)^0.1"), UsageError);
}

TEST_F(PlanTest, WeightZeroMatchesAndDoesNotScore) {
  const Plan planned = plan("f^0 g");
  EXPECT_FALSE(planned.terms()[0].scored());
  EXPECT_EQ(planned.terms()[0].constants.factor, 0);
  EXPECT_EQ(matching("f^0 g"), "(f|g)");
  EXPECT_FALSE(planned.disjunction());
  EXPECT_TRUE(plan("f^0 f").terms()[0].scored());
}

TEST_F(PlanTest, TermsAreTakenAsTheyAre) {
  Query query;
  query.text = "ignored";
  query.terms = {{"f", 2.5f}, {"F g", 1}, {"h", 0}, {"f", 1}};
  const Plan planned = make_plan(*index_, *analyzer_, query);
  EXPECT_THAT(texts(planned), ElementsAre("f", "F g", "h"));
  EXPECT_EQ(planned.terms()[0].weight, 3.5f);
  EXPECT_EQ(planned.terms()[1].document_frequency, 0u);
  EXPECT_FALSE(planned.terms()[2].scored());
  for (const float wrong : {-1.0f, 1e-7f, 1e10f, std::nanf("")}) {
    query.terms = {{"f", wrong}};
    EXPECT_THROW(make_plan(*index_, *analyzer_, query), UsageError) << wrong;
  }
}

TEST_F(PlanTest, ImpactsAreAddedUp) {
  test::Collection other;
  other.lengths.assign(3, 4);
  other.frequencies["f"] = {0, 2, 0};
  index::WriteOptions options;
  options.defaults.payload = {true, {8, 85.25}};
  const auto impacts = test::write_index(directory_.path() / "impacts", other, options);
  EXPECT_TRUE(impacts->defaults().payload.impacts);
  EXPECT_EQ(impacts->defaults().payload.quantization.bits, 8u);
  EXPECT_EQ(impacts->defaults().payload.quantization.scale, 85.25);
  Query query;
  query.text = "f";
  EXPECT_EQ(make_plan(*impacts, *analyzer_, query).scorer().id, ScorerId::kImpact);
  for (const ScorerInfo& scorer : all_scorers()) {
    query.scorer = standard_scorer(scorer.id);
    if (scorer.id == ScorerId::kImpact) {
      EXPECT_NO_THROW(make_plan(*impacts, *analyzer_, query));
    } else {
      EXPECT_THROW(make_plan(*impacts, *analyzer_, query), UsageError) << scorer.name;
    }
  }
}

TEST_F(PlanTest, NegatedTermsAreNotScored) {
  const Plan planned = plan("f -g NOT (h NOT j)");
  EXPECT_THAT(texts(planned), ElementsAre("f", "g", "h", "j"));
  EXPECT_TRUE(planned.terms()[0].scored());
  EXPECT_FALSE(planned.terms()[1].scored());
  EXPECT_EQ(planned.terms()[1].weight, 0);
  EXPECT_EQ(planned.terms()[1].constants.factor, 0);
  EXPECT_FALSE(planned.terms()[2].scored());
  EXPECT_TRUE(planned.terms()[3].scored());
  EXPECT_GT(planned.terms()[3].constants.factor, 0);
}

TEST_F(PlanTest, NeighboursCombineByMode) {
  EXPECT_EQ(matching("f g h"), "((f|g)|h)");
  EXPECT_EQ(matching("f g h", Mode::kAnd), "((f&g)&h)");
  EXPECT_EQ(matching("f g OR h", Mode::kAnd), "((g|h)&f)");
  EXPECT_EQ(matching("f g AND h"), "((g&h)|f)");
  EXPECT_EQ(matching("(f g) AND h"), "((f|g)&h)");
  EXPECT_EQ(matching("f-g AND h"), "((f|g)&h)");
  EXPECT_EQ(matching("f-g OR h", Mode::kAnd), "((f&g)|h)");
}

TEST_F(PlanTest, SignsDecideWhatMustMatch) {
  EXPECT_EQ(matching("+f g"), "f");
  EXPECT_EQ(matching("+f g +h j"), "(f&h)");
  EXPECT_EQ(matching("+f g", Mode::kAnd), "f");
  EXPECT_EQ(matching("f g -h"), "((f|g)&!h)");
  EXPECT_EQ(matching("f g -h", Mode::kAnd), "((f&g)&!h)");
  EXPECT_EQ(matching("f g NOT h"), "((f|g)&!h)");
  EXPECT_EQ(matching("+f g -h NOT j"), "((f&!h)&!j)");
  EXPECT_EQ(matching("-f"), "!f");
  EXPECT_EQ(matching("-f -g"), "(!f&!g)");
  EXPECT_EQ(matching("(-f) g"), "(!f|g)");
  EXPECT_EQ(matching("+(f g) h"), "(f|g)");
  EXPECT_EQ(matching("(+f g) h"), "(f|h)");
  EXPECT_EQ(matching("f -(+g h)"), "(f&!g)");
  EXPECT_EQ(matching("f OR NOT g"), "(f|!g)");
  EXPECT_THAT(texts(plan("+f g -h")), ElementsAre("f", "g", "h"));
}

TEST_F(PlanTest, RepetitionsAndDoubleNegationsVanish) {
  EXPECT_EQ(matching("f g f"), "(f|g)");
  EXPECT_EQ(matching("f AND f"), "f");
  EXPECT_EQ(matching("f OR (g OR (h OR f))"), "((f|g)|h)");
  EXPECT_EQ(matching("NOT (NOT f)"), "f");
  EXPECT_EQ(matching("-(-f)"), "f");
}

TEST_F(PlanTest, WordsWithoutTermsVanish) {
  EXPECT_EQ(matching("the"), "");
  EXPECT_EQ(matching("f AND the"), "f");
  EXPECT_EQ(matching("the OR f"), "f");
  EXPECT_EQ(matching("+the f g"), "(f|g)");
  EXPECT_EQ(matching("f -the"), "f");
  EXPECT_EQ(matching("NOT (the of) f"), "f");
  EXPECT_EQ(matching("?? - + % f"), "f");
  EXPECT_TRUE(plan("the").terms().empty());
  EXPECT_TRUE(plan("").expression().empty());
  EXPECT_FALSE(plan("").matches_absent());
}

TEST_F(PlanTest, TermsThatNoDocumentHasStay) {
  const Plan planned = plan("zzz AND f");
  EXPECT_EQ(matching("zzz AND f"), "(zzz&f)");
  EXPECT_EQ(planned.binding().ids(0)[0], kNoTerm);
  EXPECT_EQ(planned.terms()[0].document_frequency, 0u);
  EXPECT_TRUE(planned.terms()[0].required);
  EXPECT_TRUE(planned.conjunction());
}

TEST_F(PlanTest, RequiredTerms) {
  EXPECT_THAT(required(plan("f")), ElementsAre("f"));
  EXPECT_THAT(required(plan("f g")), IsEmpty());
  EXPECT_THAT(required(plan("+f g +h -j")), ElementsAre("f", "h"));
  EXPECT_THAT(required(plan("(f AND g) OR (g AND h)")), ElementsAre("g"));
  EXPECT_THAT(required(plan("NOT (NOT f OR g)")), ElementsAre("f"));
}

TEST_F(PlanTest, Flags) {
  const auto flags = [&](const std::string& text, Mode mode = Mode::kOr) {
    const Plan planned = plan(text, mode);
    return std::string(planned.disjunction() ? "or " : "") + (planned.conjunction() ? "and " : "") +
           (planned.matches_absent() ? "absent" : "");
  };
  EXPECT_EQ(flags("f"), "or and ");
  EXPECT_EQ(flags("f f"), "or and ");
  EXPECT_EQ(flags("f g f zzz"), "or ");
  EXPECT_EQ(flags("f g", Mode::kAnd), "and ");
  EXPECT_EQ(flags("+f +g"), "and ");
  EXPECT_EQ(flags("+f g"), "");
  EXPECT_EQ(flags("f -g"), "");
  EXPECT_EQ(flags("f g -(h -f)"), "");
  EXPECT_EQ(flags("-f"), "absent");
  EXPECT_EQ(flags("f OR NOT g"), "absent");
  EXPECT_EQ(flags("f AND (g OR NOT h)"), "");
  EXPECT_EQ(flags(""), "");
}

TEST_F(PlanTest, PlainTextHasNoOperators) {
  const Plan planned = plan("+f -g (h AND \"NOT", Mode::kOr, true);
  // "and" and "not" are stop words of this index.
  EXPECT_THAT(texts(planned), ElementsAre("f", "g", "h"));
  EXPECT_TRUE(planned.disjunction());
  EXPECT_TRUE(plan(")f OR g(", Mode::kAnd, true).conjunction());
  EXPECT_TRUE(plan("?!", Mode::kOr, true).expression().empty());
}

TEST_F(PlanTest, ParametersAreChecked) {
  const auto with = [&](std::optional<ScorerSpec> scorer) {
    Query query;
    query.text = "f";
    query.scorer = scorer;
    return make_plan(*index_, *analyzer_, query);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(with({}).scorer(), bm25(index_->defaults().k1, index_->defaults().b));
  EXPECT_EQ(with(bm25(1.2f, 0.75f)).scorer(), bm25(1.2f, 0.75f));
  EXPECT_NO_THROW(with(bm25(0.0f, 0.0f)));
  EXPECT_NO_THROW(with(bm25(1e9f, 1.0f)));
  EXPECT_THROW(with(bm25(-0.1f, 0.4f)), UsageError);
  EXPECT_THROW(with(bm25(nan, 0.4f)), UsageError);
  EXPECT_THROW(with(bm25(std::numeric_limits<float>::infinity(), 0.4f)), UsageError);
  EXPECT_THROW(with(bm25(0.9f, -0.1f)), UsageError);
  EXPECT_THROW(with(bm25(0.9f, 1.1f)), UsageError);
  EXPECT_THROW(with(bm25(0.9f, nan)), UsageError);
}

TEST_F(PlanTest, AnyK) {
  Query query;
  query.text = "f";
  query.k = 0xffffffffu;
  EXPECT_EQ(make_plan(*index_, *analyzer_, query).k(), 0xffffffffu);
}

TEST_F(PlanTest, ManyTermsNeedAShallowStack) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "w" + std::to_string(i) + " ";
  const Plan planned = plan(text);
  EXPECT_EQ(planned.terms().size(), 20000u);
  EXPECT_TRUE(planned.disjunction());
  EXPECT_LE(stack_of(planned), 2u);
  EXPECT_LE(stack_of(plan(text, Mode::kAnd)), 2u);
}

TEST_F(PlanTest, IsPrintable) {
  EXPECT_EQ(to_string(plan("+f (g zzz) -h")),
            "best 10 by bm25 k1=0.9,b=0.4,idf=lucene,norm=robertson\n"
            "terms\n"
            "  f: in 5 documents, factor 1.3169796, required\n"
            "  g: in 4 documents, factor 1.698254\n"
            "  zzz: in no document, factor 5.8729806\n"
            "  h: in 3 documents, not scored\n"
            "matches\n"
            "  AND\n"
            "    f\n"
            "    NOT\n"
            "      h\n");
  EXPECT_THAT(to_string(plan("")), HasSubstr("nothing"));
}

TEST_F(PlanTest, PlansOfAnotherIndexAreLookedUp) {
  test::Collection other;
  other.lengths.assign(3, 4);
  other.frequencies["a"] = {1, 1, 1};
  other.frequencies["f"] = {0, 2, 0};
  const auto there = test::write_index(directory_.path() / "other", other);
  const Plan planned = plan("f");
  const Searcher searcher(there, {BackendChoice::kCpu, {}, {}});
  const Results results = searcher.search(std::span(&planned, 1));
  ASSERT_EQ(results[0].docids.size(), 1u);
  EXPECT_EQ(results[0].docids[0], 1u);
  // Scored with the statistics that the plan was made with, not those of the index it runs on.
  EXPECT_EQ(results[0].scores[0],
            contribution(planned.constants(), planned.terms()[0].constants, 2, 4));
}

}  // namespace
}  // namespace gannet::query
