// Generators: exact counts, sorted and distinct, reproducible, distributed as they say, and as
// compressible as the published lists.
#include "corpora/synthetic/synthetic.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "codecs/base/error.hpp"
#include "codecs/encoded_lists.hpp"
#include "corpora/synthetic/random.hpp"
#include "tests/support/corpora/documents.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::ListModel;
using corpora::synthetic_list;
using corpora::SyntheticText;
using corpora::TextGenerator;

std::uint64_t digest(const std::vector<std::uint32_t>& list) {
  std::uint64_t hash = list.size();
  for (const std::uint32_t value : list) hash = corpora::mix64(hash ^ value);
  return hash;
}

TEST(Random, IsXoshiroSeededBySplitMix) {
  // The published test value of SplitMix64: its first output for the seed 0.
  EXPECT_EQ(corpora::mix64(0), 0xe220a8397b1dcdafu);
  corpora::Random random(1), same(1), other(2);
  EXPECT_EQ(random.next(), same.next());
  EXPECT_NE(random.next(), other.next());
}

TEST(Random, BelowIsUniform) {
  corpora::Random random(3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_NE(random.below(1ull << 32), random.below(1ull << 32));
}

class Lists : public ::testing::TestWithParam<ListModel> {};

TEST_P(Lists, HaveExactlyTheIdsAskedFor) {
  const std::pair<std::uint64_t, std::uint64_t> shapes[] = {{0, 0},
                                                            {0, 10},
                                                            {1, 1},
                                                            {10, 10},
                                                            {9, 10},
                                                            {5, 11},
                                                            {33, 64},
                                                            {63, 64},
                                                            {64, 64},
                                                            {100, 127},
                                                            {100, 129},
                                                            {1000, 1u << 29},
                                                            {5, 1ull << 32},
                                                            {40'000, 1ull << 32},
                                                            {50'000, 100'000},
                                                            {99'999, 100'000},
                                                            {50'001, 100'000},
                                                            {30'000, 1u << 20},
                                                            {100'000, 100'000}};
  for (const auto& [count, universe] : shapes) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto list = synthetic_list(GetParam(), count, universe, seed);
      ASSERT_EQ(list.size(), count);
      EXPECT_EQ(std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()), list.end());
      if (count > 0) {
        EXPECT_LT(list.back(), universe);
      }
    }
  }
}

