// Random queries from the alphabets of several engines' grammars: nothing that a query says is lost
// without a word. What is no form of this language is refused wherever it stands; of what is
// accepted, every word is a term of the plan, and every predicate a part of it that is not
// optional.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/language/parse.hpp"
#include "query/language/unsupported.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class Pieces {
 public:
  explicit Pieces(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  std::string word() { return "w" + std::to_string(below(30)) + "x"; }

  /// A form of this language.
  std::string known() {
    switch (below(10)) {
      case 0:
        return "+" + word();
      case 1:
        return "-" + word();
      case 2:
        return word() + "^" + std::to_string(1 + below(9));
      case 3:
        return std::vector<std::string>{"AND", "OR", "NOT"}[below(3)];
      case 4:
        return "year:" + std::to_string(1990 + below(20));
      case 5:
        return "year:[1990 TO " + std::to_string(2000 + below(9)) + "}";
      case 6:
        return below(2) == 0 ? "+tag:a*" : "tag:a*";
      case 7:
        return word() + "-" + word();
      default:
        return word();
    }
  }

  /// A form of another one, of its words and marks at random.
  std::string refused() {
    const std::string a = word();
    const std::string b = word();
    const std::vector<std::string> forms{"\"" + a + " " + b + "\"s",
                                         "\"" + a + "\"~0.3",
                                         "+\"\"",
                                         "'" + a + " " + b + "'",
                                         "*",
                                         a + "~3",
                                         a + "~0.5^2",
                                         a + "*" + b + "~1",
                                         "/" + a + ".+(/",
                                         "/" + a + " [ab]/",
                                         "[" + a + " TO " + b + "]",
                                         "{" + a + " TO " + b + "}",
                                         "[* TO " + a + "}",
                                         "!" + a,
                                         "+!" + a,
                                         "!(" + a + ")",
                                         "&&",
                                         "||",
                                         a + "&&" + b,
                                         a + "||" + b,
                                         a + "^" + b,
                                         a + "^2,5",
                                         a + "^",
                                         "^2",
                                         "(" + a + ")^" + b,
                                         "(" + a + ")~2",
                                         "(" + a + ")@2",
                                         "+-" + a,
                                         "--" + a,
                                         "-+(" + a + ")",
                                         "\\+" + a,
                                         a + "\\:" + b,
                                         "\\(" + a + "\\)",
                                         "nosuch:" + a,
                                         "nosuch:(" + a + ")",
                                         "nosuch:\"" + a + "\"",
                                         "nosuch:>5",
                                         "nosuch:*",
                                         "_exists_:year",
                                         "IN [" + a + " " + b + "]",
                                         ">5",
                                         "<=" + a,
                                         "year>5",
                                         "#combine(" + a + " " + b + ")",
                                         "#combine:0=2(" + a + ")",
                                         "{" + a + " " + b + "}",
                                         a + " NEAR " + b,
                                         a + " NEAR/0 " + b,
                                         a + " ADJ " + b,
                                         a + " XOR " + b,
                                         "tag:" + a + "?",
                                         "tag:" + a + "~1",
                                         "tag:/" + a + ".+/",
                                         "tag:!" + a,
                                         "tag:(-" + a + ")",
                                         "tag:" + a + "&&tag:" + b,
                                         "tag:IN [" + a + "]",
                                         "year:5^2",
                                         "tag:(" + a + " AND " + b + ")"};
    return forms[below(forms.size())];
  }

  std::string space() {
    return std::vector<std::string>{" ", "  ", "\t", "\u3000", "\u00a0"}[below(5)];
  }

  /// Pieces side by side, some in parentheses; `foreign`: one of them is a refused form.
  std::string query(bool foreign) {
    const std::size_t pieces = 1 + below(6);
    const std::size_t at = foreign ? below(pieces) : pieces;
    std::string text;
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::string piece = i == at ? refused() : known();
      const bool group = below(4) == 0 && piece != "AND" && piece != "OR" && piece != "NOT";
      text += (i > 0 ? space() : "") + (group ? "(" + piece + " " + word() + ")" : piece);
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

class LostTokens : public testing::Test {
 protected:
  LostTokens()
      : fields_(test::random_fields(100, 3)),
        index_(test::with_fields(
            *test::write_index(folder_ / "index", test::random_collection(100, 5, 4)), fields_)),
        searcher_(index_, {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}}) {}

  test::TemporaryDirectory folder_;
  std::vector<test::FieldValues> fields_;
  std::shared_ptr<const index::Index> index_;
  Searcher searcher_;
};

TEST_F(LostTokens, FormsOfOtherLanguagesAreRefusedWhereverTheyStand) {
  Pieces pieces(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = pieces.query(true);
    EXPECT_THROW(parse(text, index_->schema()), UsageError) << text;
  }
}

/// The words of a text as Pieces makes them.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find('w'); at != std::string::npos; at = text.find('w', at + 1)) {
    const std::size_t end = text.find('x', at);
    if (end == std::string::npos) break;
    words.push_back(text.substr(at, end + 1 - at));
  }
  return words;
}

bool has_predicate(const Plan& plan, const std::string& field) {
  const auto names = [&](const Filter& filter) {
    return to_string(filter).find(field + ":") != std::string::npos;
  };
  return names(plan.filter()) || std::ranges::any_of(plan.predicates(), names);
}

TEST_F(LostTokens, WordsAndPredicatesOfWhatIsAcceptedAreInThePlan) {
  Pieces pieces(2);
  int accepted = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string text = pieces.query(false);
    Plan plan;
    try {
      plan = searcher_.plan(Query{.text = text, .mode = i % 2 == 0 ? Mode::kOr : Mode::kAnd});
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("needs an operand"), std::string::npos)
          << text << ": " << error.what();
      continue;
    }
    ++accepted;
    for (const std::string& word : words_of(text)) {
      EXPECT_EQ(std::ranges::count(plan.terms(), word, &PlanTerm::text), 1) << text << ": " << word;
    }
    for (const char* const field : {"year", "tag"}) {
      const bool said = text.find(std::string(field) + ":") != std::string::npos;
      const bool has = has_predicate(plan, field);
      // Beside a must clause, one with words is optional, and its predicates decide nothing.
      const bool optional = text.find('+') != std::string::npos;
      EXPECT_TRUE(has == said || (said && optional)) << text << "\n" << to_string(plan);
    }
  }
  EXPECT_GT(accepted, 1'000);
}

}  // namespace
}  // namespace gannet::query
