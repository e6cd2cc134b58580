// Lists of windows over segments with positions, against all choices of places in every document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "codecs/base/error.hpp"
#include "query/postings/made_list.hpp"
#include "query/postings/union_cache.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/phrases/phrase_queries.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::HasSubstr;

constexpr std::size_t kWindowDocuments = 2500;

class WindowLists : public testing::Test {
 protected:
  WindowLists()
      : documents_(test::random_texts(kWindowDocuments, 1, 5)),
        index_(test::build_texts(folder_.path() / "index", documents_, test::texts_schema(1),
                                 {kWindowDocuments})) {
    for (const auto& document : documents_) {
      auto& own = places_.emplace_back();
      for (const std::string& text : document.texts) own.push_back(test::places_of(text));
    }
  }

  const std::shared_ptr<const index::Segment>& segment() const { return index_->segments()[0]; }

  /// Words as the terms that each may be, of those that the segment has.
  ListRecipe recipe_of(const std::vector<std::vector<std::string>>& words,
                       const WindowShape& window, std::uint32_t text) const {
    ListRecipe recipe{.kind = ListRecipe::Kind::kWindow, .window = window};
    for (const auto& word : words) {
      const auto begin = static_cast<std::ptrdiff_t>(recipe.terms.size());
      for (const std::string& term : word) {
        recipe.terms.push_back(segment()->find(index::text_key(text, term)).value());
      }
      std::sort(recipe.terms.begin() + begin, recipe.terms.end());
      recipe.ends.push_back(static_cast<std::uint32_t>(recipe.terms.size()));
    }
    return recipe;
  }

  std::uint32_t count(std::size_t document, std::size_t text,
                      const std::vector<std::vector<std::string>>& words,
                      const WindowShape& window) const {
    std::vector<std::vector<std::uint32_t>> own;
    for (const auto& word : words) {
      std::vector<std::uint32_t>& places = own.emplace_back();
      for (const std::string& term : word) {
        const auto found = places_[document][text].find(term);
        if (found == places_[document][text].end()) continue;
        places.insert(places.end(), found->second.begin(), found->second.end());
      }
      if (places.empty()) return 0;
    }
    return test::BruteWindows(window, own).count();
  }

  void expect_list(const std::vector<std::vector<std::string>>& words, const WindowShape& window,
                   std::uint32_t text) {
    const auto made = union_cache().of(segment(), recipe_of(words, window, text), text);
    std::vector<std::uint32_t> docids(made->list().count), frequencies(made->list().count);
    if (!made->empty()) {
      made->list().decode_docids(docids.data());
      made->list().decode_frequencies(frequencies.data());
    }
    std::vector<std::uint32_t> expected, counts;
    std::uint64_t sum = 0;
    const std::size_t number = text == index::kMainText ? 0 : text + 1;
    for (std::size_t d = 0; d < documents_.size(); ++d) {
      const std::uint32_t n = count(d, number, words, window);
      if (n == 0) continue;
      expected.push_back(static_cast<std::uint32_t>(d));
      counts.push_back(n);
      sum += n;
    }
    ASSERT_EQ(docids, expected);
    ASSERT_EQ(frequencies, counts);
    EXPECT_EQ(made->occurrences(), sum);
    found_ += expected.size();
    long_lists_ += expected.size() >= 128 ? 1 : 0;
  }

  test::TemporaryDirectory folder_;
  std::vector<test::TextsDocument> documents_;
  std::shared_ptr<const index::Index> index_;
  std::vector<std::vector<std::map<std::string, std::vector<std::uint32_t>>>> places_;
  std::size_t found_ = 0;
  std::size_t long_lists_ = 0;
};

TEST_F(WindowLists, AreWhatEachDocumentHas) {
  std::mt19937 random(1);
  for (int round = 0; round < 120; ++round) {
    const test::WordsNear window = test::random_window(random);
    std::vector<std::vector<std::string>> words;
    for (const std::string& word : window.words) {
      words.push_back({word == "w20" || word == "w21" ? "w3" : word});
    }
    SCOPED_TRACE(window.text());
    expect_list(words, window.shape(), round % 4 == 3 ? 0 : index::kMainText);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(found_, 10'000u);
  EXPECT_GT(long_lists_, 20u);
}

/// Words that are one of several terms, which other words may be as well.
TEST_F(WindowLists, OfWordsWithSeveralTerms) {
  std::mt19937 random(2);
  for (int round = 0; round < 40; ++round) {
    const test::WordsNear window = test::random_window(random);
    std::vector<std::vector<std::string>> words;
    for (std::size_t i = 0; i < window.words.size(); ++i) {
      std::set<std::string> any;
      for (std::size_t n = 1 + random() % 3; n > 0; --n) {
        any.insert("w" + std::to_string(6 + random() % 14));
      }
      words.emplace_back(any.begin(), any.end());
    }
    SCOPED_TRACE(window.text());
    expect_list(words, window.shape(), index::kMainText);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(found_, 3'000u);
}

TEST_F(WindowLists, AreKeptByWhatTheyAreMadeOf) {
  const WindowShape phrase{WindowKind::kNear, 0, {0, 1}};
  const WindowShape sloppy{WindowKind::kNear, 1, {0, 1}};
  UnionCache cache;
  const auto of = [&](const std::string& one, const std::string& other, const WindowShape& window) {
    return cache.of(segment(), recipe_of({{one}, {other}}, window, index::kMainText),
                    index::kMainText);
  };
  const auto made = of("w1", "w2", phrase);
  EXPECT_EQ(of("w1", "w2", phrase), made);
  EXPECT_NE(of("w2", "w1", phrase), made) << "the order counts";
  EXPECT_NE(of("w1", "w2", sloppy), made);
  const auto terms = recipe_of({{"w1"}, {"w2"}}, phrase, index::kMainText).terms;
  EXPECT_NE(cache.of(segment(), terms, index::kMainText), made) << "the union";
  EXPECT_GE(cache.bytes(), made->bytes());
  // That nothing is found is kept, too.
  const WindowShape far{WindowKind::kNear, 0, {0, 5000}};
  const auto none = of("w1", "w2", far);
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(none->occurrences(), 0u);
  EXPECT_EQ(of("w1", "w2", far), none);
}

TEST(WindowPostings, NeedPositions) {
  const test::TemporaryDirectory folder;
  const auto index = test::write_index(folder.path() / "index", test::random_collection(100, 4, 1));
  ListRecipe recipe{.kind = ListRecipe::Kind::kWindow,
                    .terms = {0, 1},
                    .ends = {1, 2},
                    .window = {WindowKind::kNear, 0, {0, 1}}};
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { MadeList(*index->segments()[0], recipe, index::kMainText); }),
              HasSubstr("without --no-positions"));
}

}  // namespace
}  // namespace gannet::query
