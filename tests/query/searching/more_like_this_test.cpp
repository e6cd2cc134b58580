// Queries for documents like one, against an exhaustive computation from the texts.
#include "query/more_like_this.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "codecs/base/error.hpp"
#include "query/searcher.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::TextsDocument;
using Words = std::map<std::string, std::uint32_t>;

Words words_of(const std::string& text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) ++words[word];
  return words;
}

/// Words w0 (in nearly all texts) to w299, of 1 to 200 words a document.
std::vector<TextsDocument> random_documents(std::size_t documents, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<TextsDocument> all(documents);
  for (TextsDocument& document : all) {
    std::string& text = document.texts.emplace_back();
    for (std::size_t n = 1 + random() % (random() % 3 == 0 ? 200 : 20); n > 0; --n) {
      const double x = static_cast<double>(random() % 1000) / 1000;
      text += "w" + std::to_string(static_cast<int>(x * x * x * 300)) + " ";
    }
  }
  return all;
}

std::vector<Words> words_of(const std::vector<TextsDocument>& documents) {
  std::vector<Words> all;
  for (const TextsDocument& document : documents) all.push_back(words_of(document.texts[0]));
  return all;
}

/// What the header says, from the words of all documents alone.
std::vector<LikeTerm> expected_terms(const std::vector<Words>& documents, const Words& text,
                                     const LikeOptions& options, std::uint64_t least) {
  std::vector<LikeTerm> all;
  for (const auto& [word, frequency] : text) {
    std::uint64_t having = 0;
    for (const Words& document : documents) having += document.contains(word) ? 1 : 0;
    const auto n = static_cast<double>(having);
    const double idf = std::log(1 + (static_cast<double>(documents.size()) - n + 0.5) / (n + 0.5));
    if (having >= least) all.push_back({word, frequency, having, frequency * idf});
  }
  std::vector<LikeTerm> repeated;
  for (const LikeTerm& term : all) {
    if (term.frequency >= options.min_frequency) repeated.push_back(term);
  }
  if (repeated.size() >= options.terms) all = repeated;
  std::ranges::sort(all, [](const LikeTerm& a, const LikeTerm& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.term < b.term;
  });
  if (all.size() > options.terms) all.resize(options.terms);
  return all;
}

class MoreLikeThis : public ::testing::Test {
 protected:
  static constexpr std::size_t kDocuments = 300;

  std::shared_ptr<const index::Index> build(const std::vector<TextsDocument>& documents,
                                            const std::vector<std::size_t>& ends,
                                            bool store = true) {
    return test::build_texts(folder_ / std::to_string(++built_), documents, {}, ends, store);
  }

  test::TemporaryDirectory folder_;
  int built_ = 0;
  const std::vector<TextsDocument> documents_ = random_documents(kDocuments, 1);
  const std::vector<Words> words_ = words_of(documents_);
  const std::shared_ptr<const index::Index> index_ = build(documents_, {100, 101, kDocuments});
  const index::Analyzer analyzer_{index_->analyzer()};
};

TEST_F(MoreLikeThis, TermsAreThoseOfAnExhaustiveComputation) {
  std::size_t longest = 0;
  for (const LikeOptions& options :
       {LikeOptions(), LikeOptions{.terms = 3}, LikeOptions{.terms = 10, .min_frequency = 3},
        LikeOptions{.min_documents = 40}}) {
    for (std::size_t d = 0; d < kDocuments; d += 7) {
      const std::string& text = documents_[d].texts[0];
      const auto expected = expected_terms(words_, words_[d], options, options.min_documents);
      EXPECT_EQ(like_terms(*index_, analyzer_, text, options), expected) << d;
      longest = std::max(longest, expected.size());
    }
  }
  EXPECT_EQ(longest, 25u);
}

