// Files of positions that are damaged, or wrong on purpose with right checksums: an error, or sound
// positions, in no more memory than the files can ask for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "codecs/positions/position_code.hpp"
#include "codecs/registry.hpp"
#include "index/positions/positions.hpp"
#include "index/reading/segment_reader.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/positions.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::options_with_title;
using test::positions_in;
using test::random_values_of_texts;
using test::ValuesOfTexts;
using ::testing::HasSubstr;

class HostilePositions : public testing::Test {
 protected:
  void build(std::span<const ValuesOfTexts> documents, const BuildOptions& options) {
    test::ValuesSource source(documents, 50);
    build_index(source, path_, options);
  }
  std::filesystem::path file() const {
    return path_ / file_name(read_manifest(path_).segments.front(), kPositionsFile.name);
  }
  /// What the index has is sound, or reading it is an error that names the file. Returns whether it
  /// was one.
  bool is_error() const {
    try {
      for (const auto& [key, positions] : positions_in(Index::open(path_))) {
        EXPECT_EQ(std::ranges::adjacent_find(positions, std::greater_equal<>()), positions.end());
      }
      return false;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr(".positions"));
      return true;
    }
  }

  test::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "index";
};

/// Bytes that are not those that were written: right checksums, wrong content.
TEST_F(HostilePositions, WrongContentIsAnError) {
  using namespace positions_sections;
  const auto documents = random_values_of_texts(500, 8);
  const auto reads = [&] { positions_in(Index::open(path_)); };
  const auto refused = [&]<class T>(Tag tag, T, const std::string& what, auto change) {
    build(documents, options_with_title());
    test::change_values<T>(path_, kPositionsFile, tag, change);
    EXPECT_THAT(reads, testing::ThrowsMessage<FormatError>(HasSubstr(what))) << to_string(tag);
    EXPECT_FALSE(verify_index(path_).problems.empty());
  };
  const std::uint32_t u32 = 0;
  const std::uint64_t u64 = 0;
  refused(kTileOffsets, u32, "not in the file", [](auto& offsets) { offsets[3] = ~0u; });
  refused(kTileOffsets, u32, "the code", [](auto& offsets) { ++offsets[2]; });
  refused(kTileOffsets, u32, "start with 0", [](auto& offsets) { offsets[0] = 1; });
  refused(kTileOffsets, u32, "do not cover", [](auto& offsets) { ++offsets.back(); });
  refused(kTileOffsets, u32, "entries instead", [](auto& offsets) { offsets.push_back(7); });
  refused(kTileBases, u64, "start with 0", [](auto& bases) { bases[0] = 1; });
  refused(kShortBlocks, u64, "not in the file", [](auto& blocks) { blocks[2] = ~0ull >> 8; });
  refused(kShortSizes, std::uint8_t{}, "posi", [](auto& sizes) {
    for (std::uint8_t& size : sizes) size = static_cast<std::uint8_t>(size ^ 1);
  });
  refused(kMainSpans, u32, "'SPAN'", [](auto& words) { words.pop_back(); });
  refused(kMainSpans, u32, ".positions", [](auto& words) {
    for (std::uint32_t& word : words) word ^= 0x01010101;
  });
}

/// What no reader of a list looks at, or but for bits behind codes.
TEST_F(HostilePositions, VerifyChecksWhatIsBetweenAndBehindCodes) {
  using namespace positions_sections;
  std::mt19937 random(21);
  std::vector<ValuesOfTexts> documents(201);  // 73 in the last tile: 3 bits each
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].id = "d" + std::to_string(i);
    std::string text = "zzz";  // the last list, which is long
    for (int w = 0; w < 4; ++w) text += " w" + std::to_string(i % 50 + 50 * (random() % 2)) + "x";
    documents[i].main = {text};
  }
  documents.front().main.front() += " y";  // bits of short lists are no whole bytes
  const auto found = [&](const std::string& what) {
    EXPECT_THAT(verify_index(path_).problems,
                testing::ElementsAre(testing::AllOf(HasSubstr(".positions"), HasSubstr(what))));
  };
  const auto refused = [&](Tag tag, const std::string& what, auto change) {
    build(documents, options_with_title());
    ASSERT_TRUE(verify_index(path_).problems.empty());
    test::change_values<std::uint8_t>(path_, kPositionsFile, tag, change);
    found(what);
  };
  const auto set_last = [](auto& bytes) { bytes.back() = 1; };
  refused(kTileBits, "behind the codes", set_last);
  refused(kShortBits, "behind the codes", set_last);
  refused(kShortSizes, "that is not short", [](auto& sizes) { sizes.back() = 1; });
  refused(kTileBits, "behind its code are not 0",
          [](auto& bytes) { bytes[bytes.size() - codecs::kPositionPadding - 1] |= 0x80; });
  EXPECT_TRUE(is_error());
  std::uint64_t bits = 0;  // of all short lists, which are those of one block
  refused(kShortBits, "behind their codes", [&](auto& bytes) {
    const Index index = Index::open(path_);
    const Segment& segment = *index.segments().front();
    ASSERT_LE(segment.statistics().terms, kListsOfBlock);
    for (TermId t = 0; t + 1 < segment.statistics().terms; ++t) {
      const auto extent = segment.positions()->short_list(t);
      bits += extent.end_bit - extent.first_bit;
    }
    bytes[bytes.size() - codecs::kPositionPadding - 1] |= 0x80;
  });
  EXPECT_NE(bits % 8, 0u) << "the test needs bits behind the codes";
}

