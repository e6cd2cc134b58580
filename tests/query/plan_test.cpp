// From query text to plans: terms and weights, what decides a match, flags, errors.
#include "query/language/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "codecs/error.hpp"
#include "query/language/expression.hpp"
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
    index_ = test::write_index(directory_.path(), collection, options);
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
    for (const Node& node : planned.expression) {
      if (node.kind == Node::Kind::kTerm) {
        stack.push_back(planned.terms[node.operand].text);
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
  for (const PlanTerm& term : plan.terms) all.push_back(term.text);
  return all;
}

std::vector<std::string> required(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlanTerm& term : plan.terms) {
    if (term.required) all.push_back(term.text);
  }
  return all;
}

TEST_F(PlanTest, TermsAreDistinctInOrderOfFirstOccurrence) {
  const Plan planned = plan("h F g f H h");
  EXPECT_THAT(texts(planned), ElementsAre("h", "f", "g"));
  EXPECT_EQ(planned.terms[1].document_frequency, 5u);
  ASSERT_TRUE(planned.terms[0].id.has_value());
  EXPECT_EQ(index_->segments()[0]->term(*planned.terms[0].id), "h");
}

TEST_F(PlanTest, WeightsCountOccurrences) {
  const Plan planned = plan("h f h h");
  const double idf_h = std::log(1 + (10 - 3 + 0.5) / (3 + 0.5));
  const double idf_f = std::log(1 + (10 - 5 + 0.5) / (5 + 0.5));
  EXPECT_FLOAT_EQ(planned.terms[0].weight, static_cast<float>(3 * idf_h * 1.9));
  EXPECT_FLOAT_EQ(planned.terms[1].weight, static_cast<float>(idf_f * 1.9));
  // Under an even number of negations an occurrence counts, under an odd number it does not.
  EXPECT_EQ(plan("h -(f -h) f -h").terms[0].weight, plan("h h").terms[0].weight);
}

TEST_F(PlanTest, NegatedTermsAreNotScored) {
  const Plan planned = plan("f -g NOT (h NOT j)");
  EXPECT_THAT(texts(planned), ElementsAre("f", "g", "h", "j"));
  EXPECT_TRUE(planned.terms[0].scored);
  EXPECT_FALSE(planned.terms[1].scored);
  EXPECT_EQ(planned.terms[1].weight, 0);
  EXPECT_FALSE(planned.terms[2].scored);
  EXPECT_TRUE(planned.terms[3].scored);
  EXPECT_GT(planned.terms[3].weight, 0);
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
  EXPECT_EQ(matching("?? - + \" f"), "f");
  EXPECT_TRUE(plan("the").terms.empty());
  EXPECT_TRUE(plan("").expression.empty());
  EXPECT_FALSE(plan("").matches_absent);
}

TEST_F(PlanTest, TermsThatNoDocumentHasStay) {
  const Plan planned = plan("zzz AND f");
  EXPECT_EQ(matching("zzz AND f"), "(zzz&f)");
  EXPECT_FALSE(planned.terms[0].id.has_value());
  EXPECT_EQ(planned.terms[0].document_frequency, 0u);
  EXPECT_EQ(planned.terms[0].weight, 0);
  EXPECT_TRUE(planned.terms[0].required);
  EXPECT_TRUE(planned.conjunction);
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
    return std::string(planned.disjunction ? "or " : "") + (planned.conjunction ? "and " : "") +
           (planned.matches_absent ? "absent" : "");
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
  EXPECT_TRUE(planned.disjunction);
  EXPECT_TRUE(plan(")f OR g(", Mode::kAnd, true).conjunction);
  EXPECT_TRUE(plan("?!", Mode::kOr, true).expression.empty());
}

TEST_F(PlanTest, ParametersAreChecked) {
  const auto with = [&](std::optional<float> k1, std::optional<float> b) {
    Query query;
    query.text = "f";
    query.k1 = k1;
    query.b = b;
    return make_plan(*index_, *analyzer_, query);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(with({}, {}).k1, index_->defaults().k1);
  EXPECT_EQ(with({}, {}).b, index_->defaults().b);
  EXPECT_EQ(with(1.2f, 0.75f).k1, 1.2f);
  EXPECT_NO_THROW(with(0.0f, 0.0f));
  EXPECT_NO_THROW(with(1e9f, 1.0f));
  EXPECT_THROW(with(-0.1f, {}), UsageError);
  EXPECT_THROW(with(nan, {}), UsageError);
  EXPECT_THROW(with(std::numeric_limits<float>::infinity(), {}), UsageError);
  EXPECT_THROW(with({}, -0.1f), UsageError);
  EXPECT_THROW(with({}, 1.1f), UsageError);
  EXPECT_THROW(with({}, nan), UsageError);
}

TEST_F(PlanTest, AnyK) {
  Query query;
  query.text = "f";
  query.k = 0xffffffffu;
  EXPECT_EQ(make_plan(*index_, *analyzer_, query).k, 0xffffffffu);
}

TEST_F(PlanTest, ManyTermsNeedAShallowStack) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "w" + std::to_string(i) + " ";
  const Plan planned = plan(text);
  EXPECT_EQ(planned.terms.size(), 20000u);
  EXPECT_TRUE(planned.disjunction);
  EXPECT_NO_THROW(check_plan(planned, *index_));
  EXPECT_NO_THROW(check_plan(plan(text, Mode::kAnd), *index_));
}

