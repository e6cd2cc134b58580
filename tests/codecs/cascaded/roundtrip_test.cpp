// Codec `cascaded` gives back what it was given: every plan, type, length and distribution.
#include <gtest/gtest.h>

#include "codecs/cascaded/cascaded.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/column_values.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Cascaded;
using codecs::CascadedPlan;

template <class T>
class CascadedRoundtrip : public ::testing::Test {};
TYPED_TEST_SUITE(CascadedRoundtrip, AllValueTypes);

std::string plan_text(std::uint32_t rles, std::uint32_t deltas, std::uint32_t bitpack) {
  return "rles=" + std::to_string(rles) + ",deltas=" + std::to_string(deltas) +
         ",bitpack=" + std::to_string(bitpack);
}

TYPED_TEST(CascadedRoundtrip, EveryPlanOfEveryDistribution) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    const std::vector<TypeParam> values = distribution.make(700);
    for (std::uint32_t rles = 0; rles <= 3; ++rles) {
      for (std::uint32_t deltas = 0; deltas <= 4; ++deltas) {
        for (std::uint32_t bitpack = 0; bitpack <= 1; ++bitpack) {
          const std::string plan = plan_text(rles, deltas, bitpack);
          SCOPED_TRACE(distribution.name + ", " + plan);
          expect_column_roundtrip<Cascaded>(values, plan + ",chunk=256");
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(CascadedRoundtrip, TheDeepestPlans) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    const std::vector<TypeParam> values = distribution.make(300);
    for (const auto& [rles, deltas] : {std::pair{7, 7}, {7, 0}, {0, 7}, {7, 3}, {3, 7}}) {
      SCOPED_TRACE(distribution.name);
      expect_column_roundtrip<Cascaded>(values, plan_text(rles, deltas, 1) + ",chunk=128");
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(CascadedRoundtrip, EveryLength) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    for (const std::uint32_t count :
         {0u, 1u, 2u, 3u, 4u, 5u, 31u, 127u, 128u, 129u, 255u, 256u, 257u, 1000u, 5000u}) {
      const std::vector<TypeParam> values = distribution.make(count);
      for (const char* plan : {"deltas=1", "rles=1", "rles=2,deltas=1", "rles=1,deltas=2"}) {
        SCOPED_TRACE(distribution.name + ", " + plan + ", length " + std::to_string(count));
        expect_column_roundtrip<Cascaded>(values, plan);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(CascadedRoundtrip, EveryWidth) {
  for (std::uint32_t bits = 0; bits <= 8 * sizeof(TypeParam); ++bits) {
    for (const std::uint32_t longest : {1u, 3u}) {
      const auto values = random_runs<TypeParam>(400, longest, bits, bits + 1);
      for (const char* plan : {"rles=0,deltas=0", "rles=1", "deltas=1"}) {
        SCOPED_TRACE(std::to_string(bits) + " bits, " + plan);
        expect_column_roundtrip<Cascaded>(values, plan);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(CascadedRoundtrip, EveryChunkSize) {
  const auto values = random_runs<TypeParam>(9000, 40, 64);
  for (std::uint32_t chunk = 128; chunk <= CascadedPlan::most_chunk<TypeParam>; chunk += 384) {
    SCOPED_TRACE(chunk);
    expect_column_roundtrip<Cascaded>(values, "rles=1,deltas=1,chunk=" + std::to_string(chunk));
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(CascadedRoundtrip, TheChosenPlan) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    SCOPED_TRACE(distribution.name);
    const std::vector<TypeParam> values = distribution.make(20000);
    expect_column_roundtrip<Cascaded>(values, "");
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(CascadedRoundtrip, TheChosenPlanIsTheSmallestThatWasTried) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    const std::vector<TypeParam> values = distribution.make(3000);  // the sample is all of it
    const std::size_t chosen = encoded_column<Cascaded>(values, "").size();
    EXPECT_EQ(chosen, encoded_column<Cascaded>(values, "auto=1").size());
    for (const auto& [rles, deltas] : codecs::kCascadedCandidates) {
      EXPECT_LE(chosen, encoded_column<Cascaded>(values, plan_text(rles, deltas, 1)).size())
          << distribution.name;
    }
  }
}

/// Decodes by the wide form, which may read kStreamOverread words behind the column.
template <class T>
std::vector<T> wide_decoded(const Words& words, std::uint32_t count) {
  using U = std::make_unsigned_t<T>;
  const FencedWords input(words.size() + codecs::kStreamOverread, kBehind);
  std::fill_n(input.data(), input.span().size(), 0xffffffffu);
  std::copy(words.begin(), words.end(), input.data());
  const std::uint32_t chunk_values = Cascaded::chunk_values<U>(words.data());
  const std::uint32_t scratch_words = Cascaded::scratch_words_for<U>(chunk_values);
  std::vector<T> values(count);
  for (std::uint32_t c = 0; c < codecs::chunk_count(count, chunk_values); ++c) {
    const FencedWords scratch(scratch_words, kBehind);
    Cascaded::decode_chunk_wide<U>(
        codecs::SerialLanes{}, {input.data(), count}, c, chunk_values, scratch.data(),
        reinterpret_cast<U*>(values.data()) + std::size_t{c} * chunk_values);
  }
  return values;
}

TYPED_TEST(CascadedRoundtrip, TheWideFormGivesTheSame) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    for (const std::uint32_t count : {1u, 127u, 700u, 6001u}) {
      const std::vector<TypeParam> values = distribution.make(count);
      for (const auto& [rles, deltas] : {std::pair{0, 0},
                                         {0, 1},
                                         {0, 2},
                                         {0, 7},
                                         {1, 0},
                                         {1, 1},
                                         {1, 2},
                                         {2, 1},
                                         {3, 3},
                                         {7, 7}}) {
        const Words words = encoded_column<Cascaded>(values, plan_text(rles, deltas, 1));
        ASSERT_EQ(wide_decoded<TypeParam>(words, count), values)
            << distribution.name << ", " << plan_text(rles, deltas, 1) << ", length " << count;
      }
    }
  }
}

TYPED_TEST(CascadedRoundtrip, TheWideFormTakesEveryWidth) {
  for (std::uint32_t bits = 0; bits <= 8 * sizeof(TypeParam); ++bits) {
    for (const std::uint32_t longest : {1u, 3u}) {
      const auto values = random_runs<TypeParam>(1300, longest, bits, bits + 1);
      for (const char* plan : {"rles=0,deltas=0", "rles=1", "deltas=1", "deltas=7"}) {
        ASSERT_EQ(wide_decoded<TypeParam>(encoded_column<Cascaded>(values, plan), 1300), values)
            << bits << " bits, " << plan;
      }
    }
  }
}

TEST(CascadedParameters, WrongOnesAreRefused) {
  const std::vector<std::int32_t> values{1, 2, 3};
  for (const char* text : {"rles=8", "deltas=8", "bitpack=2", "chunk=64", "chunk=4096", "chunk=200",
                           "run=1", "auto=1,rles=1"}) {
    EXPECT_THROW(encoded_column<Cascaded>(values, text), UsageError) << text;
  }
  const std::vector<std::int8_t> bytes{1, 2, 3};
  EXPECT_NO_THROW(encoded_column<Cascaded>(bytes, "chunk=4096"));
  EXPECT_NO_THROW(encoded_column<Cascaded>(values, "auto=0"));
}

/// Bits a value of a column of 2^20 values at a plan.
double bits_per_value(const std::vector<std::int32_t>& values, const std::string& plan) {
  return 32.0 * static_cast<double>(encoded_column<Cascaded>(values, plan).size()) /
         static_cast<double>(values.size());
}

/// What a well-known implementation takes for such data at the same plans.
TEST(CascadedSize, NoMoreBitsThanExpected) {
  constexpr std::uint32_t kCount = 1u << 20;
  std::vector<std::int32_t> ascending(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) ascending[i] = static_cast<std::int32_t>(i + 1);
  EXPECT_LE(bits_per_value(ascending, "deltas=1"), 0.17);
  EXPECT_LE(bits_per_value(order_keys<std::int32_t>(kCount), "rles=1"), 3.66);
  EXPECT_LE(bits_per_value(order_keys<std::int32_t>(kCount), "rles=2,deltas=1"), 1.64);
  // Sorted values, each 256 times on average.
  Random random(8);
  std::vector<std::int32_t> repeated;
  for (std::int32_t value = 0; repeated.size() < kCount; ++value) {
    repeated.insert(repeated.end(), 240 + random() % 33, value);
  }
  EXPECT_LE(bits_per_value(repeated, "rles=1"), 0.26);
  // Sorted ids, each number taken with probability 1/4.
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; ids.size() < kCount; ++id) {
    if (random() % 4 == 0) ids.push_back(id);
  }
  EXPECT_LE(bits_per_value(ids, "deltas=1"), 5.27);
}

}  // namespace
}  // namespace gannet::test