/// Spans that are lengths are left out, and nobody writes others.
TEST_F(HostilePositions, StoredSpansThatAreLengthsAreReported) {
  BuildOptions options = options_with_title();
  options.write.analyzer.stopwords = "none";
  const std::vector<ValuesOfTexts> documents = {{"a", {"one two"}, {"three"}}, {"b", {"x"}, {}}};
  build(documents, options);
  test::change_file(path_, kPositionsFile, [](std::vector<test::SectionBytes>& sections) {
    std::vector<std::uint32_t> words;
    codecs::list_codec_named(kSpanCodec).encode(std::vector<std::uint32_t>(2), words);
    sections.push_back({positions_sections::kMainSpans, SectionRow::kRequired,
                        std::string(reinterpret_cast<const char*>(words.data()),
                                    words.size() * sizeof(std::uint32_t))});
  });
  EXPECT_THAT(verify_index(path_).problems,
              testing::ElementsAre(HasSubstr("although all spans are the lengths")));
}

/// Whatever codes hold, what is decoded ascends below the spans, or is an error.
TEST_F(HostilePositions, RandomCodesAreSoundOrErrors) {
  using namespace positions_sections;
  std::mt19937 random(9);
  const auto documents = random_values_of_texts(300, 9);
  build(documents, options_with_title());
  std::size_t errors = 0;
  for (int round = 0; round < 30; ++round) {
    const auto flip_bits = [&](std::vector<std::uint8_t>& bytes) {
      for (int i = 0; i < 8; ++i) {
        std::uint8_t& byte = bytes[random() % (bytes.size() - codecs::kPositionPadding)];
        byte = static_cast<std::uint8_t>(byte ^ 1u << random() % 8);
      }
    };
    test::change_values<std::uint8_t>(path_, kPositionsFile,
                                      round % 2 == 0 ? kTileBits : kShortBits, flip_bits);
    errors += is_error() ? 1 : 0;
  }
  EXPECT_GT(errors, 5u);
}

TEST_F(HostilePositions, FlippedBitsAreDamage) {
  build(random_values_of_texts(500, 10), options_with_title());
  const test::PositionsFound sound = positions_in(Index::open(path_));
  const std::string bytes = test::read_file(file());
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = bytes;
    char& byte = damaged[random() % bytes.size()];
    byte = static_cast<char>(byte ^ 1 << random() % 8);
    test::write_file(file(), damaged);
    try {
      EXPECT_EQ(positions_in(Index::open(path_)), sound);  // nobody uses these bytes
    } catch (const DamageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(".positions"));
    }
    EXPECT_FALSE(verify_index(path_).problems.empty());
  }
}

/// A base and an offset whose sum is right only because it overflows.
TEST_F(HostilePositions, SumsThatOverflowAreErrors) {
  using namespace positions_sections;
  build(random_values_of_texts(3000, 13), options_with_title());
  std::uint64_t last = 0;
  test::change_values<std::uint64_t>(path_, kPositionsFile, kTileBases, [&](auto& bases) {
    ASSERT_GT(bases.size(), 1u) << "the test needs more tiles";
    last = bases.back();
    bases.back() -= std::uint64_t{1} << 31;
  });
  test::change_values<std::uint32_t>(path_, kPositionsFile, kTileOffsets, [&](auto& offsets) {
    offsets.back() += std::uint32_t{1} << 31;
  });
  EXPECT_GT(std::uint64_t{1} << 31, last);
  EXPECT_TRUE(is_error());
  EXPECT_FALSE(verify_index(path_).problems.empty());
  build(random_values_of_texts(500, 13), options_with_title());
  test::change_values<std::uint8_t>(path_, kPositionsFile, kShortSizes, [](auto& sizes) {
    // As a varint the largest number there is, behind another size: their sum overflows.
    std::fill_n(sizes.begin() + 1, 9, std::uint8_t{0xff});
    sizes[10] = 1;
  });
  EXPECT_TRUE(is_error());
}