TEST_F(PlanTest, IsPrintable) {
  EXPECT_EQ(to_string(plan("+f (g zzz) -h")),
            "best 10 by BM25, k1 0.9, b 0.4\n"
            "terms\n"
            "  f: in 5 documents, weight 1.3169796, required\n"
            "  g: in 4 documents, weight 1.698254\n"
            "  zzz: in no document, weight 0\n"
            "  h: in 3 documents, not scored\n"
            "matches\n"
            "  AND\n"
            "    f\n"
            "    NOT\n"
            "      h\n");
  EXPECT_THAT(to_string(plan("")), HasSubstr("nothing"));
}

TEST_F(PlanTest, PlansMadeByHandAreChecked) {
  using Kind = Node::Kind;
  const auto refused = [&](auto change) {
    Plan planned = plan("f g");
    change(planned);
    try {
      check_plan(planned, *index_);
    } catch (const UsageError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Plan&) {}));
  EXPECT_FALSE(refused([](Plan& p) { p.expression.clear(); }));
  EXPECT_TRUE(refused([](Plan& p) { p.expression.pop_back(); }));
  EXPECT_TRUE(refused([](Plan& p) { p.expression.push_back({Kind::kAnd, 2}); }));
  EXPECT_TRUE(refused([](Plan& p) { p.expression.push_back({Kind::kAnd, 0}); }));
  EXPECT_TRUE(refused([](Plan& p) { p.expression.insert(p.expression.begin(), {Kind::kNot, 1}); }));
  EXPECT_TRUE(refused([](Plan& p) { p.expression[0].operand = 2; }));
  EXPECT_TRUE(refused([](Plan& p) { p.terms[0].id = 99; }));
  EXPECT_TRUE(refused([](Plan& p) { p.terms[0].document_frequency = 3; }));
  EXPECT_TRUE(refused([](Plan& p) { p.terms[0].weight = -1; }));
  EXPECT_TRUE(refused([](Plan& p) { p.terms[0].weight = std::numeric_limits<float>::infinity(); }));
  EXPECT_TRUE(refused([](Plan& p) { p.k1 = -1; }));
  EXPECT_TRUE(refused([](Plan& p) {
    p.expression.assign(kMaxStack + 1, {Kind::kTerm, 0});
    p.expression.push_back({Kind::kOr, kMaxStack + 1});
  }));
}

TEST_F(PlanTest, SearcherRefusesPlansOfAnotherIndex) {
  Searcher searcher(index_);
  Plan planned = plan("f");
  planned.terms[0].document_frequency = 77;
  EXPECT_THROW(searcher.search(std::span(&planned, 1)), UsageError);
}

TEST_F(PlanTest, SearcherNeedsAnIndex) { EXPECT_THROW(Searcher(nullptr), UsageError); }

TEST(BackendChoice, Names) {
  EXPECT_EQ(backend_choice("auto"), BackendChoice::kAuto);
  EXPECT_EQ(backend_choice("cpu"), BackendChoice::kCpu);
  EXPECT_EQ(backend_choice("cuda"), BackendChoice::kCuda);
  EXPECT_THROW(backend_choice("CPU"), UsageError);
  EXPECT_THROW(backend_choice(""), UsageError);
}

TEST_F(PlanTest, BackendsAreChosenAndReported) {
  Report report;
  const Plan planned = plan("f g");
  SearcherOptions options;
  options.backend = BackendChoice::kCpu;
  Searcher cpu(index_, options);
  cpu.search(std::span(&planned, 1), &report);
  EXPECT_EQ(report.backend, "cpu");
  EXPECT_EQ(report.reason, "it was asked for");
  EXPECT_EQ(report.queries, 1u);
  EXPECT_EQ(report.postings, 9u);
  EXPECT_EQ(report.tiles_total, 2u);
  EXPECT_EQ(report.tiles_decoded, 2u);
  EXPECT_GT(report.seconds, 0);

  Searcher automatic(index_);
  automatic.search(std::span(&planned, 1), &report);
  std::string why;
  options.backend = BackendChoice::kCuda;
  if (cuda_available(&why)) {
    EXPECT_EQ(report.backend, "cuda");
    EXPECT_EQ(Searcher(index_, options).backend_name(), "cuda");
  } else {
    EXPECT_EQ(report.backend, "cpu");
    EXPECT_THAT(report.reason, HasSubstr(why));
    EXPECT_FALSE(why.empty());
    EXPECT_THROW(Searcher(index_, options), NoDeviceError);
  }
}

}  // namespace
}  // namespace gannet::query
