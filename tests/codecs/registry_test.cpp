// Codecs at run time: names, ids, and the sizes that the paper reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "codecs/encoded_lists.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

TEST(Registry, HoldsEveryCodecOnce) {
  const auto codecs = codecs::all_list_codecs();
  EXPECT_EQ(codecs.size(), std::tuple_size_v<codecs::TileCodecs>);
  std::set<std::string_view> names;
  std::set<codecs::CodecId> ids;
  for (const codecs::ListCodec& codec : codecs) {
    names.insert(codec.name);
    ids.insert(codec.id);
    EXPECT_EQ(&codecs::list_codec_named(codec.name), &codec);
    EXPECT_EQ(&codecs::list_codec_with(codec.id), &codec);
    EXPECT_THAT(codecs::list_codec_names(), HasSubstr(std::string(codec.name)));
  }
  EXPECT_EQ(names.size(), codecs.size());
  EXPECT_EQ(ids.size(), codecs.size());
}

/// Ids are part of the file format.
TEST(Registry, IdsNeverChange) {
  const std::vector<std::pair<std::string, std::uint32_t>> ids{
      {"none", 0},          {"gpu-bp128", 1}, {"gpu-bp256", 2},  {"gpu-vbyte128", 3},
      {"gpu-vbyte1024", 4}, {"gpu-dfor", 5},  {"nsf", 6},        {"nsv", 7},
      {"gpu-for", 8},       {"gpu-rfor", 9},  {"elias-fano", 11}};
  for (const auto& [name, id] : ids) {
    EXPECT_EQ(static_cast<std::uint32_t>(codecs::list_codec_named(name).id), id) << name;
  }
}

TEST(Registry, UnknownNamesAndIds) {
  try {
    codecs::list_codec_named("gpu-bp64");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gpu-bp64"));
    EXPECT_THAT(error.what(), HasSubstr("gpu-bp128"));
  }
  EXPECT_THROW(codecs::list_codec_with(static_cast<codecs::CodecId>(999)), FormatError);
}

/// `count` distinct docids, uniform in [0, universe).
Words uniform_docids(std::uint32_t count, std::uint32_t universe, Random& random) {
  std::uniform_int_distribution<std::uint32_t> any(0, universe - 1);
  Words docids;
  while (docids.size() < count) {
    for (std::size_t missing = count - docids.size(); missing > 0; --missing) {
      docids.push_back(any(random));
    }
    std::sort(docids.begin(), docids.end());
    docids.erase(std::unique(docids.begin(), docids.end()), docids.end());
  }
  return docids;
}

struct PaperSize {
  std::string codec;
  double sparse, dense;
};

/// Table 1 of the CIKM'19 paper: bits per integer of uniform lists of 2^16 and of 2^25 docids in
/// [0, 2^29). One sparse list has 512 blocks, whose widths scatter: the mean of 20 is compared. The
/// dense list is made at an eighth of its size; only its density matters.
TEST(Sizes, UniformListsAreAsInThePaperSlow) {
  Random random(8);
  std::vector<Words> sparse(20);
  for (Words& docids : sparse) docids = uniform_docids(1u << 16, 1u << 29, random);
  const std::vector<Words> dense{uniform_docids(1u << 22, 1u << 26, random)};
  const std::vector<PaperSize> table{{"gpu-bp128", 16.22, 7.18},
                                     {"gpu-bp256", 16.20, 7.18},
                                     {"gpu-vbyte128", 18.16, 10.50},
                                     {"gpu-vbyte1024", 17.78, 10.06}};
  for (const PaperSize& row : table) {
    const auto bits = [&](const std::vector<Words>& lists) {
      codecs::EncodedLists encoded(codecs::list_codec_named(row.codec), codecs::Content::kDocids);
      for (const Words& docids : lists) encoded.add(docids);
      return encoded.bits_per_value();
    };
    EXPECT_NEAR(bits(sparse), row.sparse, 0.03) << row.codec;
    EXPECT_NEAR(bits(dense), row.dense, 0.03) << row.codec;
  }
}

}  // namespace
}  // namespace gannet::test
