// Damaged and hostile indexes: opening throws typed errors or verify reports problems, and nothing
// crashes. Run under the sanitizers, these tests also show that nothing is read out of bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "codecs/registry.hpp"
#include "index/lists/list_table.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/collection.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::change_file;
using test::change_manifest;
using test::change_values;
using test::Collection;
using test::decode;
using test::expect_holds;
using test::names_in;
using test::random_collection;
using test::read_file;
using test::TemporaryDirectory;
using test::write_file;
using test::write_index;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// Opens and verifies; what was found, or nothing if all seems well. Any exception but Error is a
/// failure.
std::optional<std::string> find_problem(const std::filesystem::path& directory) {
  std::optional<std::string> problem;
  try {
    Index::open(directory);
  } catch (const Error& error) {
    problem = error.what();
  }
  try {
    const VerifyReport report = verify_index(directory, 1);
    if (!report.problems.empty()) return report.problems.front();
    // What cannot be opened must not pass as sound.
    EXPECT_EQ(problem, std::nullopt);
  } catch (const Error& error) {
    problem = error.what();
  }
  return problem;
}

class DamagedIndex : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(GetParam());
    options.freq_codec = options.docid_codec;
    write_index(path(), random_collection(260, 30, 3, true, true), options);
    ASSERT_EQ(find_problem(path()), std::nullopt);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const std::string& name : names_in(path())) {
      if (name != "gannet.lock") files.push_back(name);
    }
    EXPECT_EQ(files.size(), 5u);
    return files;
  }
  const std::filesystem::path& path() const { return directory_.path(); }

  TemporaryDirectory directory_;
};

TEST_P(DamagedIndex, EveryFlipIsFoundSlow) {
  std::mt19937 random(1);
  for (const std::string& name : files()) {
    const std::string good = read_file(path() / name);
    const std::size_t step = good.size() < 2500 ? 1 : 7;
    for (std::size_t at = 0; at < good.size(); at += step) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
      write_file(path() / name, bad);
      EXPECT_NE(find_problem(path()), std::nullopt) << name << ", byte " << at;
    }
    write_file(path() / name, good);
  }
  EXPECT_EQ(find_problem(path()), std::nullopt);
}

TEST_P(DamagedIndex, EveryTruncationIsFoundAtOpen) {
  for (const std::string& name : files()) {
    const std::string good = read_file(path() / name);
    for (std::size_t size = 0; size < good.size(); size += good.size() < 2500 ? 1 : 13) {
      write_file(path() / name, good.substr(0, size));
      EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<Error>(HasSubstr(name)));
    }
    for (const std::string& bad : {good.substr(0, good.size() - 1), good + "\n", good + good}) {
      write_file(path() / name, bad);
      EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<Error>(HasSubstr("rebuild")));
      EXPECT_NE(find_problem(path()), std::nullopt);
    }
    write_file(path() / name, good);
  }
}

/// Of an index; a folder without a manifest holds none.
TEST_P(DamagedIndex, AMissingFileIsNamed) {
  for (const std::string& name : files()) {
    std::filesystem::rename(path() / name, path() / "elsewhere");
    EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<Error>(HasSubstr(name)));
    if (name == kManifestName) {
      EXPECT_THROW(Index::open(path()), IoError);
    } else {
      EXPECT_THROW(Index::open(path()), DamageError);
    }
    EXPECT_NE(find_problem(path()), std::nullopt);
    std::filesystem::rename(path() / "elsewhere", path() / name);
  }
}

TEST_P(DamagedIndex, AFileOfAnotherBuildIsRefused) {
  TemporaryDirectory other;
  WriteOptions options;
  options.docid_codec = &codecs::list_codec_named(GetParam());
  Collection collection = random_collection(260, 30, 3, true, true);
  collection.ids[0].back() = collection.ids[0].back() == 'x' ? 'y' : 'x';
  write_index(other.path(), collection, options);
  const char* name = "segment-00000001.documents";
  ASSERT_EQ(read_file(other.path() / name).size(), read_file(path() / name).size());
  std::filesystem::copy_file(other.path() / name, path() / name,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("does not belong to the manifest")));
}