TEST_P(Lists, DependOnTheSeedAlone) {
  const auto list = synthetic_list(GetParam(), 10'000, 1 << 29, 7);
  EXPECT_EQ(list, synthetic_list(GetParam(), 10'000, 1 << 29, 7));
  EXPECT_NE(list, synthetic_list(GetParam(), 10'000, 1 << 29, 8));
}

TEST_P(Lists, RefuseWhatCannotBe) {
  EXPECT_THROW(synthetic_list(GetParam(), 11, 10, 1), UsageError);
  EXPECT_THROW(synthetic_list(GetParam(), 1, (1ull << 32) + 1, 1), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Models, Lists,
                         ::testing::Values(ListModel::kUniform, ListModel::kClustered));

TEST(Lists, AreTheSameOnEveryPlatform) {
  EXPECT_EQ(digest(synthetic_list(ListModel::kUniform, 1 << 16, 1 << 29, 1)), 0xd99e26e6f0192f2bu);
  EXPECT_EQ(digest(synthetic_list(ListModel::kUniform, 1 << 20, 1 << 22, 1)), 0x2b4044897cb12d4fu);
  EXPECT_EQ(digest(synthetic_list(ListModel::kClustered, 1 << 16, 1 << 29, 1)),
            0x8c2a1f502c4500cbu);
}

TEST(Lists, ModelsHaveNames) {
  EXPECT_EQ(corpora::list_model("uniform"), ListModel::kUniform);
  EXPECT_EQ(corpora::list_model("clustered"), ListModel::kClustered);
  EXPECT_THROW(corpora::list_model("zipf"), UsageError);
}

// Each of the three ways of drawing fills 16 equal parts of the universe evenly.
TEST(Lists, UniformOnesFillTheUniverseEvenly) {
  const std::pair<std::uint64_t, std::uint64_t> shapes[] = {
      {1 << 14, 1 << 29}, {1 << 18, 1 << 22}, {3 << 20, 1 << 22}};
  for (const auto& [count, universe] : shapes) {
    std::array<double, 16> parts{};
    for (const std::uint32_t id : synthetic_list(ListModel::kUniform, count, universe, 5))
      ++parts[16ull * id / universe];
    const double expected = static_cast<double>(count) / 16;
    for (const double part : parts) EXPECT_NEAR(part, expected, 5 * std::sqrt(expected)) << count;
  }
}

TEST(Lists, EverySmallSetIsAsLikely) {
  std::map<std::vector<std::uint32_t>, int> sets;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed)
    ++sets[synthetic_list(ListModel::kUniform, 2, 5, seed)];
  ASSERT_EQ(sets.size(), 10u);
  for (const auto& [set, times] : sets) EXPECT_NEAR(times, 2'000, 5 * std::sqrt(2'000));
}

// Gaps of clustered lists vary more than those of uniform ones, whose deviation is their mean.
double gap_variation(ListModel model, std::uint64_t seed) {
  const auto list = synthetic_list(model, 1 << 16, 1 << 29, seed);
  const auto gaps = static_cast<double>(list.size() - 1);
  double squares = 0;
  for (std::size_t i = 1; i < list.size(); ++i) squares += std::pow(list[i] - list[i - 1], 2.0);
  const double mean = (static_cast<double>(list.back()) - list.front()) / gaps;
  return std::sqrt(squares / gaps / mean / mean - 1);
}

TEST(Lists, ClusteredOnesAreClustered) {
  double clustered = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    EXPECT_NEAR(gap_variation(ListModel::kUniform, seed), 1, 0.03);
    EXPECT_GT(gap_variation(ListModel::kClustered, seed), 1.1);
    clustered += gap_variation(ListModel::kClustered, seed) / 16;
  }
  EXPECT_GT(clustered, 2);
}

double bits_per_int(const char* codec, ListModel model, std::uint64_t count, std::uint64_t seeds) {
  codecs::EncodedLists lists(codecs::list_codec_named(codec), codecs::Content::kDocids);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    lists.add(synthetic_list(model, count, 1 << 29, seed));
  return lists.bits_per_value();
}

struct Published {
  const char* codec;
  double sparse, dense, clustered;
};

class TableOne : public ::testing::TestWithParam<Published> {};

// Table 1 of the GPU-BP paper. One sparse list varies by 0.02 bits, so several are averaged.
TEST_P(TableOne, UniformListsSlow) {
  EXPECT_NEAR(bits_per_int(GetParam().codec, ListModel::kUniform, 1 << 16, 32), GetParam().sparse,
              0.03);
  EXPECT_NEAR(bits_per_int(GetParam().codec, ListModel::kUniform, 1 << 25, 1), GetParam().dense,
              0.03);
}

// Clustered lists vary much more from one to the next (by 0.85 bits): only their mean compares.
TEST_P(TableOne, ClusteredListsSlow) {
  EXPECT_NEAR(bits_per_int(GetParam().codec, ListModel::kClustered, 1 << 16, 64),
              GetParam().clustered, 0.4);
}

INSTANTIATE_TEST_SUITE_P(Codecs, TableOne,
                         ::testing::Values(Published{"gpu-bp128", 16.22, 7.18, 14.45},
                                           Published{"gpu-bp256", 16.20, 7.18, 14.58},
                                           Published{"gpu-vbyte128", 18.16, 10.50, 16.68},
                                           Published{"gpu-vbyte1024", 17.78, 10.06, 16.27}));

TEST(Words, AreDistinctLowerCaseLetters) {
  std::vector<std::string> words;
  for (std::uint32_t rank = 0; rank < 100'000; ++rank)
    words.push_back(corpora::synthetic_word(rank));
  EXPECT_LE(words[69].size(), 2u);
  EXPECT_LE(words[99'999].size(), 6u);
  for (const std::string& word : words) {
    EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), std::string::npos);
  }
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
  EXPECT_FALSE(corpora::synthetic_word(0xffffffffu).empty());
}

SyntheticText shape(std::uint64_t documents) {
  SyntheticText shape;
  shape.documents = documents;
  shape.vocabulary = 1000;
  shape.mean_length = 50;
  return shape;
}

TEST(Texts, ComeAsASourceAndAsJsonl) {
  const auto source = corpora::synthetic_documents(shape(5000));
  const test::Documents documents = test::read_all(*source);
  ASSERT_EQ(documents.all.size(), 5000u);
  EXPECT_EQ(documents.all[4999].first, "d4999");
  std::ostringstream jsonl;
  corpora::write_synthetic_jsonl(shape(5000), jsonl);
  const test::TemporaryDirectory directory;
  EXPECT_EQ(test::read_all(corpora::DocumentFormat::kJsonl, {directory.write("d", jsonl.str())}),
            documents);
}

TEST(Texts, AreTheSameOnEveryPlatform) {
  std::string text;
  TextGenerator(shape(1000)).append_text(17, text);
  EXPECT_EQ(text.substr(0, 60), "geba ma bula fa za fu pesa ka ga pa na ze tuma da pa siba bo");
}

TEST(Texts, DoNotDependOnWhatTheyAreAppendedTo) {
  const TextGenerator generator(shape(1000));
  std::string text, longer("x");
  generator.append_text(17, text);
  generator.append_text(17, longer);
  EXPECT_EQ(longer, "x" + text);
}

TEST(Texts, HaveTheLengthsAndWordsAskedFor) {
  const TextGenerator generator(shape(20'000));
  std::map<std::string, double> frequencies;
  double words = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    std::string text;
    generator.append_text(i, text);
    std::istringstream in(text);
    for (std::string word; in >> word; ++words) {
      if (word.ends_with('.')) word.pop_back();
      ++frequencies[word];
    }
  }
  EXPECT_NEAR(words / 20'000, 50, 1);
  double total = 0;
  for (int rank = 0; rank < 1000; ++rank) total += 1 / (rank + 2.7);
  for (const std::uint32_t rank : {0u, 1u, 10u, 100u, 999u}) {
    const double expected = words / (rank + 2.7) / total;
    EXPECT_NEAR(frequencies[corpora::synthetic_word(rank)], expected, 5 * std::sqrt(expected))
        << rank;
  }
}

TEST(Texts, TopicsHaveWordsOfSomeDocument) {
  const TextGenerator generator(shape(1000));
  std::map<std::size_t, int> lengths;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const corpora::Topic topic = generator.topic(i);
    EXPECT_EQ(topic.id, std::to_string(i + 1));
    EXPECT_EQ(topic, generator.topic(i));
    ++lengths[static_cast<std::size_t>(1 + std::count(topic.text.begin(), topic.text.end(), ' '))];
  }
  EXPECT_EQ(lengths.begin()->first, 1u);
  EXPECT_EQ(lengths.rbegin()->first, 5u);
}

TEST(Texts, SmallestShapes) {
  SyntheticText one;
  one.documents = 1;
  one.vocabulary = 1;
  one.mean_length = 1;
  one.length_deviation = 0;
  EXPECT_THAT(test::read_all(*corpora::synthetic_documents(one)).all, ::testing::SizeIs(1));
  one.documents = 0;
  EXPECT_TRUE(test::read_all(*corpora::synthetic_documents(one)).all.empty());
  one.vocabulary = 0;
  EXPECT_THROW(corpora::synthetic_documents(one), UsageError);
  one.vocabulary = 1;
  one.mean_length = std::nan("");
  EXPECT_THROW(corpora::synthetic_documents(one), UsageError);
  one.mean_length = 10;
  one.length_deviation = 3;
  EXPECT_THROW(corpora::synthetic_documents(one), UsageError);
}

}  // namespace
}  // namespace gannet
