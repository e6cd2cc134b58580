// Corrections of queries: those that a loop over all terms, documents and choices gives.
#include "query/did_you_mean.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "query/inexact/code_points.hpp"
#include "query/inexact/edit_distance.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/patterns.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;

Searcher correcting_searcher(std::shared_ptr<const index::Index> index) {
  return Searcher(std::move(index), {.backend = BackendChoice::kCpu});
}

/// The rule of did_you_mean.hpp, by definition. Numbers are small enough for doubles.
class Definition {
 public:
  explicit Definition(const test::Collection& collection) : collection_(collection) {}

  /// Of words with one blank between them; at most two may be in question, so that no choice is
  /// given up on the way.
  std::string correct(const std::string& query) const {
    std::vector<std::vector<Choice>> choices;
    std::istringstream in(query);
    for (std::string word; in >> word;) choices.push_back(choices_of(word));
    std::vector<Choice> all(choices.size()), best;
    try_all(choices, 0, all, best);
    std::string text;
    for (const Choice& one : best) text += (text.empty() ? "" : " ") + one.word;
    return text;
  }

  std::size_t in_question(const std::string& query) const {
    std::size_t words = 0;
    std::istringstream in(query);
    for (std::string word; in >> word;) words += choices_of(word).front().is_asked ? 1u : 0u;
    return words;
  }

 private:
  struct Choice {
    std::string word = {};
    std::uint32_t edits = 0;
    bool is_asked = false;
  };

  std::uint32_t documents(const std::string& word) const {
    return collection_.document_frequency(word);
  }

  static bool has_more(double a, double b) { return a > b * (1 + 1e-12); }

  std::vector<Choice> choices_of(const std::string& word) const {
    const std::u32string points = code_points(word);
    const std::uint32_t edits = points.size() < 3 ? 0 : points.size() < 6 ? 1 : 2;
    const bool digit = std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
    const double own = documents(word);
    std::vector<std::pair<Choice, double>> near;
    for (const auto& [term, list] : collection_.frequencies) {
      const std::uint32_t distance = edit_distance(points, code_points(term));
      const bool shorter = distance >= std::min(points.size(), code_points(term).size());
      if (digit || distance == 0 || distance > edits || shorter) continue;
      near.push_back({{term, distance, true}, documents(term) / std::pow(100.0, distance)});
    }
    std::ranges::stable_sort(near, [](const auto& a, const auto& b) {
      if (has_more(a.second, b.second) || has_more(b.second, a.second)) return a.second > b.second;
      return a.first.edits < b.first.edits;
    });
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < near.size() && i < 5; ++i) {
      if (100 * own <= collection_.documents() && !has_more(own, near[i].second)) {
        choices.push_back(near[i].first);
      }
    }
    if (choices.empty()) return {{word, 0, false}};
    if (own > 0) choices.push_back({word, 0, true});
    return choices;
  }

  void try_all(const std::vector<std::vector<Choice>>& choices, std::size_t at,
               std::vector<Choice>& all, std::vector<Choice>& best) const {
    if (at < choices.size()) {
      for (const Choice& one : choices[at]) {
        all[at] = one;
        try_all(choices, at + 1, all, best);
      }
    } else if (best.empty() || is_better(all, best)) {
      best = all;
    }
  }

  std::uint32_t documents_with_all(const std::vector<Choice>& words) const {
    std::vector<const std::vector<std::uint32_t>*> lists;
    for (const Choice& one : words) {
      const auto found = collection_.frequencies.find(one.word);
      if (found != collection_.frequencies.end()) lists.push_back(&found->second);
    }
    std::uint32_t documents = 0;
    for (std::uint32_t d = 0; d < collection_.documents(); ++d) {
      documents += std::ranges::all_of(lists, [&](const auto* list) { return (*list)[d] > 0; });
    }
    return documents;
  }

  bool is_better(const std::vector<Choice>& a, const std::vector<Choice>& b) const {
    std::uint32_t edits_a = 0, edits_b = 0, rarest_a = ~0u, rarest_b = ~0u;
    std::vector<std::string> words_a, words_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
      edits_a += a[i].edits;
      edits_b += b[i].edits;
      if (!a[i].is_asked) continue;
      rarest_a = std::min(rarest_a, documents(a[i].word));
      rarest_b = std::min(rarest_b, documents(b[i].word));
      words_a.push_back(a[i].word);
      words_b.push_back(b[i].word);
    }
    const double weight_a = documents_with_all(a) / std::pow(100.0, edits_a);
    const double weight_b = documents_with_all(b) / std::pow(100.0, edits_b);
    if (has_more(weight_a, weight_b)) return true;
    if (has_more(weight_b, weight_a)) return false;
    if (edits_a != edits_b) return edits_a < edits_b;
    if (rarest_a != rarest_b) return rarest_a > rarest_b;
    return words_a < words_b;
  }

  const test::Collection& collection_;
};

constexpr std::uint32_t kNeighbourDocuments = 3'000;