TEST_P(DamagedIndex, HostileWordsAreHarmless) {
  // Every checksum is right, only the words lie: what opens must decode without harm.
  std::mt19937 random(7);
  const std::string good_manifest = read_file(path() / "manifest.json");
  const std::string good_postings = read_file(path() / "segment-00000001.postings");
  int opened = 0;
  for (int round = 0; round < 300; ++round) {
    change_values<std::uint32_t>(path(), kPostingsFile, Tag("WORD"), [&](auto& words) {
      for (int i = 0; i < 1 + round % 3; ++i) {
        words[random() % words.size()] ^= 1u << random() % 32;
      }
    });
    try {
      const Index index = Index::open(path());
      for (TermId t = 0; t < index.statistics().terms; ++t) decode(*index.segments()[0], t);
      ++opened;
    } catch (const FormatError&) {
    }
    find_problem(path());
    write_file(path() / "manifest.json", good_manifest);
    write_file(path() / "segment-00000001.postings", good_postings);
  }
  EXPECT_GT(opened, 0);
}

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) names.emplace_back(codec.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Codecs, DamagedIndex, ::testing::ValuesIn(codec_names()),
                         [](const auto& parameters) {
                           std::string name = parameters.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Tables that lie although every checksum is right.
class HostileTables : public ::testing::Test {
 protected:
  void SetUp() override { write_index(path(), random_collection(300, 90, 2, true, true)); }
  const std::filesystem::path& path() const { return directory_.path(); }

  template <class T, class F>
  void expect_refused(FileKind kind, const char (&section)[5], F&& change, const std::string& why) {
    TemporaryDirectory copy;
    const std::filesystem::path index = copy.path() / "index";
    std::filesystem::copy(path(), index);
    std::uint32_t id;
    std::memcpy(&id, section, sizeof id);
    change_values<T>(index, kind, Tag(id), change);
    EXPECT_THAT([&] { Index::open(index); }, ThrowsMessage<FormatError>(HasSubstr(why)));
    EXPECT_THAT(verify_index(index).problems, Contains(HasSubstr(why)));
  }

  /// Damage that opening does not look for: who reads everything is told, with the same words on
  /// every reading.
  template <class T, class F>
  void expect_found(FileKind kind, const char (&section)[5], F&& change, const std::string& why) {
    TemporaryDirectory copy;
    const std::filesystem::path place = copy.path() / "index";
    std::filesystem::copy(path(), place);
    std::uint32_t id;
    std::memcpy(&id, section, sizeof id);
    change_values<T>(place, kind, Tag(id), change);
    const Index index = Index::open(place);
    for (int reading = 0; reading < 2; ++reading) {
      EXPECT_THAT([&] { read_all(*index.segments()[0]); },
                  ThrowsMessage<FormatError>(HasSubstr(why)));
    }
    EXPECT_THAT(verify_index(place).problems, Not(IsEmpty()));
  }

  static void read_all(const Segment& segment) {
    for (TermId t = 0; t < segment.statistics().terms; ++t) decode(segment, t);
    for (TermId t = 0; t < segment.statistics().terms; ++t) segment.find(segment.term(t));
    for (Docid d = 0; d < segment.statistics().documents; ++d) {
      segment.document_id(d);
      segment.stored_text(d);
    }
  }

  TemporaryDirectory directory_;
};

TEST_F(HostileTables, BlocksOfTheListTable) {
  using Blocks = std::vector<RowBlock>;
  const auto refused = [&](auto change, const std::string& why) {
    expect_refused<RowBlock>(kPostingsFile, "RBLK", change, why);
  };
  refused([](Blocks& blocks) { blocks[0].offset = 1; }, "start with 0");
  refused([](Blocks& blocks) { blocks[0].first_word = 1; }, "start with 0");
  refused([](Blocks& blocks) { blocks[0].first_tile = 1; }, "start with 0");
  refused([](Blocks& blocks) { blocks.back().offset += 1; }, "cover all rows");
  refused([](Blocks& blocks) { blocks.back().first_word += 1; }, "cover all words");
  refused([](Blocks& blocks) { blocks.back().first_tile -= 1; }, "cover all skips");
  refused([](Blocks& blocks) { blocks.pop_back(); }, "entries instead of");
  refused([](Blocks& blocks) { blocks.push_back(blocks.back()); }, "entries instead of");
  // Those in between are looked at when a list is used.
  const std::uint64_t huge = ~std::uint64_t{0};
  const auto found = [&](auto change, const std::string& why) {
    expect_found<RowBlock>(kPostingsFile, "RBLK", change, why);
  };
  found([&](Blocks& blocks) { blocks[1].offset = huge; }, "row of the list table is damaged");
  found([&](Blocks& blocks) { blocks[1].first_word = huge; }, "words are not in the file");
  found([&](Blocks& blocks) { blocks[1].first_tile = huge; }, "skips are not in the file");
}

TEST_F(HostileTables, RowsOfTheListTable) {
  using RowBytes = std::vector<std::uint8_t>;
  const std::vector<RowBytes> rows{
      {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},  // a huge list
      {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80},  // no number
      {0x03, 33},                                                    // gaps of 33 bits
      {0x02, 32, 33},                                                // frequencies of 33 bits
  };
  for (const RowBytes& row : rows) {
    expect_found<std::uint8_t>(
        kPostingsFile, "ROWS",
        [&](RowBytes& bytes) { std::copy(row.begin(), row.end(), bytes.begin()); }, "'t");
  }
}

TEST_F(HostileTables, SkipsAndBounds) {
  using Values = std::vector<std::uint32_t>;
  using Bounds = std::vector<std::uint16_t>;
  const auto found = [&](auto change, const std::string& why) {
    expect_found<std::uint32_t>(kPostingsFile, "SKIP", change, why);
  };
  found([](Values& skips) { skips.back() = 300; }, "no document");
  found([](Values& skips) { skips.back() = ~0u; }, "no document");
  found([](Values& skips) { skips.front() = 126; }, "too small");
  expect_found<std::uint16_t>(
      kPostingsFile, "MAXF", [](Bounds& bounds) { bounds.front() += 1; }, "largest frequency");
  expect_found<std::uint16_t>(
      kPostingsFile, "MINL", [](Bounds& bounds) { bounds.back() -= 1; }, "shortest document");
  expect_refused<std::uint32_t>(
      kPostingsFile, "SKIP", [](Values& skips) { skips.pop_back(); }, "MAXF");
  expect_refused<std::uint16_t>(
      kPostingsFile, "MAXF", [](Bounds& bounds) { bounds.pop_back(); }, "entries instead of");
  expect_refused<std::uint16_t>(
      kPostingsFile, "MINL", [](Bounds& bounds) { bounds.push_back(1); }, "entries instead of");
}

TEST_F(HostileTables, OffsetsOfTermsAndDocuments) {
  using Offsets = std::vector<std::uint64_t>;
  const auto refused = [&](FileKind kind, const char(&section)[5], auto change, const char* why) {
    expect_refused<std::uint64_t>(kind, section, change, why);
  };
  const auto found = [&](FileKind kind, const char(&section)[5], auto change, const char* why) {
    expect_found<std::uint64_t>(kind, section, change, why);
  };
  const auto descend = [](Offsets& offsets) { std::swap(offsets[1], offsets[2]); };
  const auto overshoot = [](Offsets& offsets) { offsets.back() += 1; };
  const auto huge = [](Offsets& offsets) { offsets[1] = ~std::uint64_t{0}; };
  const auto shift = [](Offsets& offsets) { offsets[0] = 1; };
  const auto shorten = [](Offsets& offsets) { offsets.pop_back(); };
  struct Table {
    FileKind kind;
    const char (&section)[5];
  };
  for (const Table& table : {Table{kLexiconFile, "TBLK"}, Table{kDocumentsFile, "IBLK"}}) {
    refused(table.kind, table.section, overshoot, "does not cover");
    refused(table.kind, table.section, shift, "does not cover");
    refused(table.kind, table.section, shorten, "entries instead of");
    found(table.kind, table.section, descend, "is damaged");
    found(table.kind, table.section, huge, "is damaged");
  }
  found(kTextFile, "DOFF", descend, "is not in the file");
  found(kTextFile, "DOFF", huge, "is not in the file");
  refused(
      kTextFile, "DOFF", [](Offsets& offsets) { offsets.back() += 1 << 20; }, "entries instead");
  refused(kTextFile, "BOFF", overshoot, "instead of");
  refused(kTextFile, "BOFF", shift, "start with 0");
  expect_refused<std::uint32_t>(
      kDocumentsFile, "LENS", [](std::vector<std::uint32_t>& lengths) { lengths.pop_back(); },
      "entries instead of");
}

TEST_F(HostileTables, HalfOfTheIds) {
  change_file(path(), kDocumentsFile, [](auto& sections) { sections.erase(sections.begin()); });
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("half of the ids")));
}