TEST_F(MoreLikeThis, ADocumentFindsAllOthersWithItsTermsAndNotItself) {
  const Searcher searcher(index_, {.backend = BackendChoice::kCpu});
  for (const std::uint32_t k : {3u, 1000u}) {
    for (std::uint32_t d = 0; d < kDocuments; d += 13) {
      const Query query = like_document(*index_, analyzer_, d, {.k = k});
      std::string words;
      for (const LikeTerm& term : expected_terms(words_, words_[d], {}, 2)) {
        words += term.term + " ";
      }
      Result expected = searcher.search({.text = words, .k = 1000});
      const auto own = std::ranges::find(expected.docids, d);
      if (own != expected.docids.end()) {
        const auto place = own - expected.docids.begin();
        expected.docids.erase(own);
        expected.scores.erase(expected.scores.begin() + place);
      }
      if (expected.docids.size() > k) {
        expected.docids.resize(k);
        expected.scores.resize(k);
      }
      const Result found = searcher.search(query);
      EXPECT_EQ(found.docids, expected.docids) << d;
      EXPECT_EQ(found.scores, expected.scores) << d;
    }
  }
}

TEST_F(MoreLikeThis, WhatTheQueryAsksForBesidesStays) {
  const Filter other = !Filter::document(8);
  const Query query = like_document(
      *index_, analyzer_, 7, {.text = "gone", .filter = other, .want = Want::kCount, .k = 4});
  EXPECT_EQ(query.text, "");
  EXPECT_EQ(query.filter, other && !Filter::document(7));
  EXPECT_EQ((std::pair{query.want, query.k}), (std::pair{Want::kCount, 4u}));
  const Searcher searcher(index_, {.backend = BackendChoice::kCpu});
  Query all = query;
  all.want = Want::kDocids;
  const Result found = searcher.search(all);
  EXPECT_EQ(searcher.search(query).count, found.docids.size());
  EXPECT_EQ(std::ranges::count_if(found.docids, [](auto d) { return d == 7 || d == 8; }), 0);
}

TEST_F(MoreLikeThis, SegmentsChangeNothing) {
  const auto whole = build(documents_, {kDocuments});
  for (std::uint32_t d = 0; d < kDocuments; d += 50) {
    EXPECT_EQ(like_document(*index_, analyzer_, d), like_document(*whole, analyzer_, d));
  }
}

TEST_F(MoreLikeThis, WordsOfAllDocumentsAreNotCharacteristic) {
  std::vector<TextsDocument> documents;
  for (int i = 0; i < 40; ++i) documents.push_back({{"the the the the the of other"}});
  documents[3].texts[0] += " solar panel";
  documents[4].texts[0] += " solar";
  const auto index = build(documents, {40});
  const auto terms = like_terms(*index, analyzer_, documents[3].texts[0], {.terms = 2});
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].term, "panel");
  EXPECT_EQ(terms[1].term, "solar");
  const Query query = like_document(*index, analyzer_, 3, {}, {.terms = 1, .min_frequency = 1});
  ASSERT_EQ(query.terms.size(), 1u);
  EXPECT_EQ(query.terms[0].term, "solar") << "no other document has 'panel'";
}

TEST_F(MoreLikeThis, ATextWithoutKnownTermsFindsNothing) {
  const Searcher searcher(index_, {.backend = BackendChoice::kCpu});
  for (const char* const text : {"", " ?! ", "unheard of"}) {
    EXPECT_TRUE(like_terms(*index_, analyzer_, text).empty());
    const Query query = like_text(*index_, analyzer_, text, {.text = "w0"});
    EXPECT_TRUE(searcher.search(query).docids.empty()) << text;
  }
}

TEST_F(MoreLikeThis, ErrorsSayWhatIsMissing) {
  const auto bare = build(documents_, {kDocuments}, false);
  const std::string textless =
      test::message_of<UsageError>([&] { like_document(*bare, analyzer_, 0); });
  EXPECT_NE(textless.find("keeps no texts; build it with --store"), std::string::npos) << textless;
  EXPECT_FALSE(like_text(*bare, analyzer_, documents_[0].texts[0]).terms.empty());
  EXPECT_THROW(like_document(*index_, analyzer_, kDocuments), UsageError);
  EXPECT_THROW(like_terms(*index_, analyzer_, "w0", {.terms = 0}), UsageError);
}

}  // namespace
}  // namespace gannet::query