/// Words of which many are one or two edits apart, some in most documents and most in few.
test::Collection collection_of_neighbours(std::mt19937& random) {
  test::Collection made;
  made.lengths.assign(kNeighbourDocuments, 10);
  for (int stem = 0; stem < 25; ++stem) {
    const std::string word = "w" + test::random_word(random, 8, {"a", "b", "c", "é"}) + "x";
    for (int i = 0; i < 8; ++i) {
      std::u32string spelled = code_points(word);
      for (auto edits = random() % 3; edits > 0; --edits) {
        spelled[random() % spelled.size()] = static_cast<char32_t>('a' + random() % 4);
      }
      std::string text;
      for (const char32_t c : spelled) append_utf8(c, text);
      std::vector<std::uint32_t>& list = made.frequencies[text];
      list.assign(kNeighbourDocuments, 0);
      const std::uint32_t one_in = std::uint32_t{2} << (random() % 11);
      for (std::uint32_t d = 0; d < kNeighbourDocuments; ++d)
        list[d] = random() % one_in == 0 ? 1 : 0;
      list[random() % kNeighbourDocuments] = 1;
    }
  }
  return made;
}

TEST(DidYouMean, IsTheBestOfAllChoices) {
  std::mt19937 random(1);
  std::size_t corrected = 0, asked = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const test::Collection collection = collection_of_neighbours(random);
    const Definition definition(collection);
    const test::TemporaryDirectory folder;
    const Searcher searcher = correcting_searcher(
        test::write_segments(folder / "index", collection, {700, 701, kNeighbourDocuments}));
    std::vector<std::string> terms;
    for (const auto& [term, list] : collection.frequencies) terms.push_back(term);
    for (int i = 0; i < 150; ++i) {
      std::string query;
      for (auto words = 1 + random() % 4; words > 0; --words) {
        std::string word = terms[random() % terms.size()];
        if (random() % 3 == 0) word += 'c';
        query += (query.empty() ? "" : " ") + word;
      }
      if (definition.in_question(query) > 2) continue;
      const std::string expected = definition.correct(query);
      const std::optional<Correction> found = did_you_mean(searcher, {.text = query});
      EXPECT_EQ(found ? found->text : query, expected) << query;
      corrected += expected != query ? 1u : 0u;
      asked += 1;
    }
  }
  EXPECT_GT(corrected, 60u);
  EXPECT_GT(asked, corrected + 60);
}

class Corrections : public testing::Test {
 protected:
  Corrections() {
    for (int i = 0; i < 300; ++i) {
      documents_.push_back({{"solar power and the sun", "energy"}});
      documents_.push_back({{"a dollar in cash", "money"}});
      documents_.push_back({{"a dollar in cash", "finance"}});
    }
    documents_.push_back({{"sollar powers", "enrgy"}});
    searcher_.emplace(correcting_searcher(test::build_texts(
        folder_ / "index", documents_, test::texts_schema(1), {450, documents_.size()})));
  }

  std::string corrected(const std::string& text, bool plain = false,
                        std::vector<SearchField> fields = {}) const {
    const auto found =
        did_you_mean(*searcher_, {.text = text, .search_fields = std::move(fields)}, plain);
    return found ? found->text : "";
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_;
  std::optional<Searcher> searcher_;
};

TEST_F(Corrections, GoWithTheOtherWords) {
  EXPECT_EQ(corrected("sollar"), "dollar") << "more documents have it";
  EXPECT_EQ(corrected("sollar power"), "solar power");
  EXPECT_EQ(corrected("sollar cash"), "dollar cash");
  EXPECT_EQ(corrected("sollar powwer"), "solar power") << "both at once";
  EXPECT_EQ(corrected("solar power"), "");
  EXPECT_EQ(corrected("sollar unheardof"), "dollar unheardof");
}

TEST_F(Corrections, ChangeWordsAlone) {
  EXPECT_EQ(corrected("+Sollar^2 (POWWER) -solur *:*"), "+solar^2 (power) -solur *:*");
  EXPECT_EQ(corrected("f0:sollar sollar~1 sol* s?llar"), "");
  EXPECT_EQ(corrected("NOT sollar"), "");
  EXPECT_EQ(corrected("SYNONYM(sollar sun)"), "");
  for (const char* const text : {"\"sollar power\"", "#uw5(sollar power)", "sollar NEAR/3 power"}) {
    EXPECT_EQ(corrected(text), "") << text;
  }
  EXPECT_EQ(corrected("NOT powwer", true), "NOT power");
  EXPECT_EQ(corrected("so1lar 12"), "");
  EXPECT_EQ(corrected(""), "");
}

TEST_F(Corrections, AreOfTheSearchedTexts) {
  EXPECT_EQ(corrected("enrgyy"), "energy") << "two edits; of the title";
  EXPECT_EQ(corrected("enrgyy", false, {{.name = "contents"}}), "");
  EXPECT_EQ(corrected("enrgy power"), "energy power") << "one document has it";
}

TEST_F(Corrections, SayWhatTheyAreMadeOf) {
  const auto found = did_you_mean(*searcher_, {.text = "the sollar  powwer"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "the solar  power");
  EXPECT_THAT(found->words, ElementsAre(CorrectedWord{4, "sollar", "solar", 1, 1, 300},
                                        CorrectedWord{12, "powwer", "power", 1, 0, 300}));
  EXPECT_EQ(found->documents, 300u);
}

}  // namespace
}  // namespace gannet::query
