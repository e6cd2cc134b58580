// WAH vectors against plain bits: the paper's example, every density, long runs, tails, bad atoms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bitset>
#include <string>
#include <vector>

#include "codecs/wah/wah.hpp"

namespace gannet::codecs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Word>
class WahVector : public ::testing::Test {};
using WordTypes = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(WahVector, WordTypes);

/// Rows as plain booleans: the oracle, which shares no code with the codec.
using Rows = std::vector<bool>;

std::vector<std::uint64_t> plain(const Rows& rows) {
  std::vector<std::uint64_t> bits(bit_words(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) bits[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return bits;
}

template <class Word>
std::vector<Word> encoded(const Rows& rows) {
  std::vector<Word> atoms;
  wah_encode<Word>(plain(rows), rows.size(), atoms);
  return atoms;
}

/// Decodes by the definition, atom by atom, bit by bit.
template <class Word>
Rows by_definition(const std::vector<Word>& atoms, std::uint64_t rows) {
  constexpr int kBits = 8 * sizeof(Word);
  Rows result;
  for (const Word atom : atoms) {
    const std::bitset<kBits> bits(atom);
    if (!bits[kBits - 1]) {
      for (int i = kBits - 2; i >= 0; --i) result.push_back(bits[i]);
    } else {
      const std::uint64_t length = atom & ((Word{1} << (kBits - 2)) - 1);
      result.insert(result.end(), length * (kBits - 1), bits[kBits - 2]);
    }
  }
  EXPECT_EQ(result.size(), (rows + kBits - 2) / (kBits - 1) * (kBits - 1));
  for (std::size_t i = rows; i < result.size(); ++i) EXPECT_FALSE(result[i]) << i;
  result.resize(rows);
  return result;
}

/// Random rows in runs: long ones, short ones, single rows.
Rows random_rows(std::uint64_t count, std::uint32_t mean_run, std::uint32_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  };
  Rows rows;
  bool bit = next() % 2 == 0;
  while (rows.size() < count) {
    const std::uint64_t run = 1 + next() % (2 * mean_run);
    rows.insert(rows.end(), std::min<std::uint64_t>(run, count - rows.size()), bit);
    bit = !bit;
  }
  return rows;
}

template <class Word>
void expect_all(const Rows& rows) {
  const std::vector<Word> atoms = encoded<Word>(rows);
  ASSERT_NO_THROW(wah_validate<Word>(atoms, rows.size()));
  EXPECT_EQ(by_definition(atoms, rows.size()), rows);
  EXPECT_EQ(wah_decode<Word>(atoms, rows.size()), plain(rows));
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) expected.push_back(i);
  }
  EXPECT_EQ(wah_count<Word>(atoms), expected.size());
  std::vector<std::uint64_t> visited;
  wah_for_each<Word>(atoms, [&](std::uint64_t row) { visited.push_back(row); });
  EXPECT_EQ(visited, expected);
  std::vector<Word> by_row;
  WahRowWriter<Word> writer(by_row);
  for (const std::uint64_t row : expected) writer.set(row);
  writer.finish(rows.size());
  EXPECT_EQ(by_row, atoms);
}

TEST(WahPaper, Figure1) {
  // 252 rows: a mixed chunk and three of zeros. The figure's digits, as far as it prints them: the
  // rest of its 63 are zeros in front.
  const std::string digits = "000000000000000010110000010000000001000111010";
  const std::string chunk = std::string(63 - digits.size(), '0') + digits;
  Rows rows;
  for (const char digit : chunk) rows.push_back(digit == '1');
  rows.resize(252);
  const std::uint64_t literal = std::bitset<64>("0" + chunk).to_ullong();
  EXPECT_THAT(encoded<std::uint64_t>(rows), ElementsAre(literal, 0x8000000000000003u));
}

TEST(WahPaper, AtomsByHand) {
  // 31 rows a group: all ones twice, the first row, the last row, zeros, then 3 rows of a last
  // group.
  Rows rows(62, true);
  rows.resize(62 + 31 * 3 + 3);
  rows[62] = true;
  rows[62 + 61] = true;
  rows[62 + 93 + 2] = true;
  EXPECT_THAT(encoded<std::uint32_t>(rows),
              ElementsAre(0xc0000002u, 0x40000000u, 0x00000001u, 0x80000001u, 0x10000000u));
}

TYPED_TEST(WahVector, EveryDensityAndLength) {
  constexpr std::uint64_t kGroup = WahAtom<TypeParam>::kGroupRows;
  std::uint32_t seed = 1;
  for (const std::uint64_t rows :
       {std::uint64_t{0}, std::uint64_t{1}, kGroup - 1, kGroup, kGroup + 1, 2 * kGroup - 1,
        2 * kGroup, 5 * kGroup + 7, std::uint64_t{64}, std::uint64_t{128}, std::uint64_t{10000},
        31 * 64 * kGroup, 31 * 64 * kGroup + 1}) {
    for (const std::uint32_t run : {1u, 2u, 7u, 31u, 63u, 100u, 1000u, 20000u}) {
      expect_all<TypeParam>(random_rows(rows, run, seed++));
    }
    expect_all<TypeParam>(Rows(rows, false));
    expect_all<TypeParam>(Rows(rows, true));
  }
}

