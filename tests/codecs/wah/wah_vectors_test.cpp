// A column as bit vectors: each vector has the rows of its code.
#include "codecs/wah/wah_vectors.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gannet::codecs {
namespace {

template <class Word>
class WahVectorsOf : public testing::Test {};
using WordTypes = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(WahVectorsOf, WordTypes);

template <class Word>
void expect_rows(const std::vector<std::uint32_t>& codes, std::uint32_t vectors) {
  const WahVectors<Word> made = wah_encode_vectors<Word>(codes, vectors);
  ASSERT_EQ(made.first.size(), vectors + 1);
  ASSERT_EQ(made.first.back(), made.atoms.size());
  for (std::uint32_t v = 0; v < vectors; ++v) {
    const auto atoms =
        std::span<const Word>(made.atoms).subspan(made.first[v], made.first[v + 1] - made.first[v]);
    wah_validate<Word>(atoms, codes.size());
    const auto bits = wah_decode<Word>(atoms, codes.size());
    for (std::size_t row = 0; row < codes.size(); ++row) {
      ASSERT_EQ(bits[row / 64] >> row % 64 & 1, std::uint64_t{codes[row] == v}) << row;
    }
  }
}

TYPED_TEST(WahVectorsOf, HaveTheRowsOfTheirCodes) {
  std::mt19937 random(20261127);
  for (const std::uint32_t vectors : {1u, 2u, 7u, 40u}) {
    for (const std::size_t rows : {1u, 31u, 32u, 63u, 64u, 1000u}) {
      std::vector<std::uint32_t> codes(rows);
      for (std::uint32_t& code : codes) code = static_cast<std::uint32_t>(random() % vectors);
      expect_rows<TypeParam>(codes, vectors);
    }
  }
}

TYPED_TEST(WahVectorsOf, NothingIsEmpty) {
  EXPECT_TRUE(wah_encode_vectors<TypeParam>({}, 0).atoms.empty());
  EXPECT_EQ(wah_encode_vectors<TypeParam>({}, 3).first.size(), 4u);
}

TYPED_TEST(WahVectorsOf, ACodeWithoutAVectorIsRefused) {
  const std::vector<std::uint32_t> codes{0, 2};
  EXPECT_THROW(wah_encode_vectors<TypeParam>(codes, 2), UsageError);
  EXPECT_NO_THROW(wah_encode_vectors<TypeParam>(codes, 3));
}

}  // namespace
}  // namespace gannet::codecs
