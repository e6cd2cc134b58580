// Explanations of phrases and inexact words: where they are, and what they stand for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "codecs/base/error.hpp"
#include "query/explain.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ExplainPhrases : public testing::Test {
 protected:
  void open(std::vector<test::TextsDocument> documents, std::uint32_t fields,
            const std::vector<std::size_t>& ends) {
    documents_ = std::move(documents);
    index_ =
        test::build_texts(folder_.path() / "index", documents_, test::texts_schema(fields), ends);
    analyzer_ = std::make_unique<index::Analyzer>(index_->analyzer());
  }

  Query query(const std::string& text) const {
    Query made;
    made.text = text;
    return made;
  }

  Explanation explained(const Query& query, index::Docid docid) {
    return explain(*index_, make_plan(*index_, *analyzer_, query), docid);
  }

  std::vector<ExplainedExpansion> expansions(const Query& query, index::Docid docid) {
    return explain_expansions(*index_, *analyzer_, query, docid);
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<index::Analyzer> analyzer_;
};

TEST_F(ExplainPhrases, PositionsAreThoseOfAllChoicesOfPlaces) {
  open(test::random_texts(300, 1, 9), 1, {100, 300});
  std::mt19937 random(4);
  std::size_t found = 0;
  for (int round = 0; round < 60; ++round) {
    const test::WordsNear window = test::random_window(random);
    const std::size_t text = random() % 2;
    const Query asked = query((text == 1 ? "f0:(" : "contents:(") + window.text() + ")");
    const Plan plan = make_plan(*index_, *analyzer_, asked);
    ASSERT_THAT(plan.terms(), SizeIs(1)) << asked.text;
    for (index::Docid d = 0; d < documents_.size(); ++d) {
      const ExplainedTerm term = explain(*index_, plan, d).terms.front();
      const auto brute = window.occurrences(test::places_of(documents_[d].texts[text]));
      ASSERT_EQ(term.frequency, brute.count()) << asked.text << " in " << d;
      std::vector<std::uint32_t> firsts = brute.firsts();
      if (firsts.size() > kExplainedPositions) firsts.resize(kExplainedPositions);
      ASSERT_EQ(term.positions, firsts) << asked.text << " in " << d;
      found += firsts.size();
    }
  }
  EXPECT_GT(found, 300u);
}

TEST_F(ExplainPhrases, TheFirstTenPositions) {
  std::string text;
  for (int i = 0; i < 25; ++i) text += "a b ";
  open({{{text}}}, 0, {1});
  const ExplainedTerm term = explained(query("\"a b\""), 0).terms.front();
  EXPECT_EQ(term.frequency, 25u);
  EXPECT_THAT(term.positions, ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16, 18));
}

TEST_F(ExplainPhrases, TheFactorIsTheSumOverTheWords) {
  open(test::random_texts(300, 0, 3), 0, {300});
  for (const char* const scorer : {"bm25", "bm25plus", "tfidf"}) {
    Query asked = query("\"w1 w3 w*\"");
    asked.scorer = standard_scorer(find_scorer(scorer)->id);
    const Plan plan = make_plan(*index_, *analyzer_, asked);
    const ExplainedTerm term = explain(*index_, plan, 0).terms.front();
    ASSERT_THAT(term.phrase_words, SizeIs(3));
    EXPECT_EQ(term.phrase_words[0].word, "w1");
    EXPECT_EQ(term.phrase_words[2].word, "w*");
    double sum = 0;
    for (const ExplainedPhraseWord& word : term.phrase_words) {
      EXPECT_GT(word.document_frequency, 0u);
      sum += double{word.factor};
    }
    EXPECT_FLOAT_EQ(plan.terms().front().of_words.factor, static_cast<float>(sum)) << scorer;
  }
  Query other = query("\"w1 w3\"");
  other.scorer = standard_scorer(ScorerId::kDirichlet);
  EXPECT_THAT(explained(other, 0).terms.front().phrase_words, IsEmpty())
      << "it is scored by its own frequencies";
}

TEST_F(ExplainPhrases, ExpansionsAreTheTermsThatTheDocumentHas) {
  open({{{"wing wings wind wing", "swing"}}, {{"sting win", "wing"}}}, 1, {1, 2});
  const auto in_first = expansions(query("wing~1 \"a wi*\" -/.*ng/ wing~1"), 0);
  std::vector<std::string> words;
  for (const ExplainedExpansion& one : in_first) words.push_back(one.word);
  EXPECT_THAT(words, ElementsAre("wing~1", "f0:wing~1", "wi*", "f0:wi*", "/.*ng/", "f0:/.*ng/"));
  EXPECT_EQ(in_first[0].found, 4u);  // win, wind, wing, wings
  ASSERT_THAT(in_first[0].terms, SizeIs(3));
  EXPECT_EQ(in_first[0].terms[0].term, "wind");
  EXPECT_EQ(in_first[0].terms[0].distance, 1u);
  EXPECT_EQ(in_first[0].terms[0].boost, 0.75f);
  EXPECT_EQ(in_first[0].terms[1].term, "wing");
  EXPECT_EQ(in_first[0].terms[1].distance, 0u);
  EXPECT_EQ(in_first[0].terms[1].boost, 1.0f);
  EXPECT_EQ(in_first[0].terms[1].frequency, 2u);
  EXPECT_EQ(in_first[1].found, 2u);
  EXPECT_THAT(in_first[1].terms, SizeIs(1));
  EXPECT_THAT(in_first[2].terms, SizeIs(3));
  EXPECT_FALSE(in_first[2].terms[0].distance.has_value());
  EXPECT_THAT(in_first[4].terms, SizeIs(1));
  EXPECT_THAT(expansions(query("f0:wi*"), 1), SizeIs(1));
  EXPECT_THAT(expansions(query("\"wing wind\" #uw3(a b) wing"), 1), IsEmpty());
  EXPECT_THROW(expansions(query("wi*"), 2), UsageError);
}

}  // namespace
}  // namespace gannet::query