/// Spans and frequencies that would be terabytes of positions.
TEST_F(HostilePositions, RoomIsMadeForWhatTheCodesCanHold) {
  using namespace positions_sections;
  build(random_values_of_texts(700, 14), options_with_title());
  const codecs::ListCodec& codec = codecs::list_codec_named(kSpanCodec);
  std::vector<std::uint32_t> more;
  {
    const Index index = Index::open(path_);
    for (const std::uint32_t length : index.segments().front()->document_lengths()) {
      more.push_back(codecs::kMaxSpan - length);
    }
  }
  test::change_values<std::uint32_t>(path_, kPositionsFile, kMainSpans, [&](auto& words) {
    words.clear();
    codec.encode(more, words);
  });
  const Index index = Index::open(path_);
  const Segment& segment = *index.segments().front();
  std::size_t lists = 0;
  for (TermId t = 0; t < segment.statistics().terms; ++t) {
    if (segment.text_of(t) != kMainText) continue;
    const PostingList list = segment.list(t);
    std::vector<std::uint32_t> docids(list.count), freqs(list.count, codecs::kMaxSpan), positions;
    list.decode_docids(docids.data());
    EXPECT_THAT([&] { decode_list_positions(segment, t, list, docids, freqs, positions); },
                testing::ThrowsMessage<DamageError>(HasSubstr("does not end in the tile")));
    PositionCursor cursor(segment, t, list);
    const std::uint32_t size = std::min<std::uint32_t>(list.count, codecs::kTile);
    cursor.open_tile(0, std::span(docids).first(size), std::span(freqs).first(size));
    EXPECT_THROW(cursor.check(0), DamageError);
    freqs.assign(list.count, 0);
    EXPECT_THROW(decode_list_positions(segment, t, list, docids, freqs, positions), DamageError);
    freqs.assign(list.count, std::numeric_limits<std::uint32_t>::max());
    EXPECT_THROW(decode_list_positions(segment, t, list, docids, freqs, positions), DamageError);
    ++lists;
  }
  EXPECT_GT(lists, 50u);
  EXPECT_FALSE(verify_index(path_).problems.empty());
}

TEST_F(HostilePositions, SpansBeyondTheLargestAreErrors) {
  using namespace positions_sections;
  build(random_values_of_texts(40, 15), options_with_title());
  test::change_values<std::uint32_t>(path_, kPositionsFile, kMainSpans, [](auto& words) {
    words.clear();
    codecs::list_codec_named(kSpanCodec)
        .encode(std::vector<std::uint32_t>(40, std::numeric_limits<std::uint32_t>::max()), words);
  });
  EXPECT_THAT([&] { positions_in(Index::open(path_)); },
              testing::ThrowsMessage<FormatError>(HasSubstr("has a span of 4294967")));
}

TEST_F(HostilePositions, AFileThatIsCutOffIsRefused) {
  build(random_values_of_texts(60, 16), options_with_title());
  const std::string bytes = test::read_file(file());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 9) {
    test::write_file(file(), bytes.substr(0, size));
    EXPECT_TRUE(is_error()) << size;
    EXPECT_FALSE(verify_index(path_).problems.empty()) << size;
  }
  std::filesystem::remove(file());
  EXPECT_THROW(Index::open(path_), Error);
  EXPECT_FALSE(verify_index(path_).problems.empty());
}

/// Any section, with right checksums.
TEST_F(HostilePositions, RandomChangesOfAnySectionAreSoundOrErrors) {
  using namespace positions_sections;
  std::mt19937 random(17);
  build(random_values_of_texts(400, 17), options_with_title());
  std::string sound_file = test::read_file(file());
  const std::string sound_manifest = test::read_file(path_ / kManifestName);
  std::size_t errors = 0;
  for (const Tag tag : known(options_with_title().write.schema)) {
    for (int round = 0; round < 12; ++round) {
      test::write_file(file(), sound_file);
      test::write_file(path_ / kManifestName, sound_manifest);
      test::change_values<std::uint8_t>(path_, kPositionsFile, tag, [&](auto& bytes) {
        for (int i = 0; i <= round % 4; ++i) {
          std::uint8_t& byte = bytes[random() % bytes.size()];
          byte = round % 2 == 0 ? static_cast<std::uint8_t>(byte ^ 1u << random() % 8)
                                : static_cast<std::uint8_t>(random());
        }
        if (round == 10) bytes.resize(bytes.size() / 2);
        if (round == 11) bytes.insert(bytes.end(), 12, std::uint8_t{0xff});
      });
      errors += is_error() ? 1 : 0;
      verify_index(path_);
    }
  }
  EXPECT_GT(errors, 30u);
}

}  // namespace
}  // namespace gannet::index
