// Completions of words: those that a sort of all terms gives.
#include "query/suggest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/patterns.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Completion> brute_force(const std::map<std::string, std::uint64_t>& documents,
                                    const std::string& before, const std::string& word,
                                    std::size_t most) {
  std::vector<Completion> all;
  for (const auto& [term, having] : documents) {
    if (term.starts_with(word)) all.push_back({term, before + term, having});
  }
  std::ranges::stable_sort(all, std::greater(), &Completion::document_frequency);
  if (all.size() > most) all.resize(most);
  return all;
}

/// Documents that have terms over few letters; `most`: the largest number of documents of a term.
test::Collection collection_of(std::size_t terms, std::uint32_t documents, std::uint32_t most,
                               unsigned seed) {
  std::mt19937 random(seed);
  test::Collection made;
  made.lengths.assign(documents, 10);
  for (std::size_t i = 0; i < terms; ++i) {
    std::string term = test::random_word(random, 7, {"a", "b", "c", "é", "ñ"});
    if (term.empty()) continue;
    std::vector<std::uint32_t>& list = made.frequencies[term];
    list.assign(documents, 0);
    for (auto n = 1 + random() % most; n > 0; --n) list[random() % documents] = 1;
  }
  return made;
}

void expect_all(const index::Index& index, const test::Collection& collection, unsigned seed) {
  std::map<std::string, std::uint64_t> documents;
  for (const auto& [term, list] : collection.frequencies) {
    documents[term] = static_cast<std::uint64_t>(
        std::ranges::count_if(list, [](std::uint32_t f) { return f > 0; }));
  }
  std::mt19937 random(seed);
  for (int i = 0; i < 60; ++i) {
    std::string word = test::random_word(random, 3, {"a", "b", "c", "é", "ñ"});
    if (word.empty()) word = "a";
    for (const std::uint32_t most : {0u, 1u, 2u, 10u, 300u, 100'000u}) {
      EXPECT_EQ(suggest(index, "x, " + word, {.completions = most}),
                brute_force(documents, "x, ", word, most))
          << word << ' ' << most;
    }
  }
}

/// Few documents: most terms are in equally many of them, so that all are looked at.
TEST(Suggest, IsASortOfAllTerms) {
  const test::TemporaryDirectory folder;
  unsigned seed = 0;
  for (const std::uint32_t documents : {3u, 200u}) {
    for (const std::vector<std::uint32_t>& ends :
         {std::vector<std::uint32_t>{documents}, {1, 2, documents}}) {
      SCOPED_TRACE(documents);
      const test::Collection collection = collection_of(3'000, documents, documents, ++seed);
      const auto index =
          test::write_segments(folder.path() / std::to_string(seed), collection, ends);
      expect_all(*index, collection, seed);
    }
  }
}

TEST(Suggest, CompletesTheLastWordOfOneText) {
  const test::TemporaryDirectory folder;
  const std::vector<test::TextsDocument> documents{
      {{"wing wind", "winter wing"}}, {{"swing wind", "wing"}}, {{"window wind", "wide"}}};
  const auto index = test::build_texts(folder / "index", documents, test::texts_schema(1), {1, 3});
  const auto texts = [&](std::string_view typed, std::uint32_t text) {
    std::vector<std::string> all;
    for (const Completion& one : suggest(*index, typed, {.text = text})) all.push_back(one.text);
    return all;
  };
  EXPECT_THAT(texts("A WiN", index::kMainText), ElementsAre("A wind", "A window", "A wing"));
  EXPECT_THAT(texts("swing-w", 0), ElementsAre("swing-wing", "swing-wide", "swing-winter"));
  EXPECT_THAT(texts("wind", index::kMainText), ElementsAre("wind", "window"));
  EXPECT_THAT(texts("win ", index::kMainText), IsEmpty());
  EXPECT_THAT(texts("win, ", index::kMainText), IsEmpty());
  EXPECT_THAT(texts("", index::kMainText), IsEmpty());
  EXPECT_THAT(texts("zz", 0), IsEmpty());
  EXPECT_THROW(texts("win", 1), UsageError);
}

}  // namespace
}  // namespace gannet::query