TYPED_TEST(WahVector, HomogeneousGroupsAreFillsAndNeighboursMerge) {
  using Atom = WahAtom<TypeParam>;
  Rows rows(10 * Atom::kGroupRows, true);
  EXPECT_THAT(encoded<TypeParam>(rows), ElementsAre(Atom::kFill | Atom::kOnes | TypeParam{10}));
  rows.resize(rows.size() + Atom::kGroupRows);
  EXPECT_THAT(encoded<TypeParam>(rows),
              ElementsAre(Atom::kFill | Atom::kOnes | TypeParam{10}, Atom::kFill | TypeParam{1}));
}

TEST(WahLongRuns, AFillThatIsFullIsFollowedByAnother) {
  using Atom = WahAtom<std::uint32_t>;
  const std::uint64_t longest = Atom::kLongest;
  for (const bool ones : {false, true}) {
    for (const std::uint64_t groups : {longest - 1, longest, longest + 1, 3 * longest + 5}) {
      std::vector<std::uint32_t> atoms;
      WahWriter<std::uint32_t> writer(atoms);
      writer.run(ones, groups / 2);
      writer.run(ones, groups - groups / 2);
      writer.flush();
      EXPECT_EQ(writer.groups(), groups);
      const std::uint32_t full = (ones ? 0xc0000000u : 0x80000000u) | 0x3fffffffu;
      ASSERT_EQ(atoms.size(), (groups + longest - 1) / longest);
      for (std::size_t i = 0; i + 1 < atoms.size(); ++i) EXPECT_EQ(atoms[i], full);
      EXPECT_EQ(atoms.back() & 0x3fffffffu, groups - longest * (atoms.size() - 1));
      const std::uint64_t rows = groups * 31;
      EXPECT_NO_THROW(wah_validate<std::uint32_t>(atoms, rows));
      EXPECT_THROW(wah_validate<std::uint32_t>(atoms, rows + 1), FormatError);
      EXPECT_EQ(wah_count<std::uint32_t>(atoms), ones ? rows : 0);
    }
  }
}

TEST(WahLongRuns, SingleRowsFarApart) {
  std::vector<std::uint32_t> atoms;
  WahRowWriter<std::uint32_t> writer(atoms);
  const std::vector<std::uint64_t> wanted{5, std::uint64_t{31} << 30,
                                          (std::uint64_t{31} << 31) + 30};
  for (const std::uint64_t row : wanted) writer.set(row);
  writer.finish((std::uint64_t{31} << 32) + 9);
  EXPECT_NO_THROW(wah_validate<std::uint32_t>(atoms, (std::uint64_t{31} << 32) + 9));
  std::vector<std::uint64_t> visited;
  wah_for_each<std::uint32_t>(atoms, [&](std::uint64_t row) { visited.push_back(row); });
  EXPECT_EQ(visited, wanted);
}

template <class Word>
std::string refusal(const std::vector<Word>& atoms, std::uint64_t rows) {
  try {
    wah_validate<Word>(atoms, rows);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(WahVector, BadAtomsAreRefusedByName) {
  using Atom = WahAtom<TypeParam>;
  constexpr TypeParam kOne = 1;
  const std::uint64_t rows = 3 * Atom::kGroupRows + 2;
  const TypeParam zeros4 = Atom::kFill | TypeParam{4};
  EXPECT_EQ(refusal<TypeParam>({zeros4}, rows), "");
  EXPECT_THAT(refusal<TypeParam>({Atom::kFill, zeros4}, rows), HasSubstr("atom 0: a fill of no"));
  EXPECT_THAT(refusal<TypeParam>({kOne, zeros4}, rows), HasSubstr("atom 1: it reaches beyond"));
  EXPECT_THAT(refusal<TypeParam>({zeros4, kOne}, rows), HasSubstr("atom 1: it reaches beyond"));
  EXPECT_THAT(refusal<TypeParam>({static_cast<TypeParam>(Atom::kFill | Atom::kLongest)}, rows),
              HasSubstr("atom 0: it reaches beyond"));
  EXPECT_THAT(refusal<TypeParam>({kOne, kOne}, rows), HasSubstr("ends early"));
  EXPECT_THAT(refusal<TypeParam>({}, rows), HasSubstr("ends early"));
  EXPECT_EQ(refusal<TypeParam>({}, 0), "");
  EXPECT_THAT(refusal<TypeParam>({kOne}, 0), HasSubstr("beyond"));
  // The last group has two rows, the highest bits.
  const TypeParam zeros3 = Atom::kFill | TypeParam{3};
  EXPECT_EQ(refusal<TypeParam>(
                {zeros3, static_cast<TypeParam>(TypeParam{3} << (Atom::kGroupRows - 2))}, rows),
            "");
  EXPECT_THAT(
      refusal<TypeParam>({zeros3, static_cast<TypeParam>(kOne << (Atom::kGroupRows - 3))}, rows),
      HasSubstr("atom 1: it sets rows behind the last"));
  EXPECT_THAT(
      refusal<TypeParam>({static_cast<TypeParam>(Atom::kFill | Atom::kOnes | TypeParam{4})}, rows),
      HasSubstr("atom 0: it sets rows behind the last"));
}

}  // namespace
}  // namespace gannet::codecs
