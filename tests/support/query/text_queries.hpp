// Random queries over several texts, of every shape that makes clauses.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "query/plan/query.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::test {

/// Queries over the words w0 .. w20 (random_texts() has w20 nowhere) of an index with the text
/// fields f0 .. f(fields - 1), by any scorer.
class TextQueries {
 public:
  TextQueries(std::uint32_t fields, unsigned seed) : fields_(fields), random_(seed) {}

  query::Query next() {
    static constexpr std::uint32_t kSomeK[] = {1, 2, 10, 30, 100, 300, 1000};
    query::Query query;
    query.text = text();
    query.mode = up_to(2) == 0 ? query::Mode::kAnd : query::Mode::kOr;
    query.k = kSomeK[up_to(std::size(kSomeK))];
    query.scorer = scorer();
    if (up_to(3) == 0) query.search_fields = some_fields();
    if (up_to(4) == 0) query.filter = filter();
    return query;
  }

 private:
  std::uint32_t up_to(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::string field() { return "f" + std::to_string(up_to(fields_)); }

  std::string word() {
    // Rare words more often than random_texts() has them.
    std::string text = up_to(6) == 0 ? field() + ":" : up_to(8) == 0 ? "contents:" : "";
    text += "w" + std::to_string(up_to(21));
    static constexpr const char* kBoosts[] = {"^2", "^0.01", "^300", "^0"};
    return up_to(4) == 0 ? text + kBoosts[up_to(std::size(kBoosts))] : text;
  }

  std::string words(std::uint32_t n, const char* between = " ", const char* sign = "") {
    std::string text;
    for (std::uint32_t i = 0; i < n; ++i) text += (i > 0 ? between : "") + (sign + word());
    return text;
  }

  std::string text() {
    const std::uint32_t n = 1 + up_to(4);
    switch (up_to(9)) {
      case 0:
        return words(n) + " -" + word();
      case 1:
        return "+" + word() + " " + words(n);
      case 2:
        return words(2, " ", "+") + " " + words(n);
      case 3:
        return "(" + words(n, " OR ") + ") AND (" + words(2, " OR ") + ")";
      case 4:
        return "(" + words(2, " AND ") + ") OR (" + words(n, " AND ") + ")";
      case 5:
        return word() + " OR (" + word() + " AND NOT " + word() + ")";
      case 6:
        return words(2 + n, " AND ");
      default:
        return words(n);
    }
  }

  query::ScorerSpec scorer() {
    const auto& all = query::all_scorers();
    if (up_to(2) == 0) {  // BM25F has searches of its own
      static constexpr const char* kParameters[] = {
          "", "f0.b=0.9", "f0.weight=5,contents.weight=0.2", "k1=0", "k1=3,b=1"};
      return query::parse_scorer("bm25f", kParameters[up_to(std::size(kParameters))], {});
    }
    return query::standard_scorer(all[up_to(all.size())].id);
  }

  std::vector<query::SearchField> some_fields() {
    static constexpr float kWeights[] = {1, 3, 0.1f, 0};
    std::vector<query::SearchField> some{{"contents", kWeights[up_to(4)]}};
    for (std::uint32_t i = 0; i < fields_; ++i) {
      if (up_to(2) == 0) some.push_back({"f" + std::to_string(i), kWeights[up_to(4)]});
    }
    return some;
  }

  query::Filter filter() {
    const query::Filter exists = query::Filter::exists(field());
    return up_to(2) == 0 ? exists : !exists;
  }

  std::uint32_t fields_;
  std::mt19937 random_;
};

}  // namespace gannet::test