TEST_F(HostileTables, AMissingSection) {
  change_file(path(), kPostingsFile, [](auto& sections) { sections.pop_back(); });
  EXPECT_THAT([&] { Index::open(path()); },
              ThrowsMessage<FormatError>(HasSubstr("'MINL' is missing")));
}

TEST_F(HostileTables, AnOptionalSectionOfTheFutureIsIgnored) {
  change_file(path(), kPostingsFile, [](auto& sections) {
    sections.insert(sections.begin() + 1, {Tag("UBND"), 0, "bounds of the future"});
  });
  expect_holds(Index::open(path()), random_collection(300, 90, 2, true, true));
  EXPECT_THAT(verify_index(path()).problems, IsEmpty());
}

TEST_F(HostileTables, TextThatIsNoZstd) {
  change_values<char>(path(), kTextFile, Tag("BLKS"), [](auto& bytes) { bytes[9] ^= 0x55; });
  const Index index = Index::open(path());
  EXPECT_THROW(index.segments()[0]->stored_text(0), FormatError);
  EXPECT_THAT(verify_index(path()).problems, Contains(HasSubstr("text block 0")));
}

TEST_F(HostileTables, ManifestsThatLie) {
  const std::string good = read_file(path() / kManifestName);
  const auto refused = [&](auto change, const std::string& why) {
    change_manifest(path(), change);
    EXPECT_THAT([&] { Index::open(path()); }, ThrowsMessage<FormatError>(HasSubstr(why)));
    write_file(path() / kManifestName, good);
  };
  const auto both = [](Manifest& manifest, auto change) {
    change(manifest.statistics);
    change(manifest.segments[0].statistics);
  };
  refused([](Manifest& m) { m.statistics.tokens += 1; }, "statistics");
  // A postings count and a few terms more are not seen at open, but by verify.
  change_manifest(path(), [&](Manifest& m) { both(m, [](Statistics& s) { s.postings += 1; }); });
  Index::open(path());
  EXPECT_THAT(verify_index(path()).problems, Contains(HasSubstr("postings, the manifest says")));
  write_file(path() / kManifestName, good);
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.terms += 64; }); },
          "entries instead of");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.terms = kMaxTerms; }); },
          "entries instead");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.documents = kMaxDocuments; }); },
          "entries");
  refused([&](Manifest& m) { both(m, [](Statistics& s) { s.documents = kMaxDocuments + 1; }); },
          "large");
  refused([](Manifest& m) { m.segments.push_back(m.segments[0]); }, "twice");
  refused([](Manifest& m) { m.segments[0].docid_base = 1; }, "docid_base");
  refused([](Manifest& m) { std::swap(m.segments[0].streams[0], m.segments[0].streams[1]); },
          "stream");
  refused([](Manifest& m) { m.segments[0].streams.pop_back(); }, "too few");
  refused([](Manifest& m) { m.segments.clear(); }, "are none");
  refused([](Manifest& m) { m.segments[0].name = "../segment-00000001"; }, "no name of a segment");
  refused([](Manifest& m) { m.segments[0].files.erase(m.segments[0].files.begin()); }, "'lexicon'");
  refused([](Manifest& m) { m.segments[0].files[1].kind = "lexicon"; }, "twice");
  refused([](Manifest& m) { m.segments[0].files[1].kind = "../x"; }, "name");
  refused([](Manifest& m) { m.defaults.b = 2; }, "\"b\"");
  change_manifest(path(), [](Manifest& m) {
    for (StreamRecord& stream : m.segments[0].streams) {
      stream.codec = &codecs::list_codec_named("gpu-dfor");
    }
  });
  const Index index = Index::open(path());
  EXPECT_THAT([&] { read_all(*index.segments()[0]); },
              ThrowsMessage<FormatError>(HasSubstr("gpu-dfor")));
}

TEST_F(HostileTables, KindsOfFilesOfTheFutureAreIgnoredButVerified) {
  const std::filesystem::path file = path() / "segment-00000001.columns";
  write_file(file, "columns of the future");
  change_manifest(path(), [&](Manifest& m) {
    m.segments[0].files.push_back({"columns", {21, xxh3(bytes_of("columns of the future")), 0}});
  });
  expect_holds(Index::open(path()), random_collection(300, 90, 2, true, true));
  EXPECT_THAT(verify_index(path()).problems, IsEmpty());
  write_file(file, "columns of the past  ");
  EXPECT_THAT(verify_index(path()).problems, Contains(HasSubstr("checksum")));
}

TEST_F(HostileTables, StreamsOfTheFutureAreIgnored) {
  test::add_unknown_stream(path());
  expect_holds(Index::open(path()), random_collection(300, 90, 2, true, true));
  EXPECT_THAT(verify_index(path()).problems, IsEmpty());
}

}  // namespace
}  // namespace gannet::index
